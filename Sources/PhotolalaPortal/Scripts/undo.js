// The undo of the last change to photos: the tab remembers which photos a form sent, and the next page offers to send
// them back.

const key = "changed";
const account = document.querySelector("#offline")?.dataset.account;

/** Remembers the photos of a form that is being submitted. */
export function remember(event, photos) {
  rememberChange(event.submitter?.getAttribute("formaction") ?? event.target.getAttribute("action"), photos);
}

/** Remembers the photos of a form with an action. */
export function rememberChange(action, photos) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ account, action, photos }));
  } catch {
    // Without storage there is no undo.
  }
}

/** Shows a form that undoes the remembered change, if that is the one after which the page is shown. */
export function offer(form) {
  let last = null;
  try {
    last = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
  } catch {
    // Without storage there is no undo.
  }
  if (last?.account !== account || last.action !== form.dataset.after || last.photos.length === 0) return;
  // Of photos that the change left as they were, nothing is to be undone, and it is unknown which those are.
  if (form.dataset.count && last.photos.length !== Number(form.dataset.count)) return;
  for (const name of last.photos) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value: "1" }));
  }
  form.hidden = false;
}
