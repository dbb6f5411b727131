// Reading without a connection: starts the worker that keeps what was seen, and tells what a page can do without it.
import "./framed_page.js";

const worker = "/library/service_worker.js";
const scope = "/library";
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
  #isOffline = false;
  #timer;

  constructor() {
    if (!this.#bar) return;
    addEventListener("offline", () => this.#show(true));
    addEventListener("online", () => this.#retry());
    for (const name of ["submit", "click", "drop"]) {
      document.addEventListener(name, event => this.#hold(event), true);
    }
    if (this.#isKept || !navigator.onLine) this.#show(true);
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
      for (const name of await caches.keys()) await caches.delete(name);
    }
    if (mode !== "on" && !(mode === "app" && isApp)) return;
    await navigator.serviceWorker.register(worker, { scope, updateViaCache: "none" });
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise(resolve => {
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      });
    }
    const given = await caches.open(consent);
    // Marks the consent as that of the app.
    if (mode === "app") await given.put(scope, new Response());
    else await given.delete(scope);
    if ((await caches.keys()).some(name => name.startsWith("pages:"))) return;
    // The worker has not seen this page.
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
    this.#isOffline = isOffline;
    this.#bar.hidden = !isOffline;
    this.#bar.firstElementChild.textContent = this.#bar.dataset[text];
    clearTimeout(this.#timer);
    if (isOffline) this.#timer = setTimeout(() => this.#retry(), pause);
  }

  /** Asks the server. A kept page is replaced by the current one. */
  async #retry() {
    clearTimeout(this.#timer);
    try {
      const response = await fetch("/manifest.webmanifest", { cache: "no-store" });
      if (!response.ok) throw new Error(response.status);
      if (this.#isKept) return location.reload();
      this.#show(false);
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
    if (!this.#needsServer(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#show(true, "needs");
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
