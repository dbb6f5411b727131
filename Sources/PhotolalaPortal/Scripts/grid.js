// The photo grid: all months have their place on the page, and photos load near the visible area.
import { Download } from "./download.js";
import { GridAct, isAct } from "./grid_act.js";
import { GridChanges } from "./grid_changes.js";
import { GridKeys } from "./grid_keys.js";
import { Measures } from "./grid_layout.js";
import { Scrubber } from "./scrubber.js";
import { Selection } from "./selection.js";

const parallelLoads = 3;
// Milliseconds before a visible block is requested. Skips blocks that scroll past quickly.
const patience = 80;
// Distances in window heights.
const loadedAround = 1.5;
const keptAround = 8;
// Milliseconds after which the signed URLs of a block's pictures may have expired.
const freshness = 600_000;
// Milliseconds that the server has to answer with the current page.
const answered = 30_000;

export class Grid {
  #root;
  #form;
  #blocks = [];
  /** What has rows of its own: a block, or the part of the page with successive blocks that share rows. */
  #flows = [];
  #observers = [];
  #wanted = new Set();
  #loading = 0;
  #notBefore = 0;
  #measures;
  #scrubber;
  #keys;
  #selection;
  /** The address of the page, whose frame may change that of the tab. */
  #path = location.pathname;
  /** Blocks that are kept although they are far from the visible area. */
  #held = new Set();
  /** The photo that had the focus when its block was removed. */
  #focused;
  /** Ends with the last refresh: one follows the other. */
  #refreshed = Promise.resolve();

  constructor(root) {
    this.#root = root;
    this.#form = root.closest("form");
    this.#measures = new Measures(root);
    this.#scrubber = new Scrubber(root);
    this.#selection = new Selection(this.#form, root, this);
    if (this.#form.querySelector("#download")) new Download(this.#form, this.#selection);
    this.#keys = new GridKeys(root, this, this.#selection);
    this.#build(JSON.parse(root.dataset.months));
    document.querySelector("#pages")?.remove();
    this.#goToPlace();
    this.#form.addEventListener("submit", event => this.#complete(event));
    // The height changes with each block that loads; reading sizes from the page would lay it out again.
    new ResizeObserver(([{ contentRect }]) => {
      if (Math.abs(contentRect.width - this.#measures.page.width) < 0.01) return;
      this.#measures = new Measures(root);
      for (const flow of this.#flows) isLoaded(flow) ? this.#measures.arrange(flow) : this.#reserve(flow);
    }).observe(root);
    root.addEventListener("error", event => this.#freshen(event.target), true);
    // Some may have failed before there was a listener.
    for (const image of root.querySelectorAll("img")) if (image.complete && !image.naturalWidth) this.#freshen(image);
    new GridChanges(root, this);
  }

  /** Whether the newest photos are shown. */
  get isAtTop() {
    return this.#root.getBoundingClientRect().top >= 0;
  }

  /** Whether the person neither selects photos nor acts on some, answers a question, uses a menu or moves through the years. */
  get isIdle() {
    const used = "dialog[open], :popover-open, .scrubber.held, .grid .leaving";
    return !this.#selection.isOpen && !document.querySelector(used);
  }

  /** Returns whether an address is that of this list. */
  isAt(address) {
    const { pathname, search } = new URL(address);
    return pathname === this.#path && search.slice(1) === this.#root.dataset.query;
  }

  /** Keeps the blocks of the page's HTML and creates empty ones for the rest. */
  #build(months) {
    for (const observer of this.#observers) observer.disconnect();
    [this.#blocks, this.#flows] = [[], []];
    const observer = (act, windows) => new IntersectionObserver(act, { rootMargin: `${windows * 100}% 0px` });
    const near = observer(entries => this.#pass(entries), loadedAround);
    const far = observer(entries => this.#leave(entries), keptAround);
    // Each frame costs the time of all that is observed: of the blocks, those in months around the visible area.
    const around = observer(entries => {
      for (const { target, isIntersecting } of entries) this.#observe(target, isIntersecting, near, far);
    }, keptAround);
    const loaded = new Map();
    for (const list of this.#root.querySelectorAll(".grid")) loaded.set(Number(list.dataset.block), list);
    let group;
    const parts = [];
    const places = months.map(({ title, year, isShort, opensRow, blocks }) => {
      const section = document.createElement("section");
      const heading = document.createElement("h2");
      heading.textContent = title;
      section.append(heading);
      if (!isShort) group = undefined;
      else if (opensRow) group = this.#flow(Object.assign(document.createElement("div"), { className: "short" }));
      const photosBefore = group?.photos ?? 0;
      for (const [photos, days, ratios, ...shapes] of blocks) {
        const number = this.#blocks.length;
        const block = loaded.get(number) ?? document.createElement("div");
        block.className = "grid";
        block.dataset.block = number;
        block.flow = group ?? this.#flow(block);
        block.flow.blocks.push(block);
        block.flow.photos += photos;
        Object.assign(block, { size: { photos, days, ratios }, shapes, loadedAt: Date.now() });
        section.append(block);
        this.#blocks.push(block);
      }
      if (group) group.append(section);
      else section.lastElementChild.flow.ends = true;
      const part = group ?? section;
      if (part !== parts.at(-1)) parts.push(part);
      return { title, year, section, part, photosBefore };
    });
    for (const [number, part] of parts.entries()) {
      if (part.blocks) part.classList.toggle("ends", (part.ends = !parts[number + 1]?.blocks));
    }
    this.#root.replaceChildren(...parts);
    const [there, others] = [this.#flows.filter(isLoaded), this.#flows.filter(flow => !isLoaded(flow))];
    for (const flow of there) this.#show(flow);
    for (const flow of others) this.#reserve(flow);
    this.#scrubber.update(places);
    for (const part of parts) around.observe(part);
    this.#observers = [near, far, around];
  }

  #flow(element) {
    this.#flows.push(element);
    return Object.assign(element, { blocks: [], photos: 0, ends: false });
  }

  /** Observes the blocks of a part of the page, or ends that. */
  #observe(part, isAround, near, far) {
    for (const flow of part.blocks ? [part] : part.querySelectorAll(".grid")) {
      for (const observer of [near, far]) observer[isAround ? "observe" : "unobserve"](flow);
      if (isAround) continue;
      this.#pass([{ target: flow, isIntersecting: false }]);
      this.#leave([{ target: flow, isIntersecting: false }]);
    }
  }

  /** Reserves the size of photos that are not loaded, which is approximate only for more than fill the window. */
  #reserve(flow) {
    const known = flow.blocks.flatMap(block => block.shapes);
    const height = known.length === flow.photos
      ? this.#measures.exactHeight(known, flow.ends) : this.#measures.height(flow.blocks[0].size);
    flow.style.blockSize = `${height}px`;
  }

  /** Shows photos that are in their blocks, in their proportions. */
  #show(flow) {
    flow.style.blockSize = "";
    this.#measures.arrange(flow);
    for (const box of flow.querySelectorAll("input")) box.checked = !box.disabled && this.#selection.has(box.name);
    this.#keys.prepare(flow);
    if (this.#focused && document.activeElement === document.body) this.#focus(this.#focused);
  }

  /** Focuses a photo, now or after it has loaded. */
  #focus(md5) {
    const link = this.#box(md5)?.closest("li").querySelector("a");
    this.#focused = link ? undefined : md5;
    link?.focus({ preventScroll: true });
  }

  /** Returns the number of photos in a range of blocks. */
  count(first, last) {
    return this.#blocks.slice(first, last + 1).reduce((sum, block) => sum + block.size.photos, 0);
  }

  /** Returns the photos of a block after it has loaded; none if there is no such block or it cannot be loaded. */
  async items(number) {
    const block = this.#blocks[number];
    if (!block || (!block.firstElementChild && (await this.#fill(block)) !== "here")) return [];
    return Array.from(block.querySelectorAll("li"));
  }

  /** Calls an act with the boxes of a range of blocks, which are loaded for it. */
  async withBoxes(first, last, act) {
    const blocks = this.#blocks.slice(first, last + 1);
    this.#held = new Set(blocks);
    try {
      for (const block of blocks) if (!block.firstElementChild && (await this.#fill(block)) !== "here") return;
      act(blocks.flatMap(block => Array.from(block.querySelectorAll("input"))));
    } finally {
      this.#held = new Set();
      for (const block of blocks) this.#empty(block.flow);
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
    this.#keys.focus();
  }

  /** Shows at once what a form does with photos. Returns the act, or `undefined` for a form that may ask something. */
  begin(form, path, fields) {
    if (form.id === "undo") return new GridAct(this.#root, undefined, path, fields);
    return form === this.#form && isAct(path) ? new GridAct(this.#root, this.#selection, path, fields) : undefined;
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
    const photo = this.#box(query.get("near"))?.closest("li");
    const block = this.#blocks[Number(this.#root.dataset.from)];
    if (photo) {
      photo.scrollIntoView({ block: "center" });
      photo.querySelector("a").focus({ preventScroll: true, focusVisible: false });
    }
    else if (block && block !== this.#blocks[0]) {
      const isFirst = block.previousElementSibling.localName === "h2";
      (block.flow !== block ? block.querySelector("li") : isFirst ? block.parentElement : block)?.scrollIntoView();
    }
  }

  #box(md5) {
    const box = md5 ? this.#form.elements.namedItem(md5) : null;
    return box?.type === "checkbox" ? box : null;
  }

  #pass(entries) {
    for (const { target, isIntersecting } of entries) {
      target.isNear = isIntersecting;
      clearTimeout(target.timer);
      if (!isIntersecting) this.#wanted.delete(target);
      else if (!isLoaded(target)) target.timer = setTimeout(() => this.#want(target), patience);
    }
  }

  #leave(entries) {
    for (const { target, isIntersecting } of entries) {
      target.isFar = !isIntersecting;
      this.#empty(target);
    }
  }

  #empty(flow) {
    const isHeld = flow.blocks.some(block => this.#held.has(block)) || flow.querySelector(":checked") ||
      flow.contains(document.activeElement);
    if (!flow.isFar || isHeld || !isLoaded(flow)) return;
    flow.style.blockSize = `${flow.getBoundingClientRect().height}px`;
    for (const block of flow.blocks) block.replaceChildren();
  }

  #want(flow) {
    if (!flow.isConnected) return;
    this.#wanted.add(flow);
    this.#load();
  }

  async #load() {
    const wait = this.#notBefore - Date.now();
    if (wait > 0 || this.#loading >= parallelLoads) {
      if (wait > 0) setTimeout(() => this.#load(), wait);
      return;
    }
    // Load the block that became visible last. A block may already be filled by a response for another block.
    const wanted = [...this.#wanted].filter(flow => !isLoaded(flow)).map(flow => flow.blocks[0]);
    const block = wanted.sort((one, other) => one.dataset.block - other.dataset.block)[0];
    if (!block) return;
    const together = this.#together(block.flow);
    for (const each of together) this.#wanted.delete(each);
    this.#loading += 1;
    const outcome = await this.#fill(block);
    if (outcome === "changed") await this.refresh();
    if (outcome === "later") {
      for (const each of together) if (each.isNear && each.isConnected) this.#wanted.add(each);
    }
    this.#loading -= 1;
    this.#load();
  }

  /** Returns what the server sends in one response. */
  #together(first) {
    const start = this.#flows.indexOf(first);
    let end = start + 1;
    let { photos } = first;
    for (; end < this.#flows.length; end += 1) {
      photos += this.#flows[end].photos;
      if (photos > 120) break;
    }
    return this.#flows.slice(start, end);
  }

  /** Loads a block and those that share its response. Returns `here`, `later`, `changed` or `never`. */
  async #fill(block) {
    const answer = await this.#ask(block);
    if (typeof answer === "string") return answer;
    const fixed = this.#fixed();
    const top = fixed?.getBoundingClientRect().top;
    const flows = new Set();
    for (const list of answer) {
      const target = this.#blocks[Number(list.dataset.block)];
      if (!target || target.firstElementChild) continue;
      target.loadedAt = Date.now();
      target.replaceChildren(...list.children);
      flows.add(target.flow);
    }
    for (const flow of flows) this.#show(flow);
    if (fixed) scrollBy(0, fixed.getBoundingClientRect().top - top);
    for (const flow of flows) this.#empty(flow);
    return "here";
  }

  /** Returns what keeps its place while blocks load: the first photo that is seen, or the first block that begins. */
  #fixed() {
    for (const flow of this.#flows) {
      const item = isLoaded(flow) && isSeen(flow) && Array.from(flow.querySelectorAll("li")).find(isSeen);
      if (item) return item;
    }
    return this.#flows.find(flow => flow.getBoundingClientRect().top >= 0);
  }

  /** Requests a block of the list that is shown, or of one with other data. */
  async #ask(block, data = this.#root.dataset) {
    const { list, name } = data;
    const query = this.#query({ list, name, from: block.dataset.block });
    try {
      const response = await fetch(`${this.#root.dataset.blocks}?${query}`, { headers: { accept: "application/json" } });
      if (response.ok) {
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        // Reading the answer and showing it would be too long for one frame.
        await new Promise(resolve => setTimeout(resolve));
        // Block numbers are only valid for the same state of the library.
        return data.name === name ? page.querySelectorAll(".grid") : "later";
      }
      if ([403, 404, 412].includes(response.status)) return data.name === name ? "changed" : "later";
      return this.#refused(response);
    } catch {
      this.#notBefore = Date.now() + 2000;
    }
    return "later";
  }

  /** Returns the parameters of a request, with the search that the page shows. */
  #query(parameters) {
    const query = new URLSearchParams(this.#root.dataset.query);
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
    return query;
  }

  /** Returns whether to retry after an error. Without a session the person decides when to leave this page. */
  #refused(response) {
    if (response.status === 401) {
      document.querySelector("#session-over").hidden = false;
      return "never";
    }
    this.#notBefore = Date.now() + (Number(response.headers.get("retry-after")) * 1000 || 5000);
    return "later";
  }

  /**
   * Shows the current state of the library: of a page that the server has just made, or of a new one. What will be visible
   * is loaded before. Keeps the scroll position, the focus and the selection; at the top, the newest photos are shown.
   * Returns whether it did.
   */
  refresh(page) {
    const done = this.#refreshed.then(() => this.#refresh(page));
    this.#refreshed = done.catch(() => {});
    return done;
  }

  async #refresh(given) {
    let page = given ?? (await this.#current());
    for (let isAgain = false; page; isAgain = true) {
      // Another account has signed in.
      if (accountOf(page) !== accountOf(document)) return this.#retry(this.#refused({ status: 401 }));
      const fresh = page.querySelector("#timeline");
      // Without photos the page has no grid.
      if (!fresh) return given ? false : location.reload();
      await this.#supply(fresh);
      // The person may have scrolled elsewhere.
      const isHere = this.isAtTop || !this.#shown().photo || this.#staying(fresh);
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
    this.#notBefore = Date.now() + 2000;
    const { block, photo } = this.isAtTop ? {} : this.#shown();
    try {
      const query = this.#query({ from: block?.dataset.block ?? 0, near: photo ? nameOf(photo) : "" });
      const response = await fetch(`${this.#path}?${query}`, {
        headers: { accept: "application/json" }, signal: AbortSignal.timeout(answered),
      });
      if (!response.ok) return void this.#retry(this.#refused(response));
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      // Without a connection the worker answers with an earlier page.
      if (!("kept" in page.documentElement.dataset)) return page;
    } catch {
      // The blocks are requested again, and the page with them.
    }
    return void this.#retry("later");
  }

  /** Loads those blocks of another list that will be visible around the photo that keeps its place. */
  async #supply(fresh) {
    const sizes = JSON.parse(fresh.dataset.months).flatMap(({ blocks }) => blocks.map(([photos]) => photos));
    const photo = this.isAtTop ? undefined : this.#staying(fresh);
    const list = photo && fresh.querySelector(`input[name="${nameOf(photo)}"]`).closest(".grid");
    let first = list ? Number(list.dataset.block) : this.isAtTop ? 0 : Number(fresh.dataset.from);
    let before = list ? Array.from(list.querySelectorAll("input"), box => box.name).indexOf(nameOf(photo)) : 0;
    let [last, after] = [first, (sizes[first] ?? 0) - before];
    // A row may be visible in part. Most photos are wider than high.
    const { width, row } = this.#measures.page;
    const within = height => Math.ceil(width / row) * Math.ceil(1 + height / row);
    const above = photo ? Math.max(0, photo.getBoundingClientRect().top) : 0;
    while (first > 0 && before < within(above)) before += sizes[(first -= 1)];
    while (last + 1 < sizes.length && after < within(innerHeight - above)) after += sizes[(last += 1)];
    for (let block = first; block <= last; block += 1) {
      const isLoaded = number => fresh.querySelector(`.grid[data-block="${number}"]`);
      if (isLoaded(block)) continue;
      const lists = await this.#ask({ dataset: { block } }, fresh.dataset);
      if (typeof lists === "string") return;
      for (const list of lists) if (!isLoaded(list.dataset.block)) fresh.append(list);
    }
  }

  /** Replaces the list by another one. The first visible photo that stays keeps its place. */
  #replace(page, fresh) {
    const isAtTop = this.isAtTop;
    const { block } = this.#shown();
    const photo = this.#staying(fresh);
    const top = (photo ?? block?.flow)?.getBoundingClientRect().top ?? 0;
    const [focused, stop] = [document.activeElement.closest("#timeline li"), this.#keys.stop].map(
      item => item && this.#successor(item, fresh));
    this.#selection.forget(this.#gone(fresh));
    document.querySelector(".storage")?.replaceWith(...page.querySelectorAll(".storage"));
    document.querySelector("#months")?.replaceChildren(...(page.querySelector("#months")?.children ?? []));
    document.querySelector(".months")?.toggleAttribute("hidden", page.querySelector(".months")?.hidden ?? true);
    const [shown, now] = [document, page].map(each => each.querySelector("main > .facts[role=status]"));
    if (shown && now) {
      shown.textContent = now.textContent;
      document.querySelector(".filters").replaceChildren(...page.querySelector(".filters").children);
    }
    Object.assign(this.#root.dataset, fresh.dataset);
    this.#wanted.clear();
    keepPictures(this.#root, fresh);
    this.#root.replaceChildren(...fresh.children);
    this.#build(JSON.parse(fresh.dataset.months));
    const target = photo ? this.#box(nameOf(photo))?.closest("li") : this.#blocks[Number(fresh.dataset.from)]?.flow;
    if (target && !isAtTop) scrollBy(0, target.getBoundingClientRect().top - top);
    const link = this.#box(stop)?.closest("li").querySelector("a");
    if (link) this.#keys.makeStop(link);
    if (focused) this.#focus(focused);
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
    return this.#shown(item => names.has(nameOf(item))).photo;
  }

  /** Schedules empty blocks near the visible area again if the outcome is `later`. Returns `false`. */
  #retry(outcome) {
    if (outcome !== "later") return false;
    for (const flow of this.#flows) if (flow.isNear && !isLoaded(flow)) this.#wanted.add(flow);
    return false;
  }

  /** Returns the first visible block and the first visible photo that passes a test, if possible one that is whole. */
  #shown(isMeant = item => !item.matches(".leaving, :has(:checked)")) {
    // The search stays at the top of the window.
    const edge = Math.max(0, document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0);
    const visible = this.#flows.filter(each => {
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

  /** Requests new URLs for pictures that failed to load, if theirs may have expired. */
  async #freshen(image) {
    const block = image.closest(".grid");
    if (!block) return;
    if (Date.now() - block.loadedAt < freshness) {
      image.closest("li")?.classList.add("missing");
      const link = image.closest("a");
      const signs = Array.from(link.querySelectorAll(".unseen, .video:not(:has(.unseen))"), sign => sign.textContent);
      link.setAttribute("aria-label", [image.alt, ...signs].join(", "));
      return;
    }
    block.loadedAt = Date.now();
    const answer = await this.#ask(block);
    if (typeof answer === "string") return;
    for (const image of Array.from(answer).flatMap(list => Array.from(list.querySelectorAll("img")))) {
      const mine = this.#box(image.closest("li").querySelector("input").name)?.closest("li").querySelector("img");
      if (mine && !mine.naturalWidth) mine.src = image.src;
    }
  }

  /** Adds selected photos that are not loaded and the current position to the form. */
  #complete(event) {
    this.#selection.complete(event, md5 => this.#box(md5) !== null);
    const { block, photo } = this.#shown();
    this.#form.elements.from.value = block?.dataset.block ?? 0;
    this.#form.elements.near.value = photo ? nameOf(photo) : "";
  }
}

/** Returns whether all photos of what shares rows are loaded. */
function isLoaded(flow) {
  return flow.blocks.every(block => block.firstElementChild);
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

/** Returns the name of a photo: its MD5. */
function nameOf(item) {
  return item.querySelector("input").name;
}

/** Returns whether a photo is in the window. */
function isSeen(item) {
  const { top, bottom } = item.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Returns the names of the photos of a list that are loaded. */
function namesIn(list) {
  return new Set(Array.from(list.querySelectorAll("li input"), box => box.name));
}
