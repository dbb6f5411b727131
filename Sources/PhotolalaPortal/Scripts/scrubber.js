// The bar beside the grid that shows the years and scrolls to a month. The list of months has the same for keyboards.

// Window heights from which the bar is shown.
const shownFrom = 3;
// As in the style sheet.
const isPhone = matchMedia("(max-width: 44.99rem)");
// The smallest distance between two years, in pixels.
const distance = 24;
// Milliseconds after the last change of the grid's height until the years move.
const pause = 200;
// Pixels of a movement that chooses no other place.
const tremor = 4;
// Milliseconds in which photos that load above a chosen month may move it to another row.
const settling = 3000;
// Milliseconds after the last scrolling until the handle on phones is hidden.
const shownFor = 1500;

export class Scrubber {
  #root;
  #bar = document.createElement("div");
  #bubble = document.createElement("output");
  #title = document.createTextNode("");
  #labels = [];
  /** The places of the years as parts of the height, and the label of the year that is marked. */
  #years = [];
  #current;
  /** What is held on phones, where the bar itself would be touched by scrolling. */
  #handle = document.createElement("i");
  #top = 0;
  #height = 0;
  #timer;
  #months = [];
  /** The month that was chosen, until the person scrolls. */
  #chosen;
  /** Where the bar was pressed, in pixels from the top of the window. */
  #pressedAt = 0;
  /** The height of the bar that covers the top of the window, in pixels. */
  #covered = 0;

  constructor(root) {
    this.#root = root;
    this.#bar.className = "scrubber";
    this.#bar.setAttribute("aria-hidden", "true");
    root.after(this.#bar);
    this.#bar.addEventListener("pointerdown", event => {
      this.#bar.setPointerCapture(event.pointerId);
      this.#bar.classList.add("held");
      const { place } = event.target;
      if (!place) return this.#scroll(event);
      this.#pressedAt = event.clientY;
      this.#show(event);
      this.#choose(place);
    });
    for (const name of ["lostpointercapture", "pointercancel"]) {
      this.#bar.addEventListener(name, () => {
        this.#bar.classList.remove("held");
        this.#bubble.hidden = true;
      });
    }
    this.#bar.addEventListener("pointermove", event => {
      if (!event.buttons) return this.#show(event);
      if (this.#chosen && Math.abs(event.clientY - this.#pressedAt) < tremor) return;
      this.#chosen = undefined;
      this.#scroll(event);
    });
    this.#bar.addEventListener("pointerleave", () => (this.#bubble.hidden = true));
    this.#bubble.append(this.#title);
    this.#bubble.hidden = true;
    this.#bar.append(this.#handle, this.#bubble);
    addEventListener("scroll", () => this.#follow(), { passive: true });
    for (const name of ["wheel", "pointerdown", "keydown"]) {
      addEventListener(name, () => (this.#chosen = undefined), { passive: true, capture: true });
    }
    new MutationObserver(() => this.#align()).observe(root, { childList: true, subtree: true });
    let timer;
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#place(), pause);
    }).observe(root);
  }

  /** Shows the years of the months. Each has the part of the page it is in, and the number of photos before it in it. */
  update(months) {
    const isFirst = this.#months.length === 0;
    this.#months = months;
    this.#place();
    if (isFirst) this.#open();
  }

  /** Chooses the month at which the page begins, as a link of the list of months does. */
  #open() {
    const [navigation] = performance.getEntriesByType("navigation");
    const query = new URLSearchParams(location.search);
    if (navigation?.type !== "navigate" || query.has("near") || !(Number(query.get("from")) > 0)) return;
    const block = this.#root.querySelector(`[data-block="${Number(this.#root.dataset.from)}"]`);
    // The rest of a long month has no heading.
    if (block?.previousElementSibling?.localName !== "h2") return;
    const section = block.closest("section");
    requestAnimationFrame(() => this.#choose(this.#months.find(each => each.section === section)));
  }

  /** Shows a month below the bar at the top, and keeps it there while photos load. */
  #choose(place) {
    this.#chosen = place;
    this.#align();
    setTimeout(() => (this.#chosen = undefined), settling);
  }

  #align() {
    const { section, part } = this.#chosen ?? {};
    if (!part?.isConnected) return;
    // Where months share rows, their headings are not seen, and the first day may be in the row before.
    const first = section === part ? section : section.querySelector("li");
    const top = (first ?? part).getBoundingClientRect().top + (first ? 0 : topOf(this.#chosen) - part.offsetTop);
    // The title of months that share rows stays above them.
    const title = section === part ? 0 : part.parentElement.firstElementChild.offsetHeight;
    scrollBy(0, top - this.#covered - title);
  }

  #place() {
    const height = this.#root.offsetHeight;
    this.#height = height;
    const bar = document.querySelector(".top");
    this.#covered = bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    this.#top = this.#root.getBoundingClientRect().top + scrollY;
    this.#bar.hidden = height < innerHeight * shownFrom;
    this.#root.classList.toggle("beside", !this.#bar.hidden);
    const years = [];
    let [year, last] = [undefined, -Infinity];
    for (const month of this.#months) {
      const at = (topOf(month) - this.#root.offsetTop) / height;
      if (month.year === year || (at - last) * this.#bar.offsetHeight < distance) continue;
      [year, last] = [month.year, at];
      years.push({ year, at, place: month });
    }
    // Elements are added only for other years: each makes the browser look for the styles that depend on it.
    if (years.map(each => each.year).join() !== this.#labels.map(each => each.textContent).join()) {
      this.#labels = years.map(each => Object.assign(document.createElement("span"), { textContent: each.year }));
      this.#bar.replaceChildren(...this.#labels, this.#handle, this.#bubble);
    }
    for (const [number, { at, place }] of years.entries()) {
      this.#labels[number].style.insetBlockStart = `${at * 100}%`;
      this.#labels[number].place = place;
    }
    this.#years = years;
    this.#mark();
  }

  /** Marks the year in view. What decides is a point that moves through the window, so that the last year has its turn. */
  #mark() {
    const hidden = Math.max(1, this.#height - (innerHeight - this.#covered));
    const progress = Math.min(Math.max((scrollY - this.#top + this.#covered) / hidden, 0), 1);
    const current = this.#labels[Math.max(0, this.#years.findLastIndex(({ at }) => at <= progress))];
    if (current === this.#current) return;
    this.#current?.classList.remove("current");
    current?.classList.add("current");
    this.#current = current;
  }

  #share(event) {
    const { top, height } = this.#bar.getBoundingClientRect();
    return Math.min(Math.max((event.clientY - top) / height, 0), 1);
  }

  #show(event) {
    const share = this.#share(event);
    const at = this.#root.offsetTop + share * this.#root.offsetHeight;
    const month = this.#months.findLast(month => topOf(month) <= at) ?? this.#months[0];
    this.#title.data = month?.title ?? "";
    this.#bubble.style.insetBlockStart = `${share * 100}%`;
    this.#bubble.hidden = false;
  }

  /** Marks the year and moves the handle to the place that is shown. Reads no sizes that would lay out the page. */
  #follow() {
    this.#mark();
    if (!isPhone.matches) return;
    const share = (scrollY - this.#top + this.#covered) / Math.max(1, this.#height);
    this.#handle.style.insetBlockStart = `${Math.min(Math.max(share, 0), 1) * 100}%`;
    this.#bar.classList.add("moving");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#bar.classList.remove("moving"), shownFor);
  }

  #scroll(event) {
    this.#show(event);
    this.#scrollTo(this.#share(event) * this.#root.offsetHeight);
  }

  /** Shows what is at a distance from the start of the photos at the top, below the bar there. */
  #scrollTo(distance) {
    scrollTo(0, this.#root.getBoundingClientRect().top + scrollY + distance - this.#covered);
  }
}

/** Returns the place of a month, which is approximate if it shares rows with others. */
function topOf({ part, photosBefore }) {
  return part.offsetTop + (photosBefore ? (part.offsetHeight * photosBefore) / part.photos : 0);
}
