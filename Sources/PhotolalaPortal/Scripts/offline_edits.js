// Changes of favorites and albums on a page without a connection: keeps them, shows them, and sends them later.
import { chooseAlbum, keptAlbums, mark } from "./offline_acts.js";
import { OfflineChanges } from "./offline_changes.js";
import { sendChanges, sendForm } from "./offline_sending.js";

// What a page that is replaced by the current one has sent.
const storageKey = "offline-sent";
// Milliseconds after which changes that could not be sent are sent again: at first, and at most after twice the pause
// before each time.
const firstPause = 2000;
const longestPause = 60_000;
// Milliseconds for which the number of changes that were sent is shown.
const shown = 10_000;

export class OfflineEdits {
  /** What was sent and what was refused, for the person. */
  notice = [];
  /** Whether the last attempt to send left changes. */
  hasFailed = false;
  /** Whether the browser keeps changes of this account. */
  isKeeping = false;
  #texts;
  #dialog = document.querySelector("#offline-albums");
  #changes;
  #known = [];
  #tell;
  #refresh;
  #timer;
  /** Ends the notice of what was sent. */
  #dismissal;
  #pause = firstPause;
  #isMarking = false;
  /** Whether the page shows changes that no longer wait. */
  #isOutdated = false;

  /**
   * The first act is called after each change of what is to be shown, the second to show the current state of the page;
   * it returns whether it did.
   */
  constructor(texts, tell, refresh) {
    [this.#texts, this.#tell, this.#refresh] = [texts, tell, refresh];
    this.#changes = new OfflineChanges(texts.account, () => this.update());
    this.#takeNotice();
    // Blocks of the grid and other photos load into the page.
    new MutationObserver(() => this.#mark()).observe(document.body, { childList: true, subtree: true });
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.update();
    });
    this.update();
  }

  /** The number of changes that are not sent. */
  get count() {
    return this.#known.length;
  }

  /**
   * Keeps a change, after the choice of an album if it has none. Returns what is kept, `null` if it cannot be, and
   * `undefined` if the person gives it up.
   */
  async add(change) {
    if (change.album === null) {
      const albums = await keptAlbums(this.#changes.owner);
      if (albums.length === 0) return null;
      const chosen = await chooseAlbum(this.#dialog, albums);
      if (!chosen) return undefined;
      [change.album, change.name] = [chosen.id, chosen.name];
    }
    if (change.album && !change.name) {
      const albums = await keptAlbums(this.#changes.owner);
      change.name = albums.find(({ id }) => id === change.album)?.name ?? "";
    }
    const kept = change.photos.length === 0 ? [] : await this.#changes.add(change);
    // The answer to the form may arrive before the next frame.
    if (kept) mark(kept, this.#texts.favorite);
    await this.update();
    return kept;
  }

  /** Sends the form of changes that are kept. Returns the outcome of `sendForm`. */
  async sendForm(kept, path, fields) {
    const outcome = await sendForm(this.#changes, kept, path, fields);
    // The page shows them already.
    const sent = new Set(kept.map(keyOf));
    if (outcome !== "refused") this.#known = this.#known.filter(each => !sent.has(keyOf(each)));
    await this.update();
    return outcome;
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
    if (outcome) {
      clearTimeout(this.#dismissal);
      this.notice = [...new Set([...this.notice, ...this.#lines(outcome)])];
    }
    await this.update();
    this.hasFailed = this.count > 0;
    if (this.hasFailed) {
      this.#timer = setTimeout(() => this.send(), this.#pause);
      this.#pause = Math.min(2 * this.#pause, longestPause);
    } else {
      this.#pause = firstPause;
      // What was not made stays until the person has read it.
      if (outcome?.sent > 0 && this.notice.length === 1) this.#dismissal = setTimeout(() => this.dismiss(), shown);
    }
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

  /** Reads the changes that wait, and shows them. Others that were shown have been sent or discarded. */
  async update() {
    const read = Promise.all([this.#changes.isPermitted(), this.#changes.all()]);
    // A browser that blocks cookies has no caches.
    const [isKeeping, known] = await read.catch(() => [false, []]);
    const waiting = new Set(known.map(keyOf));
    if (!this.#known.every(each => waiting.has(keyOf(each)))) this.#isOutdated = true;
    [this.isKeeping, this.#known] = [isKeeping, known];
    this.#mark();
    this.#tell();
    if (this.#isOutdated) this.#showCurrent();
  }

  /** Shows the current state of the page; without a connection at the next update. */
  async #showCurrent() {
    this.#isOutdated = false;
    if (!(await this.#refresh().catch(() => false))) this.#isOutdated = true;
    this.#mark();
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

function keyOf({ album, photo }) {
  return `${album} ${photo}`;
}
