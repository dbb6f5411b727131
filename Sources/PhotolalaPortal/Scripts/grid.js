// The photo grid: all months have their place on the page, and photos load near the visible area.

const parallelLoads = 3;
// Milliseconds before a visible block is requested. Skips blocks that scroll past quickly.
const patience = 80;
// Distances in window heights.
const loadedAround = 1.5;
const keptAround = 8;
const mostChosen = 1000;
// Milliseconds after which the signed URLs of a block's pictures may have expired.
const freshness = 600_000;

export class Grid {
  #root;
  #form;
  #blocks = [];
  #observers = [];
  #wanted = new Set();
  #loading = 0;
  #notBefore = 0;
  #chosen = new Set();
  #anchor;
  /** Blocks that are kept although they are far from the visible area. */
  #held = new Set();

  constructor(root) {
    this.#root = root;
    this.#form = root.closest("form");
    this.#build(JSON.parse(root.dataset.months));
    document.querySelector("#pages")?.remove();
    this.#followChoice();
    this.#goToPlace();
    root.addEventListener("error", event => this.#freshen(event.target.closest(".grid")), true);
  }

  /** Keeps the blocks of the page's HTML and creates empty ones for the rest. */
  #build(months) {
    for (const observer of this.#observers) observer.disconnect();
    this.#blocks = [];
    const near = new IntersectionObserver(entries => this.#pass(entries), { rootMargin: `${loadedAround * 100}% 0px` });
    const far = new IntersectionObserver(entries => this.#leave(entries), { rootMargin: `${keptAround * 100}% 0px` });
    const loaded = new Map();
    for (const list of this.#root.querySelectorAll(".grid")) loaded.set(Number(list.dataset.block), list);
    const sections = months.map(({ title, blocks }) => {
      const section = document.createElement("section");
      const heading = document.createElement("h2");
      heading.textContent = title;
      section.append(heading);
      for (const photos of blocks) {
        const number = this.#blocks.length;
        const block = loaded.get(number) ?? document.createElement("ul");
        block.className = "grid";
        block.setAttribute("role", "list");
        block.dataset.block = number;
        block.style.setProperty("--photos", photos);
        block.loadedAt = Date.now();
        section.append(block);
        this.#blocks.push(block);
      }
      return section;
    });
    this.#root.replaceChildren(...sections);
    for (const block of this.#blocks) {
      near.observe(block);
      far.observe(block);
    }
    this.#observers = [near, far];
  }

  /** Scrolls to the position in the URL. Back and reload use the browser's own scroll restoration. */
  #goToPlace() {
    const [navigation] = performance.getEntriesByType("navigation");
    if (navigation && navigation.type !== "navigate") return;
    const query = new URLSearchParams(location.search);
    const photo = this.#box(query.get("near"))?.closest("li");
    const block = this.#blocks[Number(this.#root.dataset.from)];
    if (photo) photo.scrollIntoView();
    else if (block !== this.#blocks[0]) (block?.previousElementSibling?.localName === "h2" ? block.parentElement : block)
      ?.scrollIntoView();
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
      else if (!target.firstElementChild) target.timer = setTimeout(() => this.#want(target), patience);
    }
  }

  #leave(entries) {
    for (const { target, isIntersecting } of entries) {
      target.isFar = !isIntersecting;
      this.#empty(target);
    }
  }

  #empty(block) {
    const isHeld =
      this.#held.has(block) || block.querySelector(":checked") || block.contains(document.activeElement);
    if (block.isFar && !isHeld) block.replaceChildren();
  }

  #want(block) {
    if (!block.isConnected) return;
    this.#wanted.add(block);
    this.#load();
  }

  async #load() {
    const wait = this.#notBefore - Date.now();
    if (wait > 0 || this.#loading >= parallelLoads) {
      if (wait > 0) setTimeout(() => this.#load(), wait);
      return;
    }
    // Load the block that became visible last. A block may already be filled by a response for another block.
    const wanted = [...this.#wanted].filter(block => !block.firstElementChild);
    const block = wanted.sort((one, other) => one.dataset.block - other.dataset.block)[0];
    if (!block) return;
    const together = this.#together(block);
    for (const each of together) this.#wanted.delete(each);
    this.#loading += 1;
    const outcome = await this.#fill(block);
    if (outcome === "changed") await this.#refresh();
    if (outcome === "later") {
      for (const each of together) if (each.isNear && each.isConnected) this.#wanted.add(each);
    }
    this.#loading -= 1;
    this.#load();
  }

  /** Returns the blocks that the server sends in one response. */
  #together(first) {
    const start = Number(first.dataset.block);
    let end = start + 1;
    let photos = Number(first.style.getPropertyValue("--photos"));
    for (; end < this.#blocks.length; end += 1) {
      photos += Number(this.#blocks[end].style.getPropertyValue("--photos"));
      if (photos > 120) break;
    }
    return this.#blocks.slice(start, end);
  }

  /** Loads a block and those that share its response. Returns `here`, `later`, `changed` or `never`. */
  async #fill(block) {
    const answer = await this.#ask(block);
    if (typeof answer === "string") return answer;
    for (const list of answer) {
      const target = this.#blocks[Number(list.dataset.block)];
      if (!target || target.firstElementChild) continue;
      target.loadedAt = Date.now();
      target.replaceChildren(...list.children);
      for (const box of target.querySelectorAll("input")) box.checked = this.#chosen.has(box.name);
      this.#empty(target);
    }
    return "here";
  }

  async #ask(block) {
    const { list, name } = this.#root.dataset;
    const query = new URLSearchParams({ list, name, from: block.dataset.block });
    try {
      const response = await fetch(`/library/blocks?${query}`, { headers: { accept: "application/json" } });
      if (response.ok) {
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        // Block numbers are only valid for the same state of the library.
        return this.#root.dataset.name === name ? page.querySelectorAll(".grid") : "later";
      }
      if ([403, 404, 412].includes(response.status)) return this.#root.dataset.name === name ? "changed" : "later";
      return this.#refused(response);
    } catch {
      this.#notBefore = Date.now() + 2000;
    }
    return "later";
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

  /** Reloads the library when the page's state is outdated. Keeps the scroll position and the selection. */
  async #refresh() {
    this.#notBefore = Date.now() + 2000;
    const { block, photo } = this.#shown();
    const md5 = photo?.querySelector("input").name ?? "";
    const top = (photo ?? block)?.getBoundingClientRect().top ?? 0;
    let page;
    try {
      const query = new URLSearchParams({ from: block?.dataset.block ?? 0, near: md5 });
      const response = await fetch(`${location.pathname}?${query}`, { headers: { accept: "application/json" } });
      if (!response.ok) return this.#retry(this.#refused(response));
      page = new DOMParser().parseFromString(await response.text(), "text/html");
    } catch {
      return this.#retry("later");
    }
    const fresh = page.querySelector("#timeline");
    // Without photos the page has no grid.
    if (!fresh) return location.reload();
    Object.assign(this.#root.dataset, fresh.dataset);
    this.#wanted.clear();
    this.#root.replaceChildren(...fresh.children);
    this.#build(JSON.parse(fresh.dataset.months));
    for (const box of this.#root.querySelectorAll("input")) box.checked = this.#chosen.has(box.name);
    const target = this.#box(md5)?.closest("li") ?? this.#blocks[Number(fresh.dataset.from)];
    if (target) scrollBy(0, target.getBoundingClientRect().top - top);
  }

  /** Schedules empty blocks near the visible area again if the outcome is `later`. */
  #retry(outcome) {
    if (outcome !== "later") return;
    for (const block of this.#blocks) if (block.isNear && !block.firstElementChild) this.#wanted.add(block);
  }

  /** Returns the first visible block and its first visible photo that is not selected. */
  #shown() {
    const isShown = element => element.getBoundingClientRect().bottom > 0;
    const block = this.#blocks.find(isShown);
    const photo = Array.from(block?.children ?? []).find(item => isShown(item) && !item.querySelector("input").checked);
    return { block, photo };
  }

  /** Requests new URLs for pictures that failed to load, if theirs may have expired. */
  async #freshen(block) {
    if (!block || Date.now() - block.loadedAt < freshness) return;
    block.loadedAt = Date.now();
    const answer = await this.#ask(block);
    if (typeof answer === "string") return;
    for (const image of answer[0]?.querySelectorAll("img") ?? []) {
      const mine = this.#box(image.closest("li").querySelector("input").name)?.closest("li").querySelector("img");
      if (mine && !mine.naturalWidth) mine.src = image.src;
    }
  }

  #followChoice() {
    const clear = this.#form.querySelector("#clear");
    this.#root.addEventListener("click", async event => {
      const box = event.target;
      if (box.type !== "checkbox") return;
      this.#choose(box);
      const anchor = this.#anchor;
      this.#anchor = { block: Number(box.closest(".grid").dataset.block), md5: box.name };
      this.#tell();
      if (event.shiftKey && anchor) await this.#chooseBetween(anchor, this.#anchor, box.checked);
    });
    clear.addEventListener("click", () => {
      this.#chosen.clear();
      for (const box of this.#root.querySelectorAll(":checked")) box.checked = false;
      this.#tell();
      this.#form.querySelector("input[type=checkbox]")?.focus({ preventScroll: true });
    });
    this.#form.addEventListener("submit", () => this.#complete());
    // A browser that restores the page may restore checked boxes.
    for (const box of this.#root.querySelectorAll(":checked")) this.#choose(box);
    this.#tell();
  }

  #choose(box) {
    if (box.checked) this.#chosen.add(box.name);
    else this.#chosen.delete(box.name);
  }

  /** Selects all photos between two photos. Loads the blocks that are missing. */
  async #chooseBetween(one, other, isChecked) {
    const [first, last] = [Math.min(one.block, other.block), Math.max(one.block, other.block)];
    const blocks = this.#blocks.slice(first, last + 1);
    const photos = blocks.reduce((sum, block) => sum + Number(block.style.getPropertyValue("--photos")), 0);
    // The first and the last block may each contribute as little as one photo.
    if (photos > mostChosen + 240) return this.#tell(true);
    this.#held = new Set(blocks);
    try {
      for (const block of blocks) if (!block.firstElementChild && (await this.#fill(block)) !== "here") return;
      const boxes = blocks.flatMap(block => Array.from(block.querySelectorAll("input")));
      const ends = [one, other].map(({ md5 }) => boxes.findIndex(box => box.name === md5));
      if (ends.includes(-1)) return;
      for (const box of boxes.slice(Math.min(...ends), Math.max(...ends) + 1)) {
        box.checked = isChecked;
        this.#choose(box);
      }
      this.#tell();
    } finally {
      this.#held = new Set();
      for (const block of blocks) this.#empty(block);
    }
  }

  #tell(isTooMany = this.#chosen.size > mostChosen) {
    const output = this.#form.querySelector("output");
    const count = this.#chosen.size;
    const { text, tooMany } = output.dataset;
    output.textContent = isTooMany ? tooMany : count ? text.replace("{count}", count) : "";
    for (const button of this.#form.querySelectorAll(".bar button:not([type])")) {
      button.disabled = count === 0 || count > mostChosen;
    }
    this.#form.querySelector("#clear").hidden = count === 0;
  }

  /** Adds selected photos that are not loaded and the current position to the form. */
  #complete() {
    for (const old of this.#form.querySelectorAll(".added")) old.remove();
    for (const md5 of this.#chosen) {
      if (this.#box(md5)) continue;
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: md5, value: "1", className: "added" });
      this.#form.append(field);
    }
    const { block, photo } = this.#shown();
    this.#form.elements.from.value = block?.dataset.block ?? 0;
    this.#form.elements.near.value = photo?.querySelector("input").name ?? "";
  }
}
