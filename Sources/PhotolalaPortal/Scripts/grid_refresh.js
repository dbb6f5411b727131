// Replaces the photo grid by the current state of its list, after an act or a change of another device.
import { isSeen, nameOf } from "./grid_flow.js";

// Milliseconds that the server has to answer with the current page.
const answered = 30_000;

export class GridRefresh {
  #root;
  #grid;
  #loading;
  /** The address of the page, whose frame may change that of the tab. */
  #path = location.pathname;
  /** Ends with the last refresh: one follows the other. */
  #refreshed = Promise.resolve();

  constructor(root, grid, loading) {
    [this.#root, this.#grid, this.#loading] = [root, grid, loading];
  }

  /** Returns whether an address is that of this list. */
  isAt(address) {
    const { pathname, search } = new URL(address);
    return pathname === this.#path && search.slice(1) === this.#root.dataset.query;
  }

  /**
   * Shows the current state of the library: of a page that the server has just made, or of a new one. What will be visible
   * is loaded before. Keeps the scroll position, the focus and the selection; at the top, the newest photos are shown.
   * Returns whether it did.
   */
  run(page) {
    const done = this.#refreshed.then(() => this.#refresh(page));
    this.#refreshed = done.catch(() => {});
    return done;
  }

  async #refresh(given) {
    let page = given ?? (await this.#current());
    for (let isAgain = false; page; isAgain = true) {
      // Another account has signed in.
      if (accountOf(page) !== accountOf(document)) return this.#loading.retry(this.#loading.refused({ status: 401 }));
      const fresh = page.querySelector("#timeline");
      // Without photos the page has no grid.
      if (!fresh) return given ? false : location.reload();
      await this.#supply(fresh);
      // The person may have scrolled elsewhere.
      const isHere = this.#grid.isAtTop || !this.#grid.shown().photo || this.#staying(fresh);
      if (isHere || isAgain) {
        this.#replace(page, fresh);
        return true;
      }
      page = await this.#current();
    }
    return false;
  }

  /** Returns the page that the server makes now for what is visible, or `undefined` if there is none yet. */
  async #current() {
    this.#loading.wait(2000);
    const { block, photo } = this.#grid.isAtTop ? {} : this.#grid.shown();
    try {
      const query = this.#loading.query({ from: block?.dataset.block ?? 0, near: photo ? nameOf(photo) : "" });
      const response = await fetch(`${this.#path}?${query}`, {
        headers: { accept: "application/json" }, signal: AbortSignal.timeout(answered),
      });
      if (!response.ok) return void this.#loading.retry(this.#loading.refused(response));
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      // Without a connection the worker answers with an earlier page.
      if (!("kept" in page.documentElement.dataset)) return page;
    } catch {
      // The blocks are requested again, and the page with them.
    }
    return void this.#loading.retry("later");
  }

  /** Loads those blocks of another list that will be visible around the photo that keeps its place. */
  async #supply(fresh) {
    const sizes = JSON.parse(fresh.dataset.months).flatMap(({ blocks }) => blocks.map(([photos]) => photos));
    const photo = this.#grid.isAtTop ? undefined : this.#staying(fresh);
    const list = photo && fresh.querySelector(`input[name="${nameOf(photo)}"]`).closest(".grid");
    let first = list ? Number(list.dataset.block) : this.#grid.isAtTop ? 0 : Number(fresh.dataset.from);
    let before = list ? Array.from(list.querySelectorAll("input"), box => box.name).indexOf(nameOf(photo)) : 0;
    let [last, after] = [first, (sizes[first] ?? 0) - before];
    // A row may be visible in part. Most photos are wider than high.
    const { width, row } = this.#grid.measures.page;
    const within = height => Math.ceil(width / row) * Math.ceil(1 + height / row);
    const above = photo ? Math.max(0, photo.getBoundingClientRect().top) : 0;
    while (first > 0 && before < within(above)) before += sizes[(first -= 1)];
    while (last + 1 < sizes.length && after < within(innerHeight - above)) after += sizes[(last += 1)];
    for (let block = first; block <= last; block += 1) {
      const isLoaded = number => fresh.querySelector(`.grid[data-block="${number}"]`);
      if (isLoaded(block)) continue;
      const lists = await this.#loading.ask({ dataset: { block } }, fresh.dataset);
      if (typeof lists === "string") return;
      for (const list of lists) if (!isLoaded(list.dataset.block)) fresh.append(list);
    }
  }

  /** Replaces the list by another one. The first visible photo that stays keeps its place. */
  #replace(page, fresh) {
    const isAtTop = this.#grid.isAtTop;
    const { block } = this.#grid.shown();
    const photo = this.#staying(fresh);
    const top = (photo ?? block?.flow)?.getBoundingClientRect().top ?? 0;
    const [focused, stop] = [document.activeElement.closest("#timeline li"), this.#grid.keys.stop].map(
      item => item && this.#successor(item, fresh));
    this.#grid.selection.forget(this.#gone(fresh));
    document.querySelector(".storage")?.replaceWith(...page.querySelectorAll(".storage"));
    document.querySelector("#months")?.replaceChildren(...(page.querySelector("#months")?.children ?? []));
    document.querySelector(".months")?.toggleAttribute("hidden", page.querySelector(".months")?.hidden ?? true);
    const [shown, now] = [document, page].map(each => each.querySelector("main > .facts[role=status]"));
    if (shown && now) {
      shown.textContent = now.textContent;
      document.querySelector(".filters").replaceChildren(...page.querySelector(".filters").children);
    }
    Object.assign(this.#root.dataset, fresh.dataset);
    keepPictures(this.#root, fresh);
    this.#root.replaceChildren(...fresh.children);
    this.#grid.build(JSON.parse(fresh.dataset.months));
    const target = photo ? this.#grid.box(nameOf(photo))?.closest("li") : this.#grid.blocks[Number(fresh.dataset.from)]?.flow;
    if (target && !isAtTop) scrollBy(0, target.getBoundingClientRect().top - top);
    const link = this.#grid.box(stop)?.closest("li").querySelector("a");
    if (link) this.#grid.keys.makeStop(link);
    if (focused) this.#grid.focusOn(focused);
  }

  /** Returns the name of a photo or, if it is not in another list, of the next one that is, or the last one before it. */
  #successor(item, fresh) {
    const names = namesIn(fresh);
    // What is far away may only be without its block.
    if (!(item.matches(".leaving") || isSeen(item)) || names.has(nameOf(item))) return nameOf(item);
    const items = Array.from(this.#root.querySelectorAll("li"));
    const [isStaying, at] = [each => names.has(nameOf(each)), items.indexOf(item)];
    const next = items.slice(at).find(isStaying) ?? items.slice(0, at).findLast(isStaying);
    return next && nameOf(next);
  }

  /** Returns the names of selected photos that another list does not have between others of this list. */
  #gone(fresh) {
    const names = namesIn(fresh);
    const items = Array.from(this.#root.querySelectorAll("li"));
    const isStaying = item => names.has(nameOf(item));
    const between = items.slice(Math.max(0, items.findIndex(isStaying)), items.findLastIndex(isStaying) + 1);
    return between.filter(item => !isStaying(item) && item.querySelector(":checked")).map(nameOf);
  }

  /** Returns the first visible photo that another list has. */
  #staying(fresh) {
    const names = namesIn(fresh);
    return this.#grid.shown(item => names.has(nameOf(item))).photo;
  }
}

/** Moves the pictures that have loaded to the same photos of another list: they stay visible. */
function keepPictures(old, fresh) {
  const name = image => nameOf(image.closest("li"));
  const loaded = Array.from(old.querySelectorAll("li img")).filter(image => image.complete && image.naturalWidth);
  const pictures = new Map(loaded.map(image => [name(image), image]));
  for (const image of fresh.querySelectorAll("li img")) {
    const picture = pictures.get(name(image));
    if (!picture) continue;
    picture.alt = image.alt;
    image.replaceWith(picture);
  }
}

/** Returns the account of a page, as the server names it to the worker. */
function accountOf(page) {
  return page.querySelector("#offline")?.dataset.account;
}

/** Returns the names of the photos of a list that are loaded. */
function namesIn(list) {
  return new Set(Array.from(list.querySelectorAll("li input"), box => box.name));
}
