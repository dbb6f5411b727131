// The start of a video on its page. One whose tile the person has opened plays at once; one that was reached from another
// photo, whose sound would surprise, has a large button over its poster.

const key = "opened";
// The longest time between a click on a tile and its page, in milliseconds.
const most = 60_000;

/** Remembers that the person opens a video, for the page that follows. */
export function rememberVideo(link) {
  if (!link.querySelector(".video")) return;
  try {
    sessionStorage.setItem(key, JSON.stringify({ address: link.href, time: Date.now() }));
  } catch {
    // Without storage the page has the button.
  }
}

/** Returns whether a click on its tile has led to this page, once. */
export function wasOpened() {
  try {
    const last = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    const [navigation] = performance.getEntriesByType("navigation");
    return last?.address === location.href && navigation?.type === "navigate" && Date.now() - last.time < most;
  } catch {
    return false;
  }
}

/** Plays a video with its sound. Browsers may refuse that: then the button stays. */
export function play(video) {
  video.play().catch(() => {});
}

/** Shows the button in place of the controls until the video plays. */
export function offerPlay(video) {
  const button = document.querySelector("#play");
  if (!video || !button) return;
  video.controls = false;
  button.hidden = false;
  video.addEventListener("playing", () => {
    video.controls = true;
    // The focus of the keyboard stays at the video.
    if (document.activeElement === button) video.focus();
    button.hidden = true;
  }, { once: true });
}

document.addEventListener("click", event => {
  const link = event.target.closest?.(".grid a");
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  // After the selection, whose clicks open nothing.
  if (link && isPlain && !event.defaultPrevented) rememberVideo(link);
});
