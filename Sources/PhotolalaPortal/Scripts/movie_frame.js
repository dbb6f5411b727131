// A frame and the duration of a video, by an element of the page: workers have none.

import { milliseconds } from "./file_facts.js";

// Of the frame's longer side in pixels, as of a preview, and of the whole attempt in milliseconds.
const [edge, longest] = [2048, 15_000];
// The time of the frame in seconds: later than fades from black. Of short videos it is the middle.
const wanted = 1;

/**
 * Returns a frame of a video, upright, and its duration in milliseconds; each is `undefined` if the browser cannot tell it
 * in time.
 */
export async function movieFrame(file) {
  const video = document.createElement("video");
  const url = URL.createObjectURL(file);
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), longest);
  const next = name => new Promise((resolve, reject) => {
    for (const failure of [[video, "error"], [end.signal, "abort"]]) failure[0].addEventListener(failure[1], reject);
    video.addEventListener(name, resolve, { once: true });
  });
  let duration;
  try {
    Object.assign(video, { muted: true, playsInline: true, preload: "auto" });
    const isOpen = next("loadedmetadata");
    video.src = url;
    await isOpen;
    if (!video.videoWidth) return {};
    duration = milliseconds(video.duration);
    const isFound = next("seeked");
    // Recordings of browsers have no duration.
    video.currentTime = Number.isFinite(video.duration) ? Math.min(wanted, video.duration / 2) : 0;
    await isFound;
    while (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) await next("canplay");
    return { frame: draw(video), duration };
  } catch {
    return { duration };
  } finally {
    clearTimeout(timer);
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(url);
  }
}

function draw(video) {
  const { videoWidth: width, videoHeight: height } = video;
  const scale = Math.min(1, edge / Math.max(width, height));
  const side = length => Math.max(1, Math.round(length * scale));
  const canvas = new OffscreenCanvas(side(width), side(height));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas.transferToImageBitmap();
}
