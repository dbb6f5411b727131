// Keeps what was typed and chosen in the forms of a page and in the search box while another language or theme is chosen,
// which loads the page again. Passwords and photos are not kept.

const key = "typed";
// The longest time between the choice and the next page, in milliseconds: no later page finds the texts.
const most = 30_000;

/** Returns the fields of the page's forms by a name, each once. */
function fields() {
  const found = new Map();
  for (const form of document.querySelectorAll("main form[method=post]:not(#chosen), form.search")) {
    for (const field of form.elements) {
      if (!["text", "search", "select-one", "checkbox"].includes(field.type) || field.name === "password") continue;
      found.set(`${form.getAttribute("action")} ${field.name}`, field);
    }
  }
  return found;
}

/** @param {string} address The page that the choice loads. */
function keep(address) {
  const typed = [...fields()].map(([name, { value, checked }]) => [name, { value, checked }]);
  try {
    sessionStorage.setItem(key, JSON.stringify({ address, time: Date.now(), typed }));
  } catch {
    // Without storage the texts are typed again.
  }
}

/** Returns what was typed on this page, once. */
function last() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    const isHere = kept?.address === location.pathname + location.search;
    return isHere && Math.abs(Date.now() - kept.time) < most ? kept.typed : [];
  } catch {
    return [];
  }
}

const here = fields();
for (const [name, { value, checked }] of last()) {
  const field = here.get(name);
  if (field?.type === "checkbox") field.checked = checked;
  else if (field) field.value = value;
}
// After the form's own listeners: a theme that is changed in place loads nothing.
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (target.getAttribute("action") === "/appearance" && !defaultPrevented) keep(target.elements.to.value);
});
