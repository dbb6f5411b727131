// The library pages: the grid, the page of a single photo, and uploads.
import { Grid } from "./grid.js";
import { offer, remember } from "./undo.js";
import { Uploads } from "./upload.js";

const timeline = document.querySelector("#timeline");
if (timeline) new Grid(timeline);
const upload = document.querySelector("#upload");
if (upload) new Uploads(upload);

// The notice is shown once: reloading the page repeats no act.
const done = document.querySelector("#done");
if (done) {
  const address = new URL(location);
  const purge = ["purged", "failed", "kept", "unfinished"];
  const recall = ["asked", "wait", "way", "readable", "unmet", "denied"];
  for (const name of ["done", "undone", "gone", ...purge, ...recall]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
  // Screen readers announce only changes to an existing page.
  const text = done.textContent;
  done.textContent = "";
  setTimeout(() => (done.textContent = text), 100);
}

const undo = document.querySelector("#undo");
if (undo) offer(undo);
const single = document.querySelector("#single");
single?.addEventListener("submit", event => remember(event, [single.dataset.photo]));

// Permanent deletion runs in parts: each page submits the form for the next part.
document.querySelector("#purge")?.requestSubmit();

if (document.querySelector("#back")) {
  // The arrow keys open a photo's neighbours, Escape returns to the grid.
  addEventListener("keydown", event => {
    if (event.target.closest("input, button, video") || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: 'a[rel="prev"]', ArrowRight: 'a[rel="next"]', Escape: "#back" }[event.key];
    if (way) document.querySelector(way)?.click();
  });
  // The signed URL of a long video expires after a few minutes: request a new one.
  const video = document.querySelector("video");
  let failed = 0;
  video?.addEventListener("error", () => {
    if (video.currentTime === 0 || Date.now() - failed < 60_000) return;
    failed = Date.now();
    const at = video.currentTime;
    video.load();
    video.currentTime = at;
    video.play().catch(() => {});
  });
}
