// Keeps what was typed and chosen in the forms of a page and in the search box while another language or theme is chosen,
// which loads the page again, and in the page and a dialog while the person signs in. Passwords and photos are not kept.
import { accountOf } from "./page_account.js";

const key = "typed";
// Until the same account has signed in.
const pageKey = "typed-in-page";
const dialogKey = "typed-in-dialog";
// The longest time between the choice and the next page, in milliseconds: no later page finds the texts.
const most = 30_000;
// The longest time for signing in, in milliseconds.
const mostSigningIn = 900_000;

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
    const isOffered = field?.type !== "select-one" || Array.from(field.options, each => each.value).includes(value);
    if (field?.type === "checkbox") field.checked = checked;
    else if (field && isOffered) field.value = value;
  }
}

/** Returns the fields whose content is not that of the server, without the word that confirms a deletion. */
function changed(found) {
  const isChanged = ({ name, type, value, checked, defaultValue, defaultChecked, selectedOptions }) => {
    if (name === "confirmation") return false;
    if (type === "checkbox") return checked !== defaultChecked;
    return type === "select-one" ? !selectedOptions[0]?.defaultSelected : value !== defaultValue;
  };
  return new Map([...found].filter(([, field]) => isChanged(field)));
}

function keep(name, address, found, more = {}) {
  try {
    sessionStorage.setItem(name, JSON.stringify({ address, time: Date.now(), typed: values(found), ...more }));
  } catch {
    // Without storage the texts are typed again.
  }
}

/** Returns what was kept for this page, once; `undefined` if it is too old, malformed, or of another account. */
function last(name, longest, account) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name));
    sessionStorage.removeItem(name);
    const isHere = kept?.address === here() && kept.account === account && kept.typed.every(([, { value }]) => typeof value === "string");
    return isHere && Math.abs(Date.now() - kept.time) < longest ? kept : undefined;
  } catch {
    return undefined;
  }
}

function here() {
  return location.pathname + location.search;
}

/** Keeps what was typed in a dialog until the same account has signed in, with what opened it. Returns whether it did. */
export function keepDialog(body, opener) {
  const [found, account] = [fields(body.querySelectorAll("form")), accountOf()];
  if (found.size === 0 || !account) return false;
  keep(dialogKey, here(), found, { opener, account });
  return true;
}

/** Returns what opened the dialog whose texts were kept for this page and account, and `fill` for those texts. */
export function keptDialog() {
  const account = accountOf();
  const kept = account && last(dialogKey, mostSigningIn, account);
  if (!kept?.opener) return undefined;
  return { opener: kept.opener, fill: body => fill(fields(body.querySelectorAll("form")), kept.typed) };
}

/** Removes the texts that another page left for the sign-in, which the person has not returned from to it. */
function discardOthers(name) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(name));
    if (kept?.address !== here() || kept.account !== accountOf()) sessionStorage.removeItem(name);
  } catch {
    // Without storage nothing was kept.
  }
}

for (const name of [pageKey, dialogKey]) discardOthers(name);
for (const [name, longest] of [[key, most], [pageKey, mostSigningIn]]) {
  fill(ofPage(), last(name, longest, accountOf())?.typed ?? []);
}
document.addEventListener("ending", ({ detail }) => {
  const [found, account] = [changed(ofPage()), accountOf()];
  if (detail.isLeaving && found.size > 0 && account) keep(pageKey, here(), found, { account });
});
// After the form's own listeners: a theme that is changed in place loads nothing.
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (target.getAttribute("action") !== "/appearance" || defaultPrevented) return;
  keep(key, target.elements.to.value, ofPage(), { account: accountOf() });
});
