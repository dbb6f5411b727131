// The pages of a library: the grid where all months have their place, one photo, and uploads.
import { Grid } from "./grid.js";
import { Uploads } from "./upload.js";

const timeline = document.querySelector("#timeline");
if (timeline) new Grid(timeline);
const upload = document.querySelector("#upload");
if (upload) new Uploads(upload);

// What was done is told once: a page that is loaded again has done nothing.
const done = document.querySelector("#done");
if (done) {
  const address = new URL(location);
  for (const name of ["done", "gone", "purged", "failed", "kept", "unfinished"]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
  // Only what comes into a page that is there is read out.
  const text = done.textContent;
  done.textContent = "";
  setTimeout(() => (done.textContent = text), 100);
}

// A deletion of many photos is done a part at a time: each page sends the form for the next part.
document.querySelector("#purge")?.requestSubmit();

if (document.querySelector("#back")) {
  // The arrow keys lead to a photo's neighbours, Escape back.
  addEventListener("keydown", event => {
    if (event.target.closest("input, button, video") || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: 'a[rel="prev"]', ArrowRight: 'a[rel="next"]', Escape: "#back" }[event.key];
    if (way) document.querySelector(way)?.click();
  });
  // The address that a long video came from ends after some minutes: it is asked for again.
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
