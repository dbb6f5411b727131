// The bar beside the grid that shows the years and scrolls to a month. The list of months has the same for keyboards.

// Window heights from which the bar is shown.
const shownFrom = 3;
// As in the style sheet.
const isPhone = matchMedia("(max-width: 44.99rem)");
// The smallest distance between two years, in pixels.
const distance = 24;
// Milliseconds after the last change of the grid's height until the years move.
const pause = 200;
// Milliseconds after the last scrolling until the handle on phones is hidden.
const shownFor = 1500;

export class Scrubber {
  #root;
  #bar = document.createElement("div");
  #bubble = document.createElement("output");
  #title = document.createTextNode("");
  #labels = [];
  /** What is held on phones, where the bar itself would be touched by scrolling. */
  #handle = document.createElement("i");
  #top = 0;
  #height = 0;
  #timer;
  #months = [];

  constructor(root) {
    this.#root = root;
    this.#bar.className = "scrubber";
    this.#bar.setAttribute("aria-hidden", "true");
    root.after(this.#bar);
    this.#bar.addEventListener("pointerdown", event => {
      this.#bar.setPointerCapture(event.pointerId);
      this.#bar.classList.add("held");
      this.#scroll(event);
    });
    for (const name of ["lostpointercapture", "pointercancel"]) {
      this.#bar.addEventListener(name, () => {
        this.#bar.classList.remove("held");
        this.#bubble.hidden = true;
      });
    }
    this.#bar.addEventListener("pointermove", event => {
      if (event.buttons) this.#scroll(event);
      else this.#show(event);
    });
    this.#bar.addEventListener("pointerleave", () => (this.#bubble.hidden = true));
    this.#bubble.append(this.#title);
    this.#bubble.hidden = true;
    this.#bar.append(this.#handle, this.#bubble);
    addEventListener("scroll", () => this.#follow(), { passive: true });
    let timer;
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#place(), pause);
    }).observe(root);
  }

  /** Shows the years of the months. Each has the part of the page it is in, and the number of photos before it in it. */
  update(months) {
    this.#months = months;
    this.#place();
  }

  #place() {
    const height = this.#root.offsetHeight;
    this.#height = height;
    this.#top = this.#root.getBoundingClientRect().top + scrollY;
    this.#bar.hidden = height < innerHeight * shownFrom;
    this.#root.classList.toggle("beside", !this.#bar.hidden);
    const years = [];
    let [year, last] = [undefined, -Infinity];
    for (const month of this.#months) {
      const at = (topOf(month) - this.#root.offsetTop) / height;
      if (month.year === year || (at - last) * this.#bar.offsetHeight < distance) continue;
      [year, last] = [month.year, at];
      years.push({ year, at });
    }
    // Elements are added only for other years: each makes the browser look for the styles that depend on it.
    if (years.map(each => each.year).join() !== this.#labels.map(each => each.textContent).join()) {
      this.#labels = years.map(each => Object.assign(document.createElement("span"), { textContent: each.year }));
      this.#bar.replaceChildren(...this.#labels, this.#handle, this.#bubble);
    }
    for (const [number, { at }] of years.entries()) this.#labels[number].style.insetBlockStart = `${at * 100}%`;
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

  /** Moves the handle to the place that is shown. Reads no sizes, which would lay out the page in each frame. */
  #follow() {
    if (!isPhone.matches) return;
    const share = (scrollY - this.#top + innerHeight / 4) / Math.max(1, this.#height - innerHeight / 2);
    this.#handle.style.insetBlockStart = `${Math.min(Math.max(share, 0), 1) * 100}%`;
    this.#bar.classList.add("moving");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#bar.classList.remove("moving"), shownFor);
  }

  #scroll(event) {
    this.#show(event);
    const top = this.#root.getBoundingClientRect().top + scrollY;
    scrollTo(0, top + this.#share(event) * Math.max(0, this.#root.offsetHeight - innerHeight / 2) - innerHeight / 4);
  }
}

/** Returns the place of a month, which is approximate if it shares rows with others. */
function topOf({ part, photosBefore }) {
  return part.offsetTop + (photosBefore ? (part.offsetHeight * photosBefore) / part.photos : 0);
}
