// Notices that the session of this page has ended or that another account has signed in, in this tab or elsewhere, and
// hides what the page shows of its account.
import { isFramed } from "./framed_page.js";
import { accountOf } from "./page_account.js";

const path = "/library/session";
// Milliseconds that the server has for an answer.
const patience = 10_000;
const account = accountOf();

class SessionCheck {
  #channel = new BroadcastChannel("session");
  /** The check that is under way, and the one that follows it. */
  #running = Promise.resolve();
  #next;
  /** Whether the person signed out in another tab, which keeps nothing for the next sign-in. */
  #isSignedOut = false;
  /** Whether the browser kept the page for its back button: the person may have signed out in this tab since. */
  #isRestored = false;
  /** Whether the page is hidden and stays, because it uploads. */
  #isCovered = false;

  constructor() {
    this.#channel.addEventListener("message", ({ data }) => this.#hear(data));
    addEventListener("submit", event => {
      // Also everywhere.
      if (!event.target.getAttribute("action")?.startsWith("/account/sign-out")) return;
      // The server has answered when the next page replaces this one.
      addEventListener("pagehide", () => this.#announceEnd(), { once: true });
    });
    for (const name of ["visibilitychange", "focus", "online"]) {
      addEventListener(name, () => document.visibilityState === "visible" && this.#check());
    }
    document.addEventListener("signed-out", () => this.#check());
    // A page that the browser kept for its back button ran no script since.
    addEventListener("pageshow", ({ persisted }) => persisted && this.#checkHidden());
    if (!("kept" in document.documentElement.dataset)) this.#channel.postMessage({ account });
  }

  #announceEnd() {
    forget();
    this.#channel.postMessage({ account: null });
  }

  #hear(data) {
    if (data.account === account && !this.#isCovered) return;
    if (data.account === null) this.#isSignedOut = true;
    this.#check();
  }

  /** Asks the server after the question that is under way, which it may have answered before the session ended. */
  #check() {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return (this.#running = this.#ask());
    });
    return this.#next;
  }

  async #ask() {
    const current = await currentAccount();
    if (current === account) this.#show();
    else if (current !== undefined) this.#leave(current);
    // The other tab that signed out has had an answer. Another page could not be loaded.
    else if (this.#isSignedOut) this.#cover();
    return current;
  }

  async #checkHidden() {
    this.#isRestored = true;
    hide(true);
    // The service worker has what may be shown without the server.
    if ((await this.#check()) === undefined) location.reload();
  }

  #show() {
    const wasCovered = this.#isCovered;
    [this.#isCovered, this.#isSignedOut, this.#isRestored] = [false, false, false];
    hide(false);
    const message = document.querySelector("#signed-out");
    if (message) message.hidden = true;
    if (wasCovered) document.dispatchEvent(new Event("returned"));
  }

  #cover() {
    hide(true);
    const message = document.querySelector("#signed-out");
    if (message) message.hidden = false;
  }

  /** Leaves for the sign-in, or for the photos of another account. A page that uploads stays without what it shows. */
  #leave(current) {
    hide(true);
    for (const video of document.querySelectorAll("video")) video.pause();
    if (this.#isCovered) return;
    this.#isCovered = !document.dispatchEvent(new Event("leaving", { cancelable: true }));
    if (this.#isCovered) {
      if (current === null) announceEnding(false);
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
      return this.#cover();
    }
    if (this.#isSignedOut || current !== null) forget();
    // The selection is there again after signing in.
    else document.dispatchEvent(new Event("reloading"));
    // What was typed is bound to the account.
    if (current === null && !this.#isRestored) announceEnding(true);
    const here = encodeURIComponent(location.pathname + location.search);
    location.replace(current === null ? `/sign-in?to=${here}` : "/library");
  }
}

/** Returns the account of this browser's session, `null` without one, and `undefined` if the server does not say. */
async function currentAccount() {
  try {
    const response = await fetch(path, {
      headers: { accept: "application/json" }, cache: "no-store", signal: AbortSignal.timeout(patience),
    });
    if (response.status === 401) return null;
    return response.ok ? (await response.json()).account : undefined;
  } catch {
    return undefined;
  }
}

/** Lets the page keep what was typed until its account has signed in again. */
function announceEnding(isLeaving) {
  document.dispatchEvent(new CustomEvent("ending", { detail: { isLeaving } }));
}

function hide(isHidden) {
  document.documentElement.classList.toggle("ended", isHidden);
}

/** Removes what this tab remembers of the account. */
function forget() {
  try {
    sessionStorage.clear();
  } catch {
    // Without storage nothing is remembered.
  }
}

// In a frame, the page around it checks.
if (account && !isFramed) new SessionCheck();
