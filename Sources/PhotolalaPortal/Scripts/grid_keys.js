// The arrow keys in the photo grid, which is one stop of the tab key.

export class GridKeys {
  #root;
  #grid;
  #selection;

  constructor(root, grid, selection) {
    [this.#root, this.#grid, this.#selection] = [root, grid, selection];
    root.addEventListener("keydown", event => this.#press(event));
    root.addEventListener("focusin", event => {
      const link = event.target.closest("li")?.querySelector("a");
      if (link) this.makeStop(link);
    });
  }

  /** Removes a block's photos from the tab order, except for the grid's only stop. */
  prepare(block) {
    for (const part of block.querySelectorAll("a, input")) part.tabIndex = -1;
    if (!this.#root.querySelector('a[tabindex="0"]')) {
      const first = this.#root.querySelector("li a");
      if (first) first.tabIndex = 0;
    }
  }

  focus() {
    this.stop?.querySelector("a").focus({ preventScroll: true });
  }

  /** The photo that the tab key reaches. */
  get stop() {
    return this.#root.querySelector('a[tabindex="0"]')?.closest("li");
  }

  makeStop(link) {
    for (const old of this.#root.querySelectorAll('a[tabindex="0"]')) old.tabIndex = -1;
    link.tabIndex = 0;
  }

  async #press(event) {
    const item = event.target.closest("li");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = item.querySelector("input");
    if (event.key === " " && event.target.closest("a")) {
      event.preventDefault();
      return this.#selection.toggle(box, event.shiftKey);
    }
    const isRTL = getComputedStyle(this.#root).direction === "rtl" ? -1 : 1;
    const way = { ArrowLeft: [-isRTL, 0], ArrowRight: [isRTL, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const [step, line] = way;
    const next = step ? await this.#beside(item, step) : await this.#inLine(item, line);
    const link = next?.querySelector("a");
    if (!link) return;
    this.makeStop(link);
    link.focus();
    next.scrollIntoView({ block: "nearest" });
  }

  /** Returns the previous or the next photo, whose block may have to be loaded. */
  async #beside(item, step) {
    const block = Number(item.closest(".grid").dataset.block);
    const items = await this.#grid.items(block);
    const beside = items[items.indexOf(item) + step];
    if (beside) return beside;
    const others = await this.#grid.items(block + step);
    return others.at(step > 0 ? 0 : -1);
  }

  /** Returns the nearest photo in the row above or below. */
  async #inLine(item, line) {
    // Above the picture may be the date.
    const from = item.querySelector("a").getBoundingClientRect();
    const middle = from.left + from.width / 2;
    let row;
    let best;
    for (let next = await this.#beside(item, line); next; next = await this.#beside(next, line)) {
      const place = next.querySelector("a").getBoundingClientRect();
      const isBeyond = line > 0 ? place.top >= from.bottom - 1 : place.bottom <= from.top + 1;
      if (!isBeyond) continue;
      row ??= place.top;
      if (Math.abs(place.top - row) > 1) break;
      const distance = Math.abs(place.left + place.width / 2 - middle);
      if (!best || distance < best.distance) best = { next, distance };
    }
    return best?.next;
  }
}
