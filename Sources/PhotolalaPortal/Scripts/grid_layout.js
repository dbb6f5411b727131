// Sizes of the photo grid: rows of photos in their own proportions, and the size of blocks that are not loaded.
import { Rows } from "./grid_rows.js";

// The proportion of a photo whose size in pixels is unknown.
const usual = 4 / 3;
// The width of the tick beside a date, and the space before the next date, in rem.
const [tick, between] = [1.75, 0.25];
// Browsers round widths to parts of a pixel.
const step = 1 / 64;

// Whether the style sheet itself reads the proportions from the page.
const isRead = CSS.supports("order: attr(x type(<integer>))");
const pen = document.createElement("canvas").getContext("2d");

/** Returns the proportions of photos, negative for the first photo of a day. */
function shapesOf(items) {
  return items.map(item => (item.dataset.ratio ? Number(item.dataset.ratio) : usual) * (item.matches(".first") ? -1 : 1));
}

/** The measures of a grid in its current width, in pixels. */
export class Measures {
  #rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  #font;
  /** The widths of texts. */
  #texts = new Map();

  constructor(root) {
    const style = getComputedStyle(root);
    const length = name => parseFloat(style.getPropertyValue(name));
    this.heading = length("--day") * this.#rem;
    this.page = {
      width: root.getBoundingClientRect().width || 1, row: parseFloat(style.minBlockSize), gap: length("--gap"),
      apart: length("--apart"), date: length("--date") * this.#rem, tick: tick * this.#rem,
    };
  }

  /** Makes the rows of a flow, whose photos are loaded. Only their styles change: nothing is read from the page. */
  arrange(flow) {
    const items = Array.from(flow.querySelectorAll("li"));
    for (const { start, end, widths, height } of new Rows(this.page, shapesOf(items), flow.ends).all()) {
      // The dates end where the next day begins.
      let room = 0;
      for (let number = end - 1; number >= start; number -= 1) {
        const [item, width] = [items[number], Math.floor(widths[number - start] / step) * step];
        if (!isRead && item.dataset.ratio) item.style.setProperty("--ratio", item.dataset.ratio);
        item.style.setProperty("--wide", `${width}px`);
        item.style.setProperty("--high", `${height}px`);
        item.classList.toggle("start", number === start);
        room += width;
        if (item.matches(".first")) {
          this.#fit(item.querySelector("h3"), room);
          room = 0;
        } else room += this.page.gap;
      }
    }
    flow.classList.add("arranged");
  }

  /** Shows the date of a day, or a shorter one where it has no room beside the tick. */
  #fit(heading, room) {
    this.#font ??= getComputedStyle(heading).font;
    const needed = this.#textWidth(heading.textContent) + (heading.querySelector(".tick") ? this.page.tick : 0);
    heading.classList.toggle("brief", needed + between * this.#rem > room);
    heading.style.setProperty("--room", `${room}px`);
  }

  #textWidth(text) {
    if (!this.#texts.has(text)) {
      pen.font = this.#font;
      this.#texts.set(text, Math.ceil(pen.measureText(text).width));
    }
    return this.#texts.get(text);
  }

  /**
   * Returns the height of rows whose photos are not loaded.
   * @param shapes The proportions in thousandths, negative for the first photo of a day.
   */
  exactHeight(shapes, ends) {
    const rows = new Rows(this.page, shapes.map(shape => shape / 1000), ends).all();
    const sum = rows.reduce((sum, { height, isDated }) => sum + height + (isDated ? this.heading : 0), 0);
    return sum + this.page.gap * (rows.length - 1);
  }

  /** Returns the approximate height of photos whose proportions are unknown. */
  height({ photos, days, ratios }) {
    const { width, row, gap, apart } = this.page;
    const all = (ratios || photos * usual) * row + gap * (photos - 1) + apart * days;
    const rows = Math.max(1, Math.round(all / width));
    const dated = Math.min(days, rows * (1 - Math.exp(-days / rows)) + 0.5);
    return rows * (row + gap) + dated * this.heading - gap;
  }
}
