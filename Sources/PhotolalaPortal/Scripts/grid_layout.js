// Sizes of the photo grid: rows of photos in their own proportions, and the size of blocks that are not loaded.

// The proportion of a photo whose size in pixels is unknown, in thousandths.
const usual = 1333;
// How much lower than usual rows may be so that the last one is full. Higher ones would have fewer photos on phones.
const changes = Array.from({ length: 12 }, (_, number) => number * -0.02);
// The usual height of rows after that, as a part of the one before.
const typical = 0.91;
// How far the last row is stretched at most.
const stretched = 1.25;
// The stretching of a row that is not worth another height, and the difference that is.
const [good, even] = [1.35, 0.05];
// As in the style sheet.
const most = 1.8;
// Browsers round widths to parts of a pixel.
const tolerance = 0.02;

// Whether the style sheet itself reads the proportions from the page.
const isRead = CSS.supports("order: attr(x type(<integer>))");

/** Sets the proportions of a block's photos, from which the style sheet makes rows. */
export function arrange(block) {
  if (isRead) return;
  for (const item of block.querySelectorAll("li[data-ratio]")) {
    item.style.setProperty("--ratio", item.dataset.ratio);
  }
}

/** Returns the proportions of photos in thousandths, negative for the first photo of a day. */
export function shapes(items) {
  return Array.from(items, item => {
    const shape = item.dataset.ratio ? Math.round(item.dataset.ratio * 1000) : usual;
    return item.classList.contains("first") ? -shape : shape;
  });
}

/** The measures of a grid in its current width, in pixels. */
export class Measures {
  constructor(root) {
    const style = getComputedStyle(root);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.row = parseFloat(style.minBlockSize);
    this.gap = parseFloat(style.getPropertyValue("--gap"));
    this.apart = parseFloat(style.getPropertyValue("--apart"));
    this.heading = parseFloat(style.getPropertyValue("--day")) * rem;
    this.width = (root.getBoundingClientRect().width || 1) + this.apart;
  }

  /**
   * Returns the height of a row before it is stretched at which rows are most even, whether the last one then ends at the
   * edge, and the height of all rows.
   * @param shapes As of `shapes`.
   * @param ends Whether a last row that is not full keeps its height.
   */
  fitted(shapes, ends) {
    let best;
    for (const change of changes) {
      const row = this.row * (1 + change);
      const rows = this.#rows(shapes, row);
      const last = rows.at(-1);
      const isFull = last.growth <= stretched;
      const most = Math.max(...rows.map(each => each.growth));
      const cost = isFull ? most : most + 1;
      if (best && cost > best.cost - even) continue;
      if (ends && !isFull) last.growth = 1;
      best = { row, isFull, height: this.#height(rows, row), cost };
      if (cost < good) break;
    }
    return best;
  }

  /** Makes rows as the style sheet does. Returns how much each is stretched, and whether a day begins in it. */
  #rows(shapes, height) {
    const rows = [];
    let row;
    for (const shape of shapes) {
      const ratio = Math.abs(shape) / 1000;
      const width = Math.min(ratio * height, this.width) + (shape < 0 ? this.apart : 0);
      if (row && row.width + this.gap + width <= this.width + tolerance) row.width += this.gap + width;
      else rows.push((row = { width, ratios: 0, isDated: false }));
      row.ratios += ratio;
      row.isDated ||= shape < 0;
    }
    for (const row of rows) row.growth = Math.min(most, 1 + Math.max(0, this.width - row.width) / (row.ratios * height));
    return rows;
  }

  #height(rows, height) {
    const sum = rows.reduce((sum, row) => sum + row.growth * height + (row.isDated ? this.heading : 0), 0);
    return sum + this.gap * (rows.length - 1);
  }

  /** Returns the approximate height of photos whose proportions are unknown. */
  height({ photos, days, ratios }) {
    const row = this.row * typical;
    const all = (ratios || (photos * usual) / 1000) * row + this.gap * (photos - 1) + this.apart * days;
    // A row ends half a photo early, on average, and is stretched.
    const filled = Math.max(this.width / 2, this.width - all / photos / 2);
    const rows = Math.max(1, Math.round(all / filled));
    const dated = Math.min(days, rows * (1 - Math.exp(-days / rows)) + 0.5);
    return rows * (row * (this.width / filled) + this.gap) + dated * this.heading - this.gap;
  }
}
