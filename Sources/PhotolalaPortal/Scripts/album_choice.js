// The choice of an album in a dialog: with covers, a filter, and the name of a new album behind a button.
import { folded } from "./folded_text.js";

// The most albums that need no filter.
const few = 8;

/** Returns a new element with an attribute for each entry. */
function element(name, entries, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(entries)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** Arranges the choice of an album, if that is what a dialog asks for. */
export function arrangeAlbums(body) {
  const list = body.querySelector(".choices[data-filter]");
  if (!list) return;
  const items = [...list.children];
  for (const button of list.querySelectorAll("button")) {
    const { cover } = button.dataset;
    button.prepend(cover ? element("img", { src: cover, alt: "", class: "cover" }) : element("span", { class: "cover" }));
  }
  const creation = body.querySelector("form[data-new]");
  list.closest("form").before(creation);
  if (items.length > few) creation.before(...filter(list, items));
  // A name that was refused, or typed before the person signed in, stays in view.
  const isNamed = body.querySelector("[role=alert]") || creation.querySelector("[name=name]").value;
  if (items.length > 0 && !isNamed) hide(creation, list);
}

/** Hides the form of a new album behind the first item of the list. */
function hide(creation, list) {
  const item = document.createElement("li");
  const button = element("button", { type: "button", class: "quiet new" }, creation.dataset.new);
  button.prepend(element("span", { class: "cover" }));
  button.addEventListener("click", () => {
    creation.hidden = false;
    item.remove();
    creation.querySelector("[name=name]").focus();
  });
  creation.hidden = true;
  item.append(button);
  list.prepend(item);
}

/** Returns a field whose words the shown albums have, and the notice that there are none. */
function filter(list, items) {
  const { filter: title, none } = list.dataset;
  const field = element("input", {
    type: "search", class: "filter", "aria-label": title, placeholder: title, autocomplete: "off",
  });
  const status = element("p", { role: "status", class: "facts" });
  const names = items.map(item => folded(item.querySelector("bdi").textContent));
  field.addEventListener("input", () => {
    const words = folded(field.value).split(/\s+/);
    for (const [index, item] of items.entries()) item.hidden = !words.every(word => names[index].includes(word));
    status.textContent = items.every(item => item.hidden) ? none : "";
  });
  field.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.isComposing || !field.value.trim()) return;
    event.preventDefault();
    items.find(item => !item.hidden)?.querySelector("button").click();
  });
  return [field, status];
}
