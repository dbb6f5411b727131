// The bar beside the grid that shows the years and scrolls to a month. The list of months has the same for keyboards.

// Window heights from which the bar is shown.
const shownFrom = 3;
// The smallest distance between two years, in pixels.
const distance = 24;

export class Scrubber {
  #root;
  #bar = document.createElement("div");
  #bubble = document.createElement("output");
  #months = [];

  constructor(root) {
    this.#root = root;
    this.#bar.className = "scrubber";
    this.#bar.setAttribute("aria-hidden", "true");
    root.after(this.#bar);
    this.#bar.addEventListener("pointerdown", event => {
      this.#bar.setPointerCapture(event.pointerId);
      this.#scroll(event);
    });
    this.#bar.addEventListener("pointermove", event => {
      if (event.buttons) this.#scroll(event);
      else this.#show(event);
    });
    this.#bar.addEventListener("pointerleave", () => (this.#bubble.hidden = true));
    new ResizeObserver(() => this.#place()).observe(root);
  }

  /** Shows the years of the months, which have a section each. */
  update(months) {
    this.#months = months;
    this.#place();
  }

  #place() {
    const height = this.#root.offsetHeight;
    this.#bar.hidden = height < innerHeight * shownFrom;
    this.#bubble.hidden = true;
    const labels = [];
    let [year, last] = [undefined, -Infinity];
    for (const month of this.#months) {
      const at = (month.section.offsetTop - this.#root.offsetTop) / height;
      if (month.year === year || (at - last) * this.#bar.offsetHeight < distance) continue;
      [year, last] = [month.year, at];
      const label = document.createElement("span");
      label.textContent = year;
      label.style.insetBlockStart = `${at * 100}%`;
      labels.push(label);
    }
    this.#bar.replaceChildren(...labels, this.#bubble);
  }

  #share(event) {
    const { top, height } = this.#bar.getBoundingClientRect();
    return Math.min(Math.max((event.clientY - top) / height, 0), 1);
  }

  #show(event) {
    const share = this.#share(event);
    const at = this.#root.offsetTop + share * this.#root.offsetHeight;
    const month = this.#months.findLast(({ section }) => section.offsetTop <= at) ?? this.#months[0];
    this.#bubble.textContent = month?.title ?? "";
    this.#bubble.style.insetBlockStart = `${share * 100}%`;
    this.#bubble.hidden = false;
  }

  #scroll(event) {
    this.#show(event);
    const top = this.#root.getBoundingClientRect().top + scrollY;
    scrollTo(0, top + this.#share(event) * Math.max(0, this.#root.offsetHeight - innerHeight / 2) - innerHeight / 4);
  }
}
