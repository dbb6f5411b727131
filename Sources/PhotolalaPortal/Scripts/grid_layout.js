// Sizes of the photo grid: rows of photos in their own proportions, and the size of blocks that are not loaded.
import { Rows } from "./grid_rows.js";

// The proportion of a photo whose size in pixels is unknown.
const usual = 4 / 3;
// The width of the tick beside a date, and the space before the next date, in rem.
const [tick, between] = [1.75, 0.25];
// The widths in rem below which a photo has room for one of its signs, and when it is selected, which makes it smaller.
const narrow = [["narrow", 6], ["tight", 7.5]];
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
  #root;
  #font;
  /** The widths of texts. */
  #texts = new Map();

  constructor(root) {
    this.#root = root;
    const style = getComputedStyle(root);
    const length = name => parseFloat(style.getPropertyValue(name));
    this.heading = length("--day") * this.#rem;
    this.year = length("--year") * this.#rem;
    this.page = {
      width: root.getBoundingClientRect().width || 1, row: parseFloat(style.minBlockSize), most: length("--most"),
      gap: length("--gap"), apart: length("--apart"), date: length("--date") * this.#rem, tick: tick * this.#rem,
    };
  }

  /** Makes the rows of a flow, whose photos are loaded. Only their styles change: nothing is read from the page. */
  arrange(flow) {
    const items = Array.from(flow.querySelectorAll("li"));
    for (const { start, end, widths, height, isDated, after } of new Rows(this.page, shapesOf(items), flow.ends).all()) {
      // The dates end where the next day begins.
      let room = 0;
      const dates = [];
      for (let number = end - 1; number >= start; number -= 1) {
        const [item, width] = [items[number], Math.floor(widths[number - start] / step) * step];
        if (!isRead && item.dataset.ratio) item.style.setProperty("--ratio", item.dataset.ratio);
        item.style.setProperty("--wide", `${width}px`);
        item.style.setProperty("--high", `${height}px`);
        item.style.setProperty("--rest", `${after ?? 0}px`);
        for (const [name, most] of narrow) item.classList.toggle(name, width < most * this.#rem);
        item.classList.toggle("start", number === start);
        delete item.dataset.again;
        room += width;
        if (item.matches(".first") || (isDated && number === start)) {
          dates.push({ item, room: after === undefined ? room : this.page.width });
          room = 0;
        } else room += this.page.gap;
      }
      this.#date(dates);
    }
    flow.classList.add("arranged");
  }

  /**
   * Shows the dates of a row: of the days that begin in it, and of one that continues beside them. All are shorter if one has no
   * room beside its tick, or if only some are of the current year.
   */
  #date(dates) {
    for (const each of dates) {
      const day = each.item.closest(".day");
      each.heading = day.querySelector("h3");
      [each.full, each.short] = each.heading
        ? [each.heading.textContent, each.heading.dataset.short] : [day.dataset.full, day.dataset.short];
      if (!each.item.matches(".first")) each.heading = undefined;
      each.tick = each.heading?.querySelector(".tick") ? this.page.tick : 0;
    }
    const fits = ({ tick, room }, text) => this.#textWidth(text) + tick + between * this.#rem <= room;
    // Those of the current year have no year.
    const isMixed = new Set(dates.map(({ full }) => /\d{4}/.test(full))).size > 1;
    const isBrief = isMixed || !dates.every(each => fits(each, each.full));
    for (const each of dates) {
      each.item.style.setProperty("--room", `${each.room}px`);
      if (!each.heading) each.item.dataset.again = isBrief ? each.short : each.full;
      each.heading?.classList.toggle("brief", isBrief);
      each.heading?.classList.toggle("unticked", !fits(each, isBrief ? each.short : each.full));
    }
  }

  #textWidth(text) {
    if (!this.#texts.has(text)) {
      pen.font = this.#font ??= getComputedStyle(this.#root.querySelector("h3") ?? this.#root).font;
      this.#texts.set(text, Math.ceil(pen.measureText(text).width));
    }
    return this.#texts.get(text);
  }

  /**
   * Returns the height of rows whose photos are not loaded.
   * @param shapes The proportions in thousandths, negative for the first photo of a day.
   * @param years The numbers of the photos above which a year is marked.
   */
  exactHeight(shapes, years, ends) {
    const rows = new Rows(this.page, shapes.map(shape => shape / 1000), ends).all();
    const marked = rows.filter(({ start, end }) => years.some(photo => start <= photo && photo < end)).length;
    const sum = rows.reduce((sum, { height, isDated }) => sum + height + (isDated ? this.heading : 0), 0);
    return sum + this.year * marked + this.page.gap * (rows.length - 1);
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
