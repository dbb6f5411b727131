// Reading without a connection: starts the worker that keeps what was seen, and tells what a page can do without it.
import { follow } from "./framed_page.js";
import { changeOf } from "./offline_acts.js";
import { OfflineEdits } from "./offline_edits.js";
import { showCurrent } from "./offline_refresh.js";
import "./session_check.js";

const worker = "/library/service_worker.js";
const scope = "/library";
// Says that account pages need a connection.
const accountWorker = "/account/service_worker.js";
const accountScope = "/account";
const message = "/library/offline";
const albums = "/library/albums";
// The worker keeps nothing without this cache.
const consent = "reading";
// Milliseconds between attempts to reach the server: the first pause, and the longest after twice the one before each time.
const firstPause = 1000;
const longestPause = 10_000;
// Milliseconds that the server has for an answer.
const patience = 10_000;
// How often the page tries to show its current state: without a session it cannot.
const attempts = 6;
// What is shown without the server if it was kept.
const readable = ["/library", "/library/favorites", "/library/albums", "/library/photo", "/library/archive",
  "/library/places"];

class Offline {
  #bar = document.querySelector("#offline");
  #isKept = "kept" in document.documentElement.dataset;
  /** The account page that this page replaces, if it does. */
  #account = location.pathname === message && location.hash.startsWith(`#${accountScope}`) && location.hash.slice(1);
  #isOffline = false;
  /** How often the page still tries to show its current state, after a change without an answer. */
  #outdated = 0;
  /** What the page says while it is offline: the name of a text. */
  #text;
  #timer;
  #pause = firstPause;
  /** The changes that are sent later, where the browser can keep them. */
  #edits;
  /** Whether a form is sent by the browser. */
  #isPassing = false;
  /** Shows the current state of the page, and returns whether it did. The grid has one of its own. */
  refresh = showCurrent;
  /** Opens the page that follows a form. The library has one of its own. */
  follow = follow;

  constructor() {
    if (!this.#bar) return;
    if (this.#account && !this.#isKept) return location.replace(this.#account);
    if (this.#bar.dataset.account && navigator.locks && window.caches) {
      // The current page replaces one that was kept.
      this.#edits = new OfflineEdits(this.#bar.dataset, () => this.#tell(), async () => this.#isKept || this.refresh());
      this.#bar.querySelector("#offline-discard").addEventListener("click", () => this.#edits.discard());
      this.#bar.querySelector(".tool").addEventListener("click", () => this.#edits.dismiss());
    }
    const more = this.#bar.querySelector("#offline-more");
    more?.addEventListener("click", () => {
      more.setAttribute("aria-expanded", more.getAttribute("aria-expanded") !== "true");
    });
    addEventListener("offline", () => this.#show(true));
    addEventListener("online", () => this.#retry());
    for (const name of ["submit", "click", "drop"]) {
      document.addEventListener(name, event => this.#hold(event), true);
    }
    // After the form's own scripts, which complete it.
    document.addEventListener("submit", event => this.#keep(event));
    // A script of the page got no answer from the server.
    document.addEventListener("unreachable", event => {
      event.preventDefault();
      const { isLate, isChange } = event.detail ?? {};
      if (isChange) this.#outdated = attempts;
      this.#show(true, isLate ? "late" : undefined);
    });
    if (this.#isKept || !navigator.onLine) this.#show(true);
    else this.#edits?.send();
    this.#offer().catch(() => {});
    if (this.#bar.dataset.mode) this.#start(this.#bar.dataset.mode).catch(() => {});
  }

  /** Starts or ends the worker as the person chose: in the installed app it is on by default. */
  async #start(mode) {
    if (!navigator.serviceWorker || this.#isKept) return;
    const isApp = matchMedia("(display-mode: standalone)").matches || navigator.standalone === true;
    // What a tab began ends with its choice, even if the cookie was lost. What the installed app keeps stays.
    const wasTab = (await caches.has(consent)) && !(await (await caches.open(consent)).match(scope));
    if (mode === "off" || (mode === "app" && !isApp && wasTab)) {
      for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
      // Without the consent no page keeps more.
      await caches.delete(consent);
      for (const name of await caches.keys()) await caches.delete(name);
    }
    if (mode !== "on" && !(mode === "app" && isApp)) return;
    await navigator.serviceWorker.register(worker, { scope, updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise(resolve => {
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
        active.postMessage("control");
      });
    }
    const given = await caches.open(consent);
    // Marks the consent as that of the app.
    if (mode === "app") await given.put(scope, new Response());
    else await given.delete(scope);
    await navigator.serviceWorker.register(accountWorker, { scope: accountScope, updateViaCache: "none" });
    if (!(await caches.keys()).some(name => name.startsWith("pages:"))) await this.#readAgain();
    // Without a connection an album is chosen by its name.
    if (this.#edits && !(await caches.match(`${location.origin}${albums}?`))) {
      await fetch(albums, { headers: { accept: "text/html" } });
    }
    await this.#edits?.update();
  }

  /** Requests the page and its pictures again: the worker has not seen them. */
  async #readAgain() {
    await fetch(location.href, { headers: { accept: "text/html" } });
    for (const image of document.querySelectorAll("main img")) {
      if (image.naturalWidth > 0) fetch(image.currentSrc, { mode: "no-cors" }).catch(() => {});
    }
  }

  /** Offers the kept pages in place of one that is not. */
  async #offer() {
    const list = document.querySelector("#kept");
    if (!list) return;
    for (const link of list.querySelectorAll("a")) {
      // The worker keeps pages without parameters under an address with an empty query.
      if (await caches.match(`${link.href}?`)) list.hidden = false;
      else link.parentElement.remove();
    }
  }

  #show(isOffline, text = this.#isKept ? "text" : "title") {
    if (!this.#isOffline) this.#pause = firstPause;
    [this.#isOffline, this.#text] = [isOffline, text];
    this.#tell();
    if (isOffline) this.#retryLater();
    else clearTimeout(this.#timer);
  }

  #retryLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retry(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, longestPause);
  }

  /** Shows whether the page is offline, the changes that wait for a connection, and what was sent. */
  #tell() {
    const { count = 0, hasFailed, notice = [] } = this.#edits ?? {};
    const isWaiting = count > 0 && (this.#isOffline || hasFailed);
    const lines = this.#isOffline ? [this.#bar.dataset[this.#text]] : [];
    if (isWaiting) lines.push(this.#bar.dataset.waiting.replace("{count}", count));
    lines.push(...notice);
    this.#bar.hidden = lines.length === 0;
    const text = lines.join(" · ");
    // What is behind a dialog is neither seen nor read.
    const places = [this.#bar.firstElementChild, ...document.querySelectorAll("dialog[open] > #question-offline")];
    for (const place of places) if (place.textContent !== text) place.textContent = text;
    if (!this.#edits) return;
    this.#bar.querySelector("#offline-discard").hidden = !isWaiting;
    this.#bar.querySelector(".tool").hidden = notice.length === 0;
  }

  /** Asks the server. A kept page is replaced by the current one. */
  async #retry() {
    clearTimeout(this.#timer);
    try {
      await this.#reach();
      if (this.#account) return location.replace(this.#account);
      await this.#edits?.send();
      if (this.#outdated > 0 && !this.#isKept) await this.#update();
      if (this.#isKept) {
        // The person is choosing an album.
        if (document.querySelector("dialog[open]")) return this.#show(true);
        this.#edits?.leave();
        document.dispatchEvent(new Event("reloading"));
        return location.reload();
      }
      this.#show(!navigator.onLine);
    } catch {
      if (this.#isOffline) this.#retryLater();
    }
  }

  /** Shows what the server has made of a change without an answer. Throws if that is to be tried again. */
  async #update() {
    this.#outdated -= 1;
    if ((await this.refresh()) !== false) this.#outdated = 0;
    else if (this.#outdated > 0) throw new Error("outdated");
  }

  /** Throws if the server does not answer. */
  async #reach() {
    const response = await fetch("/manifest.webmanifest", { cache: "no-store", signal: AbortSignal.timeout(patience) });
    if (!response.ok) throw new Error(response.status);
  }

  /** Holds an act that needs the server, and says so. */
  #hold(event) {
    if (!this.#isOffline) return;
    if (this.#isKept && event.type === "click" && event.target.closest("a.brand")) {
      event.preventDefault();
      return location.assign(scope);
    }
    if (this.#edits && event.type === "submit" && changeOf(event)) return;
    if (!this.#needsServer(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#show(true, "needs");
    // The person tries again because the server may answer now.
    this.#retry();
  }

  /** Keeps a change until the server has answered. While others wait, it is sent after them. */
  async #keep(event) {
    if (!this.#edits || this.#isPassing || event.defaultPrevented) return;
    if (!this.#isOffline && !this.#edits.isKeeping) return;
    const change = changeOf(event);
    // The server is asked for the albums: without its answer the form is submitted again.
    if (!change || (change.album === null && !this.#isOffline)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { target: form, submitter } = event;
    const path = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    const fields = new URLSearchParams(new FormData(form, submitter));
    const kept = await this.#edits.add(change).catch(() => null);
    if (kept === undefined) return;
    if (this.#isOffline) this.#show(true, kept ? undefined : "needs");
    else if (!kept) return this.#pass(form, submitter);
    else {
      const isAlone = this.#edits.count === kept.length;
      const outcome = isAlone ? await this.#edits.sendForm(kept, path, fields) : "later";
      if (outcome === "refused") return this.#pass(form, submitter);
      // The page of a photo shows its favorite in place.
      if (outcome.startsWith("/")) return submitter?.id === "favorite" ? undefined : this.follow(outcome);
      if (outcome === "later") this.#edits.send();
      else this.#show(true);
    }
    if (kept) this.#close(form);
  }

  /** Ends what a form was for: a selection, a notice, or a question. */
  #close(form) {
    form.querySelector("#clear")?.click();
    form.closest(".toast")?.remove();
    const dialog = form.closest("dialog");
    if (dialog) {
      dialog.close();
      document.querySelector("#clear:not([hidden])")?.click();
    }
    const question = document.querySelector("main :is(#cancel, #leave)");
    if (question) follow(question.href);
  }

  /** Leaves a form to the browser and to the scripts of the page. */
  #pass(form, submitter) {
    this.#isPassing = true;
    form.requestSubmit(submitter);
    this.#isPassing = false;
  }

  #needsServer({ type, target }) {
    if (type === "drop") return true;
    if (type === "submit") return target.method !== "get";
    const upload = target.closest("#files, #folder, label[for='files'], label[for='folder'], button#download, #download-all");
    const link = target.closest("a[href]");
    if (upload || !link || link.target || link.origin !== location.origin) return Boolean(upload);
    return !readable.includes(link.pathname) && !link.hash;
  }
}

export const offline = new Offline();
