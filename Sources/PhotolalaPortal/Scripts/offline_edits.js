// Changes of favorites and albums on a page without a connection: keeps them, shows them, and sends them later.
import { chooseAlbum, keptAlbums, mark } from "./offline_acts.js";
import { OfflineChanges } from "./offline_changes.js";
import { sendChanges } from "./offline_sending.js";

// What a page that is replaced by the current one has sent.
const storageKey = "offline-sent";
// Milliseconds after which changes that could not be sent are sent again, and for which their number is shown.
const pause = 60_000;
const shown = 10_000;

export class OfflineEdits {
  /** What was sent and what was refused, for the person. */
  notice = [];
  /** Whether the last attempt to send left changes. */
  hasFailed = false;
  #texts;
  #dialog = document.querySelector("#offline-albums");
  #changes;
  #known = [];
  #tell;
  #timer;
  #isMarking = false;

  /** The act is called after each change of what is to be shown. */
  constructor(texts, tell) {
    [this.#texts, this.#tell] = [texts, tell];
    this.#changes = new OfflineChanges(texts.account);
    this.#takeNotice();
    // Blocks of the grid and other photos load into the page.
    new MutationObserver(() => this.#mark()).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#read();
    });
    this.#read();
  }

  /** The number of changes that are not sent. */
  get count() {
    return this.#known.length;
  }

  /** Keeps a change, after the choice of an album if it has none. Returns whether it is kept; `null` if it is given up. */
  async add(change) {
    if (change.album === null) {
      const albums = await keptAlbums(this.#changes.owner);
      if (albums.length === 0) return false;
      const chosen = await chooseAlbum(this.#dialog, albums);
      if (!chosen) return null;
      [change.album, change.name] = [chosen.id, chosen.name];
    }
    if (change.album && !change.name) {
      const albums = await keptAlbums(this.#changes.owner);
      change.name = albums.find(({ id }) => id === change.album)?.name ?? "";
    }
    const isKept = change.photos.length === 0 || (await this.#changes.add(change));
    await this.#read();
    return isKept;
  }

  /** Asks, and deletes the changes. */
  async discard() {
    if (!confirm(this.#texts.discardQuestion.replace("{count}", this.count))) return;
    await this.#changes.clear();
    location.reload();
  }

  async send() {
    clearTimeout(this.#timer);
    const outcome = await sendChanges(this.#changes).catch(() => null);
    if (outcome) this.notice = [...new Set([...this.notice, ...this.#lines(outcome)])];
    await this.#read();
    this.hasFailed = this.count > 0;
    if (this.hasFailed) this.#timer = setTimeout(() => this.send(), pause);
    else if (outcome && this.notice.length === 1) setTimeout(() => this.dismiss(), shown);
    this.#tell();
  }

  dismiss() {
    this.notice = [];
    this.#tell();
  }

  /** Leaves the notice to the page that replaces this one. */
  leave() {
    const { account } = this.#texts;
    if (this.notice.length > 0) sessionStorage.setItem(storageKey, JSON.stringify({ account, notice: this.notice }));
  }

  #takeNotice() {
    let left = null;
    try {
      left = JSON.parse(sessionStorage.getItem(storageKey));
      sessionStorage.removeItem(storageKey);
    } catch {
      // Without storage there is no notice.
    }
    if (left?.account !== this.#texts.account) return;
    this.notice = left.notice;
    if (this.notice.length === 1) setTimeout(() => this.dismiss(), shown);
  }

  #lines({ sent, missing, albums, refusals }) {
    const { sent: done, missing: gone, albumGone } = this.#texts;
    return [
      sent > 0 ? done.replace("{count}", sent) : "", missing > 0 ? gone.replace("{count}", missing) : "",
      ...new Set(albums.map(name => albumGone.replace("{name}", () => name))), ...new Set(refusals),
    ].filter(Boolean);
  }

  async #read() {
    // A browser that blocks cookies has no caches.
    this.#known = await this.#changes.all().catch(() => []);
    this.#mark();
    this.#tell();
  }

  #mark() {
    if (this.#known.length === 0 || this.#isMarking) return;
    this.#isMarking = true;
    requestAnimationFrame(() => {
      this.#isMarking = false;
      mark(this.#known, this.#texts.favorite);
    });
  }
}
