// The video of a Live Photo, which plays over its picture: by a button, or while the picture is held.

import { fittedSize } from "./fitted_size.js";

// Milliseconds after which a picture is held, and pixels of a movement that is not a hold.
const held = 400;
const tremor = 8;

export class LivePhoto {
  #video;
  #timer;
  #start;

  constructor() {
    document.addEventListener("click", event => {
      if (event.target.closest("#live") && !this.stop()) this.#play();
    });
    document.addEventListener("pointerdown", event => this.#down(event));
    document.addEventListener("pointermove", event => {
      const start = this.#start;
      if (start && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > tremor) this.#release();
    });
    for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => this.#release());
    document.addEventListener("contextmenu", event => {
      if (this.#start?.isHeld && this.#start.pointerType !== "mouse") event.preventDefault();
    });
    document.addEventListener("ended", event => {
      if (event.target === this.#video) this.stop();
    }, true);
  }

  get #button() {
    return document.querySelector("#live");
  }

  /** Removes the video. Returns whether there was one. */
  stop() {
    const isPlaying = this.#video?.isConnected ?? false;
    this.#video?.remove();
    this.#video = undefined;
    if (isPlaying) this.#button.setAttribute("aria-pressed", false);
    return isPlaying;
  }

  #down(event) {
    this.#release();
    if (!this.#button || !event.isPrimary || event.button !== 0) return;
    if (!event.target.matches(".stage:not(.zoomed) > img")) return;
    const start = (this.#start = { clientX: event.clientX, clientY: event.clientY, pointerType: event.pointerType });
    this.#timer = setTimeout(() => {
      start.isHeld = true;
      this.stop();
      this.#play();
    }, held);
  }

  #release() {
    clearTimeout(this.#timer);
    if (this.#start?.isHeld) this.stop();
    this.#start = undefined;
  }

  async #play() {
    const [button, picture] = [this.#button, document.querySelector(".stage > img")];
    if (!button || !picture) return;
    const video = document.createElement("video");
    Object.assign(video, { className: "live", playsInline: true, src: button.dataset.video });
    video.setAttribute("aria-label", picture.alt);
    if (!picture.hidden) {
      [video.style.inlineSize, video.style.blockSize] = fittedSize(picture).map(length => `${length}px`);
    }
    picture.after(video);
    this.#video = video;
    button.setAttribute("aria-pressed", true);
    try {
      await video.play();
    } catch (error) {
      // Before the first click, a browser plays no sound.
      if (error.name !== "NotAllowedError") return;
      video.muted = true;
      video.play().catch(() => {});
    }
  }
}
