// The grid: all months of the library have their place on the page, and their photos are loaded where one looks.
import { Uploads } from "./upload.js";

const parallelLoads = 4;
// A block that is passed by quickly is not asked for.
const patience = 80;
// In heights of the window.
const loadedAround = 1.5;
const keptAround = 8;
const mostChosen = 1000;
// Milliseconds after which the addresses of a block's pictures may be over.
const freshness = 600_000;

class Grid {
  #root;
  #form;
  #name;
  #list;
  #queue = [];
  #loading = 0;
  #chosen = new Set();

  constructor(root) {
    this.#root = root;
    this.#form = root.closest("form");
    const { name, list, months, from } = root.dataset;
    [this.#name, this.#list] = [name, list];
    this.#build(JSON.parse(months), Number(from));
    document.querySelector("#pages")?.remove();
    this.#followChoice();
    this.#root.addEventListener("error", event => this.#refresh(event.target.closest(".grid")), true);
  }

  /** Blocks that came with the page stay; the others are put around them, empty. */
  #build(months, first) {
    const near = new IntersectionObserver(entries => this.#pass(entries), { rootMargin: `${loadedAround * 100}% 0px` });
    const far = new IntersectionObserver(entries => this.#leave(entries), { rootMargin: `${keptAround * 100}% 0px` });
    const loaded = new Map();
    for (const list of this.#root.querySelectorAll(".grid")) loaded.set(Number(list.dataset.block), list);
    let number = 0, start;
    const sections = months.map(({ title, blocks }) => {
      const section = document.createElement("section");
      const heading = document.createElement("h2");
      heading.textContent = title;
      section.append(heading);
      for (const photos of blocks) {
        const block = loaded.get(number) ?? document.createElement("ul");
        block.className = "grid";
        block.dataset.block = number;
        block.style.setProperty("--photos", photos);
        block.loadedAt = performance.now();
        if (number === first) start = block === section.children[1] ? section : block;
        section.append(block);
        near.observe(block);
        far.observe(block);
        number += 1;
      }
      return section;
    });
    const top = window.scrollY;
    this.#root.replaceChildren(...sections);
    if (first > 0) start?.scrollIntoView();
    else window.scrollTo(0, top);
  }

  #pass(entries) {
    for (const { target, isIntersecting } of entries) {
      target.isNear = isIntersecting;
      clearTimeout(target.timer);
      if (!isIntersecting || target.firstElementChild) continue;
      target.timer = setTimeout(() => {
        this.#queue.push(target);
        this.#load();
      }, patience);
    }
  }

  #leave(entries) {
    for (const { target, isIntersecting } of entries) {
      const isHeld = target.querySelector(":checked") || target.contains(document.activeElement);
      if (!isIntersecting && !isHeld) target.replaceChildren();
    }
  }

  async #load() {
    if (this.#loading >= parallelLoads) return;
    // What one looks at now comes first.
    const block = this.#queue.pop();
    if (!block) return;
    this.#loading += 1;
    try {
      if (block.isNear && !block.firstElementChild) await this.#fill(block);
    } finally {
      this.#loading -= 1;
      this.#load();
    }
  }

  async #fill(block) {
    const query = new URLSearchParams({ list: this.#list, name: this.#name, number: block.dataset.block });
    let response;
    try {
      response = await fetch(`/library/block?${query}`, { headers: { accept: "application/json" } });
    } catch {
      return this.#later(block, 2000);
    }
    if (response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      block.loadedAt = performance.now();
      block.replaceChildren(...Array.from(page.body.children).filter(child => child.localName === "li"));
      for (const box of block.querySelectorAll("input")) box.checked = this.#chosen.has(box.name);
    } else if (response.status === 412 || response.status === 401) {
      // Somebody changed the library, or signed out: the page is another one now.
      location.reload();
    } else {
      this.#later(block, Number(response.headers.get("retry-after")) * 1000 || 5000);
    }
  }

  #refresh(block) {
    if (performance.now() - block.loadedAt < freshness) return;
    block.loadedAt = performance.now();
    block.replaceChildren();
    this.#later(block, 0);
  }

  #later(block, wait) {
    setTimeout(() => {
      this.#queue.push(block);
      this.#load();
    }, wait);
  }

  #followChoice() {
    const [output, button] = [this.#form.querySelector("output"), this.#form.querySelector(".bar button")];
    let last;
    const tell = () => {
      const count = this.#chosen.size;
      const isTooMany = count > mostChosen;
      output.textContent = isTooMany ? output.dataset.tooMany : count ? output.dataset.text.replace("{count}", count) : "";
      button.disabled = count === 0 || isTooMany;
    };
    const choose = box => (box.checked ? this.#chosen.add(box.name) : this.#chosen.delete(box.name));
    this.#root.addEventListener("click", event => {
      const box = event.target;
      if (box.type !== "checkbox") return;
      const boxes = Array.from(this.#root.querySelectorAll("input"));
      if (event.shiftKey && last && boxes.includes(last)) {
        const [one, other] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
        for (const each of boxes.slice(one, other + 1)) {
          each.checked = box.checked;
          choose(each);
        }
      }
      choose(box);
      last = box;
      tell();
    });
    // Blocks with chosen photos are never emptied, so all of them are in the form.
    this.#form.addEventListener("submit", () => {
      const shown = Array.from(this.#root.querySelectorAll(".grid")).find(
        block => block.getBoundingClientRect().bottom > 0);
      this.#form.elements.from.value = shown?.dataset.block ?? 0;
    });
    // A browser that comes back to the page may have kept the ticks.
    for (const box of this.#root.querySelectorAll(":checked")) choose(box);
    tell();
  }
}

const timeline = document.querySelector("#timeline");
if (timeline) new Grid(timeline);
const upload = document.querySelector("#upload");
if (upload) {
  const news = document.createElement("p");
  new Uploads(upload, () => {
    if (news.isConnected) return;
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = JSON.parse(upload.dataset.texts).show;
    news.append(link);
    upload.querySelector("#upload-files").before(news);
  });
}

// One photo: the arrow keys lead to its neighbours, Escape back.
if (document.querySelector("#back")) {
  addEventListener("keydown", event => {
    if (event.target.closest("input, button, video") || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: 'a[rel="prev"]', ArrowRight: 'a[rel="next"]', Escape: "#back" }[event.key];
    if (way) document.querySelector(way)?.click();
  });
}
