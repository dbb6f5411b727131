// Pages of the library in a frame over this page, which uploads photos: a navigation would end the upload. Each page of
// the frame adds an entry to the tab's history; the address and the title follow it.
import { isForeign } from "./framed_page.js";
import { setHeight } from "./notice.js";
import { acceptFiles } from "./upload_inputs.js";

// Links and forms that show the library. The first address redirects to it.
const inside = /^\/($|appearance$|library(\/|$))/;
// Pages that need no frame, and that would end the upload here.
const beside = /^\/account(\/|$)/;
// Files, which the store sends.
const files = /^\/library\/(download|original)$/;

export class Browsing {
  #panel;
  #uploads;
  #frame = null;
  /** The document of the frame. */
  #page = null;
  /** What identifies the entries of the history with the frame of this page. */
  #id = performance.timeOrigin;
  /** The address, the title, the focus and the history's state of this page while it is covered. */
  #own;
  #titles = new MutationObserver(() => this.#follow());
  #notices = new MutationObserver(() => this.#giveWay());

  /**
   * @param {Element} panel What stays above the frame.
   * @param uploads Tells whether an upload `isOpen`, and has `take` for chosen files and `uncovered` for the end of the
   *   frame.
   */
  constructor(panel, uploads) {
    [this.#panel, this.#uploads] = [panel, uploads];
    this.#direct(document);
    addEventListener("popstate", ({ state }) => this.#goTo(state));
    addEventListener("beforeprint", () => this.#extend(true));
    addEventListener("afterprint", () => this.#extend(false));
  }

  /** Chooses where the links and forms of a page lead. */
  #direct(page) {
    page.addEventListener("click", event => {
      const link = event.target.closest?.("a[href]");
      const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      // Links in pictures have another kind of `href`.
      if (link && isPlain && !link.download && !event.defaultPrevented) {
        this.#aim(link, new URL(link.getAttribute("href"), page.baseURI));
      }
    });
    page.addEventListener("submit", event => {
      const path = event.submitter?.getAttribute("formaction") ?? event.target.getAttribute("action");
      if (!event.defaultPrevented) this.#aim(event.target, new URL(path ?? "", page.baseURI));
    });
  }

  /** Sets the target of a link or a form for the navigation that follows the event. */
  #aim(element, address) {
    const [url, page] = [new URL(address), element.ownerDocument];
    const isPart = url.hash && url.href.split("#")[0] === page.URL.split("#")[0];
    if (element.hasAttribute("target") || isPart) return;
    let target = "_top";
    if (this.#uploads.isOpen && url.origin === location.origin) {
      // A new tab closes when the browser saves its file. Forms of the account sign out here.
      if (files.test(url.pathname) || (element.href && beside.test(url.pathname))) target = "_blank";
      else if (inside.test(url.pathname)) target = this.#open();
    }
    // Forms have fields of that name.
    element.setAttribute("target", target);
    setTimeout(() => element.removeAttribute("target"));
  }

  /** Returns the name of the frame. */
  #open() {
    if (!this.#frame) {
      const [address, title, focused] = [location.href, document.title, document.activeElement];
      this.#own = { address, title, focused, state: history.state };
      history.pushState({ frame: this.#id }, "", address);
      this.#cover();
    }
    return this.#frame.name;
  }

  #cover(address) {
    this.#frame = Object.assign(document.createElement("iframe"), { name: "browsing", className: "browsing" });
    if (address) this.#frame.src = address;
    for (const name of ["ready", "load"]) this.#frame.addEventListener(name, () => this.#adopt());
    document.body.append(this.#frame);
    this.#isCovered = true;
  }

  /** Whether the frame covers this page, except for the panel. */
  set #isCovered(isCovered) {
    document.querySelector(":popover-open")?.hidePopover();
    document.documentElement.classList.toggle("covered", isCovered);
    for (const each of [...document.body.children, ...this.#panel.parentElement.children]) {
      if (!each.contains(this.#panel) && each !== this.#frame) each.inert = isCovered;
    }
  }

  /** Prepares the page of the frame when its scripts have run, or when it has loaded. */
  #adopt() {
    const page = this.#frame?.contentDocument;
    if (page?.URL === "about:blank") return;
    // A page that may not be framed, or no page without a connection.
    if (!page) return this.#give();
    if (page === this.#page) return this.#follow();
    this.#page = page;
    this.#direct(page);
    acceptFiles(page, chosen => this.#uploads.take(chosen, page.querySelector("#upload")?.dataset.album));
    // Menus and dialogs of the frame are below the panel.
    page.addEventListener("toggle", ({ target, newState }) => {
      if (target.popover || target.localName === "dialog") this.#panel.classList.toggle("behind", newState === "open");
    }, true);
    this.#titles.disconnect();
    this.#notices.disconnect();
    this.#notices.observe(page.querySelector("main") ?? page.body, { childList: true });
    this.#giveWay();
    // The person may have chosen another theme there.
    document.documentElement.dataset.theme = page.documentElement.dataset.theme ?? "";
    const title = page.querySelector("title");
    if (title) this.#titles.observe(title, { childList: true });
    this.#follow();
    this.#focus();
  }

  /** Moves the panel above a notice of the frame's page. */
  #giveWay() {
    const toast = this.#page.querySelector(".toast");
    this.#panel.classList.toggle("above", toast !== null);
    if (toast) setHeight(toast);
  }

  /** Moves the focus to the heading, unless the page has moved it or the person is using the panel. */
  #focus() {
    if (this.#page.activeElement !== this.#page.body || this.#panel.contains(document.activeElement)) return;
    const heading = this.#page.querySelector("h1");
    if (heading) heading.tabIndex = -1;
    this.#frame.focus();
    heading?.focus({ preventScroll: true });
  }

  /** Shows the title and the address of the frame's page; the address only if going back in the tab's history works. */
  #follow() {
    const { title, URL: address } = this.#page;
    document.title = this.#frame.title = title;
    // The page that asks for an album answers a form.
    const isAddress = this.#page.querySelector("script[src]") && !this.#page.querySelector("main #cancel");
    if (isAddress) history.replaceState({ frame: this.#id }, "", address);
  }

  #goTo(state) {
    if (!this.#frame && !this.#uploads.isOpen) {
      if (isForeign(state)) location.reload();
    } else if (state?.frame !== this.#id) {
      if (this.#frame) this.#leave();
    } else if (!this.#frame) {
      this.#cover(location.href);
    }
  }

  /** Shows this page again or, if another language was chosen, the page at its address in the frame. */
  #leave() {
    const language = this.#page?.documentElement.lang ?? document.documentElement.lang;
    if (language === document.documentElement.lang) return this.#uncover();
    history.replaceState({ frame: this.#id }, "", this.#own.address);
    this.#frame.contentWindow.location.replace(this.#own.address);
  }

  #give() {
    const { address, state } = this.#own;
    this.#uncover();
    history.replaceState(state, "", address);
  }

  #uncover() {
    this.#titles.disconnect();
    this.#notices.disconnect();
    this.#frame.remove();
    this.#panel.classList.remove("behind", "above");
    [this.#frame, this.#page] = [null, null];
    this.#isCovered = false;
    document.title = this.#own.title;
    this.#own.focused?.focus({ preventScroll: true });
    this.#uploads.uncovered();
  }

  /** Makes the frame as long as its page, or as high as the window. */
  #extend(isLong) {
    if (!this.#page) return;
    this.#frame.style.blockSize = isLong ? `${this.#page.documentElement.scrollHeight}px` : "";
  }
}
