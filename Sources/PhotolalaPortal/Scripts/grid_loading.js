// Loads the blocks of the photo grid that are near the window, and empties those that are far from it.
import { isLoaded, isSeen } from "./grid_flow.js";

const parallelLoads = 3;
// Milliseconds before a visible block is requested. Skips blocks that scroll past quickly.
const patience = 80;
// Distances in window heights.
const loadedAround = 1.5;
const keptAround = 8;
// Milliseconds after which the signed URLs of a block's pictures may have expired.
const freshness = 600_000;

export class GridLoading {
  #root;
  #grid;
  #observers = [];
  #wanted = new Set();
  #loading = 0;
  #notBefore = 0;
  /** Blocks that are kept although they are far from the visible area. */
  #held = new Set();

  constructor(root, grid) {
    [this.#root, this.#grid] = [root, grid];
    root.addEventListener("error", event => this.#freshen(event.target), true);
  }

  /** Requests the blocks of these parts of the page as they come near the window, and no others. */
  begin(parts) {
    for (const observer of this.#observers) observer.disconnect();
    this.#wanted.clear();
    const observer = (act, windows) => new IntersectionObserver(act, { rootMargin: `${windows * 100}% 0px` });
    const near = observer(entries => this.#pass(entries), loadedAround);
    const far = observer(entries => this.#leave(entries), keptAround);
    // Each frame costs the time of all that is observed: of the blocks, those in months around the visible area.
    const around = observer(entries => {
      for (const { target, isIntersecting } of entries) this.#observe(target, isIntersecting, near, far);
    }, keptAround);
    for (const part of parts) around.observe(part);
    this.#observers = [near, far, around];
  }

  /** Requests new URLs for pictures that failed before there was a listener. */
  freshenAll() {
    for (const image of this.#root.querySelectorAll("img")) if (image.complete && !image.naturalWidth) this.#freshen(image);
  }

  /** Keeps blocks although they are far from the window, until the next call. Before, none are kept. */
  hold(blocks) {
    const before = this.#held;
    this.#held = new Set(blocks);
    for (const block of before) this.#empty(block.flow);
  }

  /** Makes no request for some milliseconds. */
  wait(milliseconds) {
    this.#notBefore = Date.now() + milliseconds;
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
    const outcome = await this.fill(block);
    if (outcome === "changed") await this.#grid.refresh();
    if (outcome === "later") {
      for (const each of together) if (each.isNear && each.isConnected) this.#wanted.add(each);
    }
    this.#loading -= 1;
    this.#load();
  }

  /** Returns what the server sends in one response. */
  #together(first) {
    const start = this.#grid.flows.indexOf(first);
    let end = start + 1;
    let { photos } = first;
    for (; end < this.#grid.flows.length; end += 1) {
      photos += this.#grid.flows[end].photos;
      if (photos > 120) break;
    }
    return this.#grid.flows.slice(start, end);
  }

  /** Loads a block and those that share its response. Returns `here`, `later`, `changed` or `never`. */
  async fill(block) {
    const answer = await this.ask(block);
    if (typeof answer === "string") return answer;
    const fixed = this.#fixed();
    const top = fixed?.getBoundingClientRect().top;
    const flows = new Set();
    for (const list of answer) {
      const target = this.#grid.blocks[Number(list.dataset.block)];
      if (!target || target.firstElementChild) continue;
      target.loadedAt = Date.now();
      target.replaceChildren(...list.children);
      flows.add(target.flow);
    }
    for (const flow of flows) this.#grid.show(flow);
    if (fixed) scrollBy(0, fixed.getBoundingClientRect().top - top);
    for (const flow of flows) this.#empty(flow);
    return "here";
  }

  /** Returns what keeps its place while blocks load: the first photo that is seen, or the first block that begins. */
  #fixed() {
    for (const flow of this.#grid.flows) {
      const item = isLoaded(flow) && isSeen(flow) && Array.from(flow.querySelectorAll("li")).find(isSeen);
      if (item) return item;
    }
    return this.#grid.flows.find(flow => flow.getBoundingClientRect().top >= 0);
  }

  /** Requests a block of the list that is shown, or of one with other data. */
  async ask(block, data = this.#root.dataset) {
    const { list, name } = data;
    const query = this.query({ list, name, from: block.dataset.block });
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
      return this.refused(response);
    } catch {
      this.wait(2000);
    }
    return "later";
  }

  /** Returns the parameters of a request, with the search that the page shows. */
  query(parameters) {
    const query = new URLSearchParams(this.#root.dataset.query);
    for (const [name, value] of Object.entries(parameters)) query.set(name, value);
    return query;
  }

  /** Returns whether to retry after an error. */
  refused(response) {
    if (response.status === 401) {
      document.dispatchEvent(new Event("signed-out"));
      return "never";
    }
    this.wait(Number(response.headers.get("retry-after")) * 1000 || 5000);
    return "later";
  }

  /** Schedules empty blocks near the visible area again if the outcome is `later`. Returns `false`. */
  retry(outcome) {
    if (outcome !== "later") return false;
    for (const flow of this.#grid.flows) if (flow.isNear && !isLoaded(flow)) this.#wanted.add(flow);
    return false;
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
    const answer = await this.ask(block);
    if (typeof answer === "string") return;
    for (const image of Array.from(answer).flatMap(list => Array.from(list.querySelectorAll("img")))) {
      const mine = this.#grid.box(image.closest("li").querySelector("input").name)?.closest("li").querySelector("img");
      if (mine && !mine.naturalWidth) mine.src = image.src;
    }
  }
}
