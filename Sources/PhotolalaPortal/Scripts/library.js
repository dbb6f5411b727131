// The library pages: the grid, the albums, the page of a single photo, and uploads.
import "./copying.js";
import { isFramed } from "./framed_page.js";
import { Grid } from "./grid.js";
import { offline } from "./offline.js";
import { showCurrent } from "./offline_refresh.js";
import { changeInPlace } from "./theme.js";
import "./typed_texts.js";
import { offer } from "./undo.js";
import { Uploads } from "./upload.js";
import { Viewer } from "./viewer.js";

// Milliseconds that a notice is shown, without and with an undo; longer while it is used.
const shown = 10_000;
const undoable = 60_000;

// The address of the page, whose frame may change that of the tab.
const address = location.pathname + location.search;
const timeline = document.querySelector("#timeline");
let grid = timeline && new Grid(timeline);
const upload = document.querySelector("#upload");
// In a frame, the page around it uploads.
if (upload && !isFramed) new Uploads(upload, showChanges);

offline.refresh = () => (grid ? grid.refresh() : showCurrent());

/** Shows the current photos of the page, also if it was rendered without any. Throws without an answer. */
async function showChanges() {
  if (grid) return grid.refresh();
  if (!document.querySelector("#nothing")) return;
  const response = await fetch(address, { headers: { accept: "application/json" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!page.querySelector("#timeline")) return;
  document.querySelector(".heading").replaceWith(page.querySelector(".heading"));
  document.querySelector("#nothing").replaceWith(page.querySelector("#chosen"));
  grid = new Grid(document.querySelector("#timeline"));
}

// The notice is shown once: reloading the page repeats no act.
const done = document.querySelector("#done");
if (done) {
  const address = new URL(location);
  const purge = ["purged", "failed", "kept", "unfinished"];
  const recall = ["asked", "wait", "way", "readable", "unmet", "denied"];
  for (const name of ["done", "undone", "gone", "favorited", "unfavorited", "archived", "unarchived", "added", "removed", "target", "cover", ...purge, ...recall]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
  // Screen readers announce only changes to an existing page.
  const text = done.textContent;
  done.textContent = "";
  setTimeout(() => (done.textContent = text), 100);
  const toast = done.parentElement;
  const close = toast.querySelector(".tool");
  close.hidden = false;
  close.addEventListener("click", () => toast.remove());
  const leave = () => (toast.matches(":hover, :focus-within") ? setTimeout(leave, shown) : toast.remove());
  setTimeout(leave, toast.querySelector("#undo") ? undoable : shown);
}

const appearance = document.querySelector('form[action="/appearance"]');
if (appearance) changeInPlace(appearance);

const undo = document.querySelector("#undo");
if (undo) offer(undo);

// A slash starts a search, as on many sites.
const search = document.querySelector(".search input");
addEventListener("keydown", event => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !search) return;
  if (event.target.closest("input, textarea, select, [contenteditable]")) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// Permanent deletion runs in parts: each page submits the form for the next part.
document.querySelector("#purge")?.requestSubmit();

if (document.querySelector("main.viewer")) new Viewer();
