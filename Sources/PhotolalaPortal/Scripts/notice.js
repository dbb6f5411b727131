// The notice of what an act did, with its undo. It is shown once: reloading the page repeats no act.
import { offer } from "./undo.js";

// Milliseconds that a notice is shown, without and with an undo; longer while it is used.
const shown = 10_000;
const undoable = 60_000;
// The parameters of an address that stand for a notice.
const outcomes = ["done", "undone", "gone", "favorited", "unfavorited", "archived", "unarchived", "added", "removed",
  "target", "cover", "purged", "failed", "kept", "unfinished", "asked", "wait", "way", "readable", "unmet", "denied"];

/** Prepares the notice of this page, if it has one. */
export function prepareNotice() {
  const done = document.querySelector("#done");
  if (!done) return;
  history.replaceState(history.state, "", lasting(location));
  // Screen readers announce only changes to an existing page.
  const text = done.textContent;
  done.textContent = "";
  setTimeout(() => (done.textContent = text), 100);
  const toast = done.parentElement;
  new ResizeObserver(() => setHeight(toast)).observe(toast);
  const close = toast.querySelector(".tool");
  close.hidden = false;
  close.addEventListener("click", () => toast.remove());
  const undo = toast.querySelector("#undo");
  if (undo) offer(undo);
  const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, shown) : toast.remove());
  setTimeout(leave, undo ? undoable : shown);
}

/** Returns an address without the parameters of a notice. */
export function lasting(address) {
  const found = new URL(address);
  for (const name of outcomes) found.searchParams.delete(name);
  return found;
}

/** Tells the style sheet the height of a notice, which the panel leaves free. */
export function setHeight(toast) {
  document.documentElement.style.setProperty("--notice-height", `${toast.offsetHeight}px`);
}

/** Replaces the notice of this page by that of another one, unless its main part is on this page already. */
export function showNotice(page) {
  const toast = page.querySelector(".toast");
  if (toast) {
    for (const old of document.querySelectorAll(".toast")) old.remove();
    document.querySelector("main").append(toast);
  }
  prepareNotice();
}

/** Says in place of a notice that the page waits for an answer. Returns what ends that, and shows the notice again. */
export function showWaiting(text) {
  const old = document.querySelector(".toast");
  const toast = Object.assign(document.createElement("div"), { className: "toast waiting" });
  const status = document.createElement("p");
  status.setAttribute("role", "status");
  toast.append(status);
  if (old) old.hidden = true;
  document.querySelector("main").append(toast);
  status.textContent = text;
  return () => {
    toast.remove();
    if (old) old.hidden = false;
  };
}
