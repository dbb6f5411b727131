// The page of a single photo: its neighbours without leaving the page, zoom, swiping, the slideshow, and the keys.

import { fittedSize } from "./fitted_size.js";
import { InfoDrawer } from "./info_drawer.js";
import { LivePhoto } from "./live_photo.js";
import { requestPatiently } from "./patient_request.js";
import { remember } from "./undo.js";
import { unplayableNotice } from "./unplayable.js";
import { offerPlay, play, wasOpened } from "./video_start.js";

// The largest zoom, and that from which the original replaces the preview.
const largest = 8;
const sharp = 1.5;
// Pixels of a swipe, and of a movement that is not a click.
const swipe = 60;
const tremor = 8;
// Milliseconds of each photo in a slideshow; a video plays to its end.
const pace = 4000;
// Milliseconds without a movement until a slideshow shows the photo alone.
const rest = 3000;
// Milliseconds that the undo of a move to the trash or the archive is offered, and that the server has for an answer.
const shown = 60_000;
const patience = 30_000;

export class Viewer {
  #zoom = { scale: 1, x: 0, y: 0 };
  /** The positions of the fingers on the picture, by pointer. */
  #fingers = new Map();
  #start;
  #turning = false;
  /** The buttons of forms that are being sent. */
  #sending = new WeakSet();
  #isPlaying = false;
  /** The next turn of the slideshow. */
  #timer;
  /** The next time that it hides its controls. */
  #resting;
  #live = new LivePhoto();
  /** Pictures of the neighbours, which the browser keeps while they are referenced. */
  #preloaded = [];

  constructor() {
    document.documentElement.classList.add("script");
    addEventListener("keydown", event => this.#press(event));
    document.addEventListener("click", event => this.#click(event));
    for (const [name, act] of [["pointerdown", this.#down], ["pointermove", this.#move], ["pointerup", this.#up],
      ["pointercancel", this.#up]]) {
      document.addEventListener(name, event => act.call(this, event));
    }
    for (const name of ["pointermove", "keydown", "focusin"]) addEventListener(name, () => this.#wake());
    document.addEventListener("wheel", event => this.#wheel(event), { passive: false });
    document.addEventListener("dblclick", event => {
      if (event.target === this.#picture) this.#zoomTo(this.#zoom.scale > 1 ? 1 : 2.5, event);
    });
    document.addEventListener("dragstart", event => {
      if (event.target === this.#picture) event.preventDefault();
    });
    document.addEventListener("submit", event => this.#submit(event));
    document.addEventListener("error", event => this.#recover(event.target), true);
    document.addEventListener("loadedmetadata", event => this.#replace(event.target), true);
    document.addEventListener("ended", event => {
      if (this.#isPlaying && event.target === this.#film) this.#turn("next");
    }, true);
    // Leaving the full screen ends the slideshow.
    document.addEventListener("fullscreenchange", () => {
      if (!document.fullscreenElement && this.#isPlaying) this.#play(false);
    });
    new InfoDrawer();
    this.#show();
    if (this.#film && wasOpened()) play(this.#film);
    else if (location.hash === "#slideshow") this.#startSlideshow();
    // Pictures and a video may have failed before this script ran.
    for (const image of document.images) if (image.complete && !image.naturalWidth) this.#recover(image);
    if (this.#film?.error) this.#recover(this.#film);
    else if (this.#film?.readyState > 0) this.#replace(this.#film);
  }

  get #picture() {
    return document.querySelector("img.large");
  }

  /** The video that the page is for. */
  get #film() {
    return document.querySelector(".stage > video:not(.live)");
  }

  #link(way) {
    return document.querySelector(`.viewer a[rel="${way}"]`);
  }

  /** Prepares the photo that the page shows, and loads the pictures beside it. */
  #show() {
    this.#zoom = { scale: 1, x: 0, y: 0 };
    this.#fingers.clear();
    document.querySelector("#slideshow").hidden = !this.#link("next");
    const live = document.querySelector("#live");
    if (live) live.hidden = false;
    offerPlay(this.#film);
    this.#preloaded = ["next", "prev"].map(way => this.#link(way)?.dataset.picture).filter(Boolean)
      .map(src => Object.assign(new Image(), { src }));
  }

  /** Shows a neighbour in place of this photo. The back button leads to the grid. */
  async #turn(way) {
    const link = this.#link(way);
    if (link) await this.#load(link.href);
  }

  /** Shows the page of a photo in place of this one. */
  async #load(address) {
    if (this.#turning) return;
    this.#turning = true;
    try {
      const response = await requestPatiently(address);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const main = page.querySelector("main.viewer");
      // Without a session, or if the photo is gone, the browser shows the page that says so.
      if (!response.ok || !main) return location.assign(address);
      this.#put(main, page.title, address);
      if (this.#isPlaying) this.#play(true);
    } catch {
      location.assign(address);
    } finally {
      this.#turning = false;
    }
  }

  /** Shows another state of the page of this photo. Returns whether that is what the page shows. */
  show(page, url) {
    const main = page.querySelector("main.viewer");
    if (!main || url.searchParams.get("id") !== new URLSearchParams(location.search).get("id")) return false;
    this.#put(main, page.title, location.href);
    return true;
  }

  /** Shows the page of a photo. Keeps the information open, and the focus. */
  #put(main, title, address) {
    const isOpen = this.#isOpen;
    const focused = document.activeElement?.getAttribute("rel") ?? document.activeElement?.id;
    document.querySelector("main").replaceWith(main);
    document.title = title;
    history.replaceState(history.state, "", address);
    if (isOpen) document.querySelector("#info").showPopover();
    if (focused) (this.#link(focused) ?? document.getElementById(focused))?.focus();
    this.#show();
  }

  get #isOpen() {
    return document.querySelector("#info").matches(":popover-open");
  }

  #press(event) {
    if (event.target.closest("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const isPlaying = this.#isPlaying;
    // While the next photo loads, an act would change the one before it.
    if (this.#turning && !event.key.startsWith("Arrow") && event.key !== "Escape") return;
    if (isPlaying && event.key !== "ArrowRight") this.#play(false);
    // A video has keys of its own.
    if (event.target.closest("video") && !["Escape", "f", "i"].includes(event.key)) return;
    switch (event.key) {
      case "ArrowLeft": return this.#turn("prev");
      case "ArrowRight": return this.#turn("next");
      case "Escape":
        if (isPlaying || this.#live.stop()) return;
        if (this.#isOpen) return document.querySelector("#info").hidePopover();
        if (this.#zoom.scale > 1) return this.#zoomTo(1);
        return document.querySelector("#back").click();
      case "+": return this.#zoomTo(this.#zoom.scale * 1.5);
      case "-": return this.#zoomTo(this.#zoom.scale / 1.5);
      case "f": return document.querySelector("#favorite")?.click();
      case "a": return document.querySelector("#archive-toggle")?.click();
      case "d": return document.querySelector("#download")?.click();
      // The first button of the trash restores.
      case "Delete": case "#": return document.querySelector("#single[data-undo] button, #single [formaction]")?.click();
      case "i": case "?": return document.querySelector("#info").togglePopover();
      case "s": if (!isPlaying) this.#play(true);
    }
  }

  /** Changes the favorite, or moves the photo to the trash or the archive and shows the next, without another page. */
  async #submit(event) {
    const { target: form, submitter } = event;
    const isFavorite = submitter?.id === "favorite";
    const isTrash = form.id === "single" && form.dataset.undo && !submitter?.hasAttribute("formaction");
    const isArchive = form.id === "archiving";
    if (form.id === "single" && !isTrash) remember(event, [form.dataset.photo]);
    if (!isFavorite && !isTrash && !isArchive) return;
    event.preventDefault();
    // The wait after a refusal is long enough for another press.
    if (this.#sending.has(submitter)) return;
    this.#sending.add(submitter);
    const undone = location.href;
    const isSent = await this.#send(form, submitter);
    this.#sending.delete(submitter);
    if (!isSent) return;
    if (isFavorite) {
      const isOn = submitter.value === "1";
      submitter.value = isOn ? "0" : "1";
      return submitter.setAttribute("aria-pressed", isOn);
    }
    const undo = { form_token: form.elements.form_token.value, [form.dataset.photo]: "1" };
    if (isArchive) undo.archived = submitter.value === "1" ? "0" : "1";
    // The person has turned to another photo during that.
    if (location.href !== undone) return this.#offer(form, undone, undo);
    // An album or a search still has the archived photo.
    if (isArchive && !form.dataset.leaves) {
      await this.#load(undone);
      return this.#offer(form, undone, undo);
    }
    const way = ["next", "prev"].find(way => this.#link(way));
    if (!way) return location.assign(document.querySelector("#back").href);
    await this.#turn(way);
    this.#offer(form, undone, undo);
  }

  /**
   * Sends a form, and again after a refusal because of too many requests. Returns whether it led to a page of the library,
   * which itself may be refused. Otherwise the page says that there is no connection, or the browser sends the form:
   * without a session it leads elsewhere.
   */
  async #send(form, submitter) {
    const body = new URLSearchParams(new FormData(form, submitter));
    // What the refused page follows was done.
    const isDone = ({ redirected, status, ok, url }) =>
      new URL(url).pathname.startsWith("/library") && (ok || (redirected && status === 429));
    const options = () => ({ method: "POST", body, signal: AbortSignal.timeout(patience) });
    const response = await requestPatiently(form.action, options, each => !isDone(each)).catch(() => null);
    if (response && isDone(response)) return true;
    const isTold = !response && !document.dispatchEvent(new Event("unreachable", { cancelable: true }));
    // Without a connection the page keeps the change, or says that it needs one.
    if (isTold) form.requestSubmit(submitter);
    else {
      const { name, value } = submitter ?? {};
      if (name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
      form.submit();
    }
    return false;
  }

  /** Shows that a photo was moved to the trash or the archive, with a form of the data which undoes it. */
  #offer(form, page, data) {
    document.querySelector(".toast")?.remove();
    const toast = Object.assign(document.createElement("div"), { className: "toast" });
    const text = Object.assign(document.createElement("p"), { textContent: form.dataset.done });
    text.setAttribute("role", "status");
    const undo = Object.assign(document.createElement("form"), { method: "post", action: form.dataset.undo });
    for (const [name, value] of Object.entries(data)) {
      undo.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    undo.append(Object.assign(document.createElement("button"), { className: "quiet", textContent: form.dataset.undoTitle }));
    undo.addEventListener("submit", async event => {
      event.preventDefault();
      if (await this.#send(undo)) await this.#load(page);
    });
    toast.append(text, undo);
    document.querySelector("main").append(toast);
    // Above the information, which covers the bottom of phones.
    toast.popover = "manual";
    toast.showPopover?.();
    setTimeout(() => toast.remove(), shown);
  }

  #click(event) {
    const link = event.target.closest(".viewer a.turn");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.#turn(link.rel);
    } else if (event.target.closest("#slideshow")) {
      this.#play(!this.#isPlaying);
    } else if (event.target.closest("#play, .stage > video:not(.live, [controls])")) {
      play(this.#film);
    }
  }

  /** Starts the slideshow for which another page has led to this photo, once. */
  #startSlideshow() {
    history.replaceState(history.state, "", location.pathname + location.search);
    this.#play(true);
  }

  /** Starts or stops the slideshow, which ends at the last photo. */
  #play(isOn) {
    clearTimeout(this.#timer);
    const wasPlaying = this.#isPlaying;
    this.#isPlaying = isOn && Boolean(this.#link("next"));
    // Not each browser has it for pages, and none without a click or a key.
    const leave = () => {
      if (!this.#isPlaying && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    };
    if (this.#isPlaying && !wasPlaying) document.documentElement.requestFullscreen?.().then(leave, () => {});
    leave();
    document.querySelector("#slideshow").setAttribute("aria-pressed", this.#isPlaying);
    document.documentElement.classList.toggle("playing", this.#isPlaying);
    if (this.#isPlaying !== wasPlaying) this.#wake();
    if (!this.#isPlaying) return;
    const film = this.#film;
    const wait = () => (this.#timer = setTimeout(() => this.#turn("next"), pace));
    if (!film) return wait();
    // Browsers play sound only after a click.
    film.muted = true;
    film.play().catch(() => {
      if (this.#isPlaying && film.isConnected) wait();
    });
  }

  /** Shows the controls. During a slideshow they are hidden after a while. */
  #wake() {
    const { classList } = document.documentElement;
    classList.remove("resting");
    clearTimeout(this.#resting);
    if (this.#isPlaying) this.#resting = setTimeout(() => classList.add("resting"), rest);
  }

  /** Zooms to a factor. The point of the picture at an event's position keeps its place. */
  #zoomTo(scale, at) {
    const picture = this.#picture;
    if (!picture) return;
    const { left, top, width, height } = picture.parentElement.getBoundingClientRect();
    const [x, y] = at ? [at.clientX - left - width / 2, at.clientY - top - height / 2] : [0, 0];
    const before = this.#zoom;
    scale = Math.min(Math.max(scale, 1), largest);
    const factor = scale / before.scale;
    this.#place({ scale, x: x - (x - before.x) * factor, y: y - (y - before.y) * factor });
    if (scale >= sharp && picture.dataset.original) {
      const original = new Image();
      original.onload = () => (picture.src = original.src);
      original.src = picture.dataset.original;
      delete picture.dataset.original;
    }
  }

  /** Moves the picture within the edges of the stage. */
  #place({ scale, x, y }) {
    const picture = this.#picture;
    const stage = picture.parentElement;
    const limit = (size, room) => Math.max(0, (size * scale - room) / 2);
    const [width, height] = fittedSize(picture);
    const [across, down] = [limit(width, stage.clientWidth), limit(height, stage.clientHeight)];
    this.#zoom = {
      scale, x: scale === 1 ? 0 : Math.min(Math.max(x, -across), across),
      y: scale === 1 ? 0 : Math.min(Math.max(y, -down), down),
    };
    const zoom = this.#zoom;
    picture.style.transform = zoom.scale === 1 ? "" : `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
    stage.classList.toggle("zoomed", zoom.scale > 1);
  }

  #wheel(event) {
    if (!event.target.closest(".stage") || !this.#picture) return;
    event.preventDefault();
    this.#zoomTo(this.#zoom.scale * Math.exp(-event.deltaY / 300), event);
  }

  #down(event) {
    if (!event.target.closest(".stage") || event.target.closest("a, video[controls], form")) return;
    if (this.#isPlaying) this.#play(false);
    this.#fingers.set(event.pointerId, event);
    this.#start = { ...this.#zoom, clientX: event.clientX, clientY: event.clientY, spread: this.#spread() };
  }

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, event);
    const start = this.#start;
    if (this.#fingers.size === 2 && this.#picture) {
      const [one, other] = [...this.#fingers.values()];
      const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 };
      return this.#zoomTo(start.scale * this.#spread() / start.spread, middle);
    }
    if (this.#zoom.scale > 1) {
      this.#place({
        scale: this.#zoom.scale, x: start.x + event.clientX - start.clientX, y: start.y + event.clientY - start.clientY,
      });
    }
  }

  #up(event) {
    if (!this.#fingers.delete(event.pointerId) || event.type === "pointercancel") return;
    const [across, down] = [event.clientX - this.#start.clientX, event.clientY - this.#start.clientY];
    const isTap = Math.hypot(across, down) < tremor;
    if (isTap || this.#zoom.scale > 1 || this.#fingers.size > 0 || event.pointerType === "mouse") return;
    if (Math.abs(across) > swipe && Math.abs(across) > Math.abs(down)) this.#turn(across < 0 ? "next" : "prev");
    else if (down > 2 * swipe) document.querySelector("#back").click();
  }

  /** Returns the distance of two fingers in pixels. */
  #spread() {
    const [one, other] = [...this.#fingers.values()];
    return other ? Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)) : 1;
  }

  /** Hides a picture that does not exist yet, and continues or replaces a video that failed. */
  #recover(media) {
    if (media.localName === "img") media.hidden = true;
    if (media.localName !== "video") return;
    if (media.currentTime === 0) return this.#replace(media);
    if (Date.now() - (media.failed ?? 0) < 60_000) return;
    // The signed URL of a long video expires after some minutes: the server redirects to a new one.
    media.failed = Date.now();
    const at = media.currentTime;
    media.load();
    media.currentTime = at;
    media.play().catch(() => {});
  }

  /** Replaces a video that the browser cannot play by its poster and a notice. */
  async #replace(video) {
    const notice = await unplayableNotice(video);
    if (!notice || !video.isConnected) return;
    if (video !== this.#film) {
      // The picture of a Live Photo remains.
      document.querySelector("#live").hidden = true;
      this.#live.stop();
      document.querySelector(".stage").append(notice);
      return;
    }
    const poster = video.poster && Object.assign(new Image(), {
      className: "large", src: video.poster, alt: video.getAttribute("aria-label"),
    });
    document.querySelector("#play").hidden = true;
    video.replaceWith(...[poster, notice].filter(Boolean));
    if (this.#isPlaying) this.#play(true);
  }
}
