// The photo grid: all months have their place on the page, and photos load near the visible area.
import { Download } from "./download.js";
import { GridAct, isAct } from "./grid_act.js";
import { GridChanges } from "./grid_changes.js";
import { flowsOf, isLoaded, nameOf, yearsOf } from "./grid_flow.js";
import { GridHeadings } from "./grid_headings.js";
import { GridKeys } from "./grid_keys.js";
import { Measures } from "./grid_layout.js";
import { GridLoading } from "./grid_loading.js";
import { GridRefresh } from "./grid_refresh.js";
import { returnTo } from "./photo_place.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./selection.js";
import { sharpenLoaded } from "./sharper_pictures.js";

export class Grid {
  /** The blocks of photos, of which those near the window are loaded. */
  blocks = [];
  /** What has rows of its own: a block, or the part of the page with successive blocks that share rows. */
  flows = [];
  measures;
  keys;
  selection;
  #root;
  #form;
  #scrubber;
  #headings = new GridHeadings();
  #loading;
  #refresh;
  /** The photo that had the focus when its block was removed. */
  #focused;

  constructor(root) {
    this.#root = root;
    this.#form = root.closest("form");
    this.measures = new Measures(root);
    this.#scrubber = new Scrubber(root);
    this.selection = new Selection(this.#form, root, this);
    if (this.#form.querySelector("#download")) new Download(this.#form, this.selection);
    this.keys = new GridKeys(root, this, this.selection);
    this.#loading = new GridLoading(root, this);
    this.#refresh = new GridRefresh(root, this, this.#loading);
    this.build(JSON.parse(root.dataset.months));
    document.querySelector("#pages")?.remove();
    this.#goToPlace();
    this.#form.addEventListener("submit", event => this.#complete(event));
    // The height changes with each block that loads; reading sizes from the page would lay it out again.
    new ResizeObserver(([{ contentRect }]) => {
      // Without photos the page has another content.
      if (!root.isConnected || Math.abs(contentRect.width - this.measures.page.width) < 0.01) return;
      this.measures = new Measures(root);
      this.#headings.begin();
      for (const flow of this.flows) isLoaded(flow) ? this.#arrange(flow) : this.#reserve(flow);
    }).observe(root);
    this.#loading.freshenAll();
    new GridChanges(root, this);
  }

  /** Whether the newest photos are shown. */
  get isAtTop() {
    return this.#root.getBoundingClientRect().top >= 0;
  }

  /** Whether the person neither selects photos nor acts on some, answers a question, uses a menu or moves through the years. */
  get isIdle() {
    const used = "dialog[open], :popover-open, .scrubber.held, .grid .leaving";
    return !this.selection.isOpen && !document.querySelector(used);
  }

  /** Returns whether an address is that of this list. */
  isAt(address) {
    return this.#refresh.isAt(address);
  }

  /** Keeps the blocks of the page's HTML and creates empty ones for the rest. */
  build(months) {
    const { parts, runs, flows, blocks, places } = flowsOf(this.#root, months);
    [this.flows, this.blocks] = [flows, blocks];
    this.#root.replaceChildren(...new Set(parts.map(part => part.parentElement ?? part)));
    this.#headings.begin(runs);
    const [there, others] = [this.flows.filter(isLoaded), this.flows.filter(flow => !isLoaded(flow))];
    for (const flow of there) this.show(flow);
    for (const flow of others) this.#reserve(flow);
    this.#scrubber.update(places);
    this.#loading.begin(parts);
  }

  /** Reserves the size of photos that are not loaded, which is approximate only for more than fill the window. */
  #reserve(flow) {
    const known = flow.blocks.flatMap(block => block.shapes);
    const height = known.length === flow.photos
      ? this.measures.exactHeight(known, yearsOf(flow), flow.ends) : this.measures.height(flow.blocks[0].size);
    flow.style.blockSize = `${height}px`;
  }

  #arrange(flow) {
    this.measures.arrange(flow);
    this.#headings.watch(flow);
    sharpenLoaded(flow);
  }

  /** Shows photos that are in their blocks, in their proportions. */
  show(flow) {
    flow.style.blockSize = "";
    this.#arrange(flow);
    for (const box of flow.querySelectorAll("input")) box.checked = !box.disabled && this.selection.has(box.name);
    this.keys.prepare(flow);
    if (this.#focused && document.activeElement === document.body) this.focusOn(this.#focused);
  }

  /** Focuses a photo, now or after it has loaded. */
  focusOn(md5) {
    const link = this.box(md5)?.closest("li").querySelector("a");
    this.#focused = link ? undefined : md5;
    link?.focus({ preventScroll: true });
  }

  /** Returns the number of photos in a range of blocks. */
  count(first, last) {
    return this.blocks.slice(first, last + 1).reduce((sum, block) => sum + block.size.photos, 0);
  }

  /** Returns the photos of a block after it has loaded; none if there is no such block or it cannot be loaded. */
  async items(number) {
    const block = this.blocks[number];
    if (!block || (!block.firstElementChild && (await this.#loading.fill(block)) !== "here")) return [];
    return Array.from(block.querySelectorAll("li"));
  }

  /** Calls an act with the boxes of a range of blocks, which are loaded for it. */
  async withBoxes(first, last, act) {
    const blocks = this.blocks.slice(first, last + 1);
    this.#loading.hold(blocks);
    try {
      for (const block of blocks) if (!block.firstElementChild && (await this.#loading.fill(block)) !== "here") return;
      act(blocks.flatMap(block => Array.from(block.querySelectorAll("input"))));
    } finally {
      this.#loading.hold([]);
    }
  }

  /** Calls an act with the boxes of a day, also of those in the blocks that continue it. Returns whether they are few
   * enough to be loaded. */
  async withDay(day, most, act) {
    const first = Number(day.closest(".grid").dataset.block);
    let last = first;
    for (let isOpen = !day.nextElementSibling; isOpen; ) {
      // A part that continues a day has no heading.
      const part = (await this.items(last + 1))[0]?.closest(".day");
      if (!part || part.querySelector("h3")) break;
      last += 1;
      isOpen = !part.nextElementSibling;
      if (this.count(first, last) > most + 240) return false;
    }
    await this.withBoxes(first, last, boxes => act(boxes.filter(box => {
      const part = box.closest(".day");
      return part === day || (Number(part.parentElement.dataset.block) > first && !part.querySelector("h3"));
    })));
    return true;
  }

  focus() {
    this.keys.focus();
  }

  /** Shows at once what a form does with photos. Returns the act, or `undefined` for a form that may ask something. */
  begin(form, path, fields) {
    if (form.id === "undo") return new GridAct(this.#root, undefined, path, fields);
    return form === this.#form && isAct(path) ? new GridAct(this.#root, this.selection, path, fields) : undefined;
  }

  /** Returns whether another page has the same list. */
  shows(page) {
    const { list, query } = page.querySelector("#timeline")?.dataset ?? {};
    return list === this.#root.dataset.list && query === this.#root.dataset.query;
  }

  /** Scrolls to the position in the URL. Back and reload use the browser's own scroll restoration. */
  #goToPlace() {
    const [navigation] = performance.getEntriesByType("navigation");
    if (navigation && navigation.type !== "navigate") return;
    const query = new URLSearchParams(location.search);
    const photo = this.box(query.get("near"))?.closest("li");
    const block = this.blocks[Number(this.#root.dataset.from)];
    if (photo) {
      returnTo(photo, this.#root);
      photo.querySelector("a").focus({ preventScroll: true, focusVisible: false });
    }
    else if (block && block !== this.blocks[0]) {
      const isFirst = block.previousElementSibling.localName === "h2";
      (block.flow !== block ? block.querySelector("li") : isFirst ? block.parentElement : block)?.scrollIntoView();
    }
  }

  /**
   * Shows the current state of the library: of a page that the server has just made, or of a new one. Returns whether it did.
   */
  refresh(page) {
    return this.#refresh.run(page);
  }

  /** Returns the box of a photo that is loaded. */
  box(md5) {
    const box = md5 ? this.#form.elements.namedItem(md5) : null;
    return box?.type === "checkbox" ? box : null;
  }

  /** Returns the first visible block and the first visible photo that passes a test, if possible one that is whole. */
  shown(isMeant = item => !item.matches(".leaving, :has(:checked)")) {
    // The search stays at the top of the window.
    const edge = Math.max(0, document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0);
    const visible = this.flows.filter(each => {
      const { top, bottom } = each.getBoundingClientRect();
      return bottom > edge && top < innerHeight;
    });
    const photos = [];
    for (const item of visible.flatMap(each => Array.from(each.querySelectorAll("li")))) {
      const { top, bottom } = item.getBoundingClientRect();
      if (bottom > edge && top < innerHeight && isMeant(item)) photos.push({ item, isWhole: top >= edge });
    }
    const photo = (photos.find(({ isWhole }) => isWhole) ?? photos[0])?.item;
    return { block: photo?.closest(".grid") ?? visible[0]?.blocks[0], photo };
  }

  /** Adds selected photos that are not loaded and the current position to the form. */
  #complete(event) {
    this.selection.complete(event, md5 => this.box(md5) !== null);
    const { block, photo } = this.shown();
    this.#form.elements.from.value = block?.dataset.block ?? 0;
    this.#form.elements.near.value = photo ? nameOf(photo) : "";
  }
}
