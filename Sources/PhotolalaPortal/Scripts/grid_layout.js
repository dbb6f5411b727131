// Sizes of the photo grid: rows of photos in their own proportions, and the height of blocks that are not loaded.

// The proportion of a photo whose size in pixels is unknown.
const usual = 4 / 3;

// Whether the style sheet itself reads the proportions from the page.
const isRead = CSS.supports("order: attr(x type(<integer>))");

/** Sets the proportions of a block's photos, from which the style sheet makes rows. */
export function arrange(block) {
  if (isRead) return;
  for (const item of block.querySelectorAll("li[data-ratio]")) {
    item.style.setProperty("--ratio", item.dataset.ratio);
  }
}

/** The measures of a grid in its current width, in pixels. */
export class Measures {
  constructor(root) {
    const style = getComputedStyle(root);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.width = root.clientWidth || 1;
    this.row = parseFloat(style.minBlockSize);
    this.gap = parseFloat(style.getPropertyValue("--gap"));
    this.heading = parseFloat(style.getPropertyValue("--day")) * rem;
  }

  /** Returns the approximate width of a block in one row. */
  breadth({ photos, days, ratios }) {
    return (ratios || photos * usual) * this.row + this.gap * (photos - days) + 4 * this.gap * (days - 1);
  }

  /** Returns the approximate height of a block with photos on a number of days. */
  height({ photos, days, ratios }) {
    const perDay = (ratios || photos * usual) / days;
    const day = perDay * this.row + this.gap * (photos / days);
    if (day >= this.width) return days * (this.heading + Math.ceil(day / this.width) * (this.row + this.gap));
    const parallel = Math.max(1, Math.floor(this.width / (day + 4 * this.gap)));
    return Math.ceil(days / parallel) * (this.heading + this.row + this.gap);
  }
}
