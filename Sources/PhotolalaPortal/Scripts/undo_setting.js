// The undo of the last change of a setting: the tab remembers the former value, and the page after the change offers to save
// it again.

const key = "setting";
const account = document.querySelector("main code[data-account]")?.dataset.account;

/** Remembers the value that a form's change replaces; nothing if there was none. */
export function remember(action, value) {
  try {
    if (value === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ account, action, value }));
  } catch {
    // Without storage there is no undo.
  }
}

/** Returns the last change of this account, once. */
function last() {
  try {
    const change = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    return change?.account === account ? change : null;
  } catch {
    return null;
  }
}

/** Adds a button to the notice of a change. */
function offer({ action, value }) {
  const notice = document.querySelector(`[data-saved="${CSS.escape(action)}"]`);
  const form = document.querySelector(`form[action="${CSS.escape(action)}"]`);
  if (!notice || !form || form.dataset.stored === value) return;
  const undo = Object.assign(document.createElement("button"), {
    type: "button", className: "quiet", textContent: notice.dataset.undo,
  });
  undo.addEventListener("click", () => {
    form.elements[form.dataset.field].value = value;
    form.requestSubmit();
  });
  notice.append(" ", undo);
}

for (const form of document.querySelectorAll("form[data-stored]")) {
  form.addEventListener("submit", () => remember(form.getAttribute("action"), form.dataset.stored));
}
const change = last();
if (change) offer(change);
// Loaded again, the page is no answer to a change.
const address = new URL(location.href);
address.searchParams.delete("saved");
history.replaceState(history.state, "", address);
