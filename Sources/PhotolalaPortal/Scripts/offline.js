// Reading without a connection: starts the worker that keeps what was seen, and tells what a page can do without it.
import "./framed_page.js";
import { changeOf } from "./offline_acts.js";
import { OfflineEdits } from "./offline_edits.js";

const worker = "/library/service_worker.js";
const scope = "/library";
// Says that account pages need a connection.
const accountWorker = "/account/service_worker.js";
const accountScope = "/account";
const message = "/library/offline";
const albums = "/library/albums";
// The worker keeps nothing without this cache.
const consent = "reading";
// Milliseconds between attempts to reach the server.
const pause = 10_000;
// What is shown without the server if it was kept.
const readable = ["/library", "/library/favorites", "/library/albums", "/library/photo", "/library/archive",
  "/library/places"];

class Offline {
  #bar = document.querySelector("#offline");
  #isKept = "kept" in document.documentElement.dataset;
  /** The account page that this page replaces, if it does. */
  #account = location.pathname === message && location.hash.startsWith(`#${accountScope}`) && location.hash.slice(1);
  #isOffline = false;
  /** What the page says while it is offline: the name of a text. */
  #text;
  #timer;
  /** The changes that are sent later, where the browser can keep them. */
  #edits;

  constructor() {
    if (!this.#bar) return;
    if (this.#account && !this.#isKept) return location.replace(this.#account);
    if (this.#bar.dataset.account && navigator.locks && window.caches) {
      this.#edits = new OfflineEdits(this.#bar.dataset, () => this.#tell());
      this.#bar.querySelector("#offline-discard").addEventListener("click", () => this.#edits.discard());
      this.#bar.querySelector(".tool").addEventListener("click", () => this.#edits.dismiss());
    }
    addEventListener("offline", () => this.#show(true));
    addEventListener("online", () => this.#retry());
    for (const name of ["submit", "click", "drop"]) {
      document.addEventListener(name, event => this.#hold(event), true);
    }
    // After the form's own scripts, which complete it.
    document.addEventListener("submit", event => this.#keep(event));
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
    [this.#isOffline, this.#text] = [isOffline, text];
    this.#tell();
    clearTimeout(this.#timer);
    if (isOffline) this.#timer = setTimeout(() => this.#retry(), pause);
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
    if (this.#bar.firstElementChild.textContent !== text) this.#bar.firstElementChild.textContent = text;
    if (!this.#edits) return;
    this.#bar.querySelector("#offline-discard").hidden = !isWaiting;
    this.#bar.querySelector(".tool").hidden = notice.length === 0;
  }

  /** Asks the server. A kept page is replaced by the current one. */
  async #retry() {
    clearTimeout(this.#timer);
    try {
      const response = await fetch("/manifest.webmanifest", { cache: "no-store" });
      if (!response.ok) throw new Error(response.status);
      if (this.#account) return location.replace(this.#account);
      await this.#edits?.send();
      if (this.#isKept) {
        this.#edits?.leave();
        return location.reload();
      }
      this.#show(!navigator.onLine);
    } catch {
      if (this.#isOffline) this.#timer = setTimeout(() => this.#retry(), pause);
    }
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
  }

  /** Keeps a change without a connection. While others wait, it is sent after them. */
  async #keep(event) {
    if (!this.#edits || event.defaultPrevented || !(this.#isOffline || this.#edits.count > 0)) return;
    const change = changeOf(event);
    if (!change || (change.album === null && !this.#isOffline)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const isKept = await this.#edits.add(change).catch(() => false);
    if (isKept === null) return;
    if (isKept) event.target.querySelector("#clear")?.click();
    if (this.#isOffline) this.#show(true, isKept ? undefined : "needs");
    else if (isKept) this.#edits.send();
    else this.#submit(event);
  }

  /** Submits a form whose change cannot be kept, without the scripts that have completed it. */
  #submit({ target: form, submitter }) {
    const { name, value } = submitter ?? {};
    if (name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    if (submitter?.hasAttribute("formaction")) form.setAttribute("action", submitter.getAttribute("formaction"));
    form.submit();
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

new Offline();
