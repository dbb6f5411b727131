// Shows the times of a page in the browser's time zone. It runs before the page is shown, where browsers can wait for it.

const { lang } = document.documentElement;
const time = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" });
const day = new Intl.DateTimeFormat(lang, { dateStyle: "long" });

for (const each of document.querySelectorAll("time[datetime]")) {
  each.textContent = (each.dataset.day ? day : time).format(new Date(each.dateTime));
}
