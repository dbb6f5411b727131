// The library pages: the grid, the albums, the page of a single photo, and uploads.
import "./copying.js";
import { isFramed } from "./framed_page.js";
import { Grid } from "./grid.js";
import { lasting, prepareNotice, showNotice } from "./notice.js";
import { offline } from "./offline.js";
import { showCurrent } from "./offline_refresh.js";
// After the scripts that keep changes without a connection.
import { dialogs } from "./dialogs.js";
import { endChoice } from "./kept_selection.js";
import "./list_facts.js";
import { sharpenLoaded } from "./sharper_pictures.js";
import { changeInPlace } from "./theme.js";
import "./typed_texts.js";
import { Uploads } from "./upload.js";
import { offerFiles } from "./upload_inputs.js";
import { Viewer } from "./viewer.js";

// The address of the page, whose frame may change that of the tab.
const address = location.pathname + location.search;
const timeline = document.querySelector("#timeline");
let grid = timeline && new Grid(timeline);
if (!new URLSearchParams(location.search).has("for")) endChoice();
// The address asked for what was chosen for an album that was deleted.
if (location.hash === "#chosen") history.replaceState(history.state, "", address);
const upload = document.querySelector("#upload");
// In a frame, the page around it uploads.
if (upload && !isFramed) new Uploads(upload, showChanges, showAdded);

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

/** Shows added photos if this page lists them and that disturbs nothing. Returns whether it did. */
async function showAdded() {
  const shown = document.querySelector("#upload-show a").href;
  return Boolean(grid?.isAt(shown) && grid.isIdle && (await grid.refresh()));
}

prepareNotice();

// A cover without a thumbnail gives way to the icon below it.
const uncover = image => image.matches?.(".cover img") && image.remove();
addEventListener("error", ({ target }) => uncover(target), true);
for (const image of document.querySelectorAll(".cover img")) if (image.complete && !image.naturalWidth) uncover(image);
sharpenLoaded(document);

const appearance = document.querySelector('form[action="/appearance"]');
if (appearance) changeInPlace(appearance);

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

const viewer = document.querySelector("main.viewer") && new Viewer();

dialogs.begin = (form, path, fields) => grid?.begin(form, path, fields);
dialogs.show = async (page, url, after) => {
  const hasNotice = page.querySelector("#done") !== null;
  // What changes without a notice, such as the name of an album, is shown by another page.
  if (!hasNotice && after !== "act") return false;
  const isNoticeUsed = document.querySelector(".toast")?.contains(document.activeElement);
  if (!(await showPage(page, url, after))) return false;
  if (hasNotice) showNotice(page);
  else document.querySelector(".toast")?.remove();
  if (isNoticeUsed || document.activeElement === document.body) grid?.focus();
  return true;
};
offline.follow = href => dialogs.follow(href);
dialogs.refresh = () => offline.refresh();
dialogs.resume();

/** Shows another state of this page. Returns whether it is one. */
async function showPage(page, url, after) {
  if (viewer) return Boolean(after) && url.pathname === location.pathname && viewer.show(page, url);
  if (grid?.shows(page)) return grid.refresh(page);
  // The list was or becomes empty.
  if (!(grid || page.querySelector("#timeline")) || listAt(url) !== listAt(location)) return false;
  const [shown, now] = [document, page].map(each => each.querySelector("main"));
  document.querySelector(".storage")?.replaceWith(...page.querySelectorAll(".storage"));
  for (const id of ["interrupted", "upload"]) {
    const kept = document.getElementById(id);
    if (kept) now.querySelector(`#${id}`)?.replaceWith(kept);
  }
  shown.replaceChildren(...now.childNodes);
  const timeline = document.querySelector("#timeline");
  grid = timeline && new Grid(timeline);
  offerFiles(document);
  return true;
}

/** Returns an address without the place on the page. */
function listAt(address) {
  const { pathname, searchParams } = lasting(address);
  for (const name of ["from", "near"]) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
}
