// Keeps what was typed and chosen in the forms of a page and in the search box while another language or theme is chosen,
// which loads the page again, and in a dialog while the person signs in. Passwords and photos are not kept.

const key = "typed";
const dialogKey = "typed-in-dialog";
// The longest time between the choice and the next page, in milliseconds: no later page finds the texts.
const most = 30_000;
// The longest time for signing in, in milliseconds.
const mostInDialog = 900_000;

/** Returns the fields of forms by a name, each once. */
function fields(forms) {
  const found = new Map();
  for (const form of forms) {
    for (const field of form.elements) {
      if (!["text", "search", "select-one", "checkbox"].includes(field.type) || field.name === "password") continue;
      // The fields of the offer to search among albums have no name.
      if (field.name && !field.readOnly) found.set(`${form.getAttribute("action")} ${field.name}`, field);
    }
  }
  return found;
}

function ofPage() {
  return fields(document.querySelectorAll("main form[method=post]:not(#chosen), form.search"));
}

function values(found) {
  return [...found].map(([name, { value, checked }]) => [name, { value, checked }]);
}

function fill(found, typed) {
  for (const [name, { value, checked }] of typed) {
    const field = found.get(name);
    if (field?.type === "checkbox") field.checked = checked;
    else if (field) field.value = value;
  }
}

function keep(name, address, found, more = {}) {
  try {
    sessionStorage.setItem(name, JSON.stringify({ address, time: Date.now(), typed: values(found), ...more }));
  } catch {
    // Without storage the texts are typed again.
  }
}

/** Returns what was kept for this page, once; `undefined` if it is too old. */
function last(name, longest) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
    const isHere = kept?.address === location.pathname + location.search;
    return isHere && Math.abs(Date.now() - kept.time) < longest ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what was typed in a dialog until the person has signed in, with what opened it. */
export function keepDialog(body, opener, account) {
  const found = fields(body.querySelectorAll("form"));
  if (found.size > 0) keep(dialogKey, location.pathname + location.search, found, { opener, account });
}

/** Returns what opened the dialog whose texts were kept for this page and account, and `fill` for those texts. */
export function keptDialog(account) {
  const kept = last(dialogKey, mostInDialog);
  if (!kept?.opener || kept.account !== account) return undefined;
  return { opener: kept.opener, fill: body => fill(fields(body.querySelectorAll("form")), kept.typed) };
}

/** Removes the texts of a dialog that another page left for the sign-in, which the person has not returned from to it. */
function discardOthers() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(dialogKey));
    if (kept?.address !== location.pathname + location.search) sessionStorage.removeItem(dialogKey);
  } catch {
    // Without storage nothing was kept.
  }
}

discardOthers();
fill(ofPage(), last(key, most)?.typed ?? []);
// After the form's own listeners: a theme that is changed in place loads nothing.
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (target.getAttribute("action") === "/appearance" && !defaultPrevented) keep(key, target.elements.to.value, ofPage());
});
