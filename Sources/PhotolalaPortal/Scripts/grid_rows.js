// Breaks photos into rows that end at the edge of the page and are about as high as each other.

// Heights, as parts of the usual height of a row: of the lowest and the highest row, of the lowest panorama, of the lowest
// row that is tried where no other is possible, and of the highest one then.
const [lowest, highest, flattest, tried, capped] = [0.8, 1.25, 0.72, 0.5, 2];
// Photos with larger proportions are panoramas: each has a row of its own, and is not cropped to less than the second one.
const [panorama, flat] = [3, 5];
// What photos that are not upright are widened or narrowed by at most, so that a row keeps to the heights. They are cropped.
const cropped = 1.06;
// A row costs the square of the logarithm of its height, as a part of the usual one, times this if it is lower.
const lower = 1.6;
// What these cost in addition: a row that is lower or higher, a photo that is cropped for its date (times the square of the
// logarithm of by how much), a date without room for its tick, a last row that ends early, also for its empty part, and
// another row that does.
const [beyond, undated, unticked, unfilled, empty, broken] = [2, 40, 0.1, 0.08, 0.25, 0.6];

export class Rows {
  #page;
  #shapes;
  #ends;
  #ratios;

  /**
   * @param page The width of the page, the usual height of a row, the most photos of a row, the gap between photos, the space
   * before a day, and the widths of a date and of the tick beside it.
   * @param shapes The proportions of the photos, negative for the first photo of a day.
   * @param ends Whether the last row may end before the edge.
   */
  constructor(page, shapes, ends) {
    [this.#page, this.#shapes, this.#ends] = [page, shapes, ends];
    this.#ratios = shapes.map(Math.abs);
  }

  /**
   * Returns the rows for which the sum of the costs is least: the numbers of their photos, the height and the widths of
   * these, the width that remains beside a panorama, and whether a day begins. Takes time in proportion to the photos, as
   * only some of them fit in a row.
   */
  all() {
    const count = this.#shapes.length;
    const sums = new Float64Array(count + 1);
    const starts = new Int32Array(count + 1);
    for (let end = 1; end <= count; end += 1) this.#choose(end, sums, starts);
    const rows = [];
    for (let end = count; end > 0; end = starts[end]) rows.push(this.#row(starts[end], end));
    return rows.reverse();
  }

  /** Finds where the row that ends before a photo is to start, and the sum of the costs up to its end. */
  #choose(end, sums, starts) {
    const { width, row, most, gap, apart, date, tick } = this.#page;
    sums[end] = Infinity;
    // Of the row: the proportions of upright and of other photos, the space between photos, and the heights from which its
    // dates have room, alone and with their ticks.
    let [tall, wide, space, needed, wanted, day] = [0, 0, 0, 0, 0, 0];
    for (let start = end - 1; start >= Math.max(0, end - most); start -= 1) {
      const isAlone = end - start === 1;
      if (isPanorama(this.#ratios[start])) {
        if (isAlone) [sums[end], starts[end]] = [sums[start], start];
        return;
      }
      const isFirst = this.#shapes[start] < 0;
      const ratio = this.#ratios[start];
      if (ratio < 1) tall += ratio;
      else wide += ratio;
      day += ratio;
      if (width - space < row * tried * (tall + wide) && !isAlone) return;
      if (isFirst) {
        needed = Math.max(needed, date / day);
        // A day with one photo has no tick.
        if (this.#shapes[start + 1] > 0) wanted = Math.max(wanted, (date + tick) / day);
        day = 0;
      }
      const height = this.#height(width - space, tall, wide, end - start);
      const shown = this.#shown(end, height, end - start);
      let cost = this.#cost(height / row, end - start);
      if (shown < height) {
        const part = Math.min(1, (space + shown * (tall + wide)) / width);
        cost = (this.#isLast(end) ? unfilled : broken) + empty * (1 - part);
      }
      if (shown < needed) cost += Math.log(needed / shown) ** 2 * undated;
      if (shown < wanted) cost += unticked;
      if (sums[start] + cost < sums[end]) [sums[end], starts[end]] = [sums[start] + cost, start];
      space += isFirst ? gap + apart : gap;
    }
  }

  /** Returns the highest row of a number of photos. On phones a row has few, so that narrow ones are higher. */
  #highest(count) {
    return this.#page.row * (count === this.#page.most ? capped : highest);
  }

  /**
   * Returns the height of a row that fills a width. Crops photos that are not upright, as far as needed and permitted, to keep
   * to the lowest and the highest row.
   */
  #height(width, tall, wide, count) {
    const height = width / (tall + wide);
    const bound = Math.min(Math.max(height, this.#page.row * lowest), this.#highest(count));
    if (height > bound) return Math.max(bound, width / (tall + wide * cropped));
    return Math.min(bound, width / (tall + wide / cropped));
  }

  /** Returns what a row costs that has a height, as a part of the usual one. */
  #cost(height, count) {
    const isBeyond = height < lowest - 0.001 || height * this.#page.row > this.#highest(count) + 0.001;
    return Math.log(height) ** 2 * (height < 1 ? lower : 1) * (isBeyond ? 4 : 1) + (isBeyond ? beyond : 0);
  }

  /** Returns the height of a row, also if it would fill the width only at one that is too high, and so ends before the edge:
   * the last one, and one before a panorama. */
  #shown(end, height, count) {
    const { row } = this.#page;
    if (height <= this.#highest(count) + 0.001) return height;
    if (this.#isLast(end)) return row;
    return end === this.#shapes.length || isPanorama(this.#ratios[end]) ? row * highest : height;
  }

  #isLast(end) {
    return this.#ends && end === this.#shapes.length;
  }

  #row(start, end) {
    const { width, row, gap, apart } = this.#page;
    const shapes = this.#shapes.slice(start, end);
    const ratios = this.#ratios.slice(start, end);
    const isDated = shapes.some(shape => shape < 0);
    if (isPanorama(ratios[0])) {
      const filling = Math.max(width / ratios[0], Math.min(width / flat, row * flattest));
      const height = Math.min(filling, row * highest);
      const widths = [Math.min(width, ratios[0] * height)];
      return { start, end, isDated, widths, height, after: width - widths[0] };
    }
    const space = shapes.reduce((sum, shape, number) => (number ? sum + gap + (shape < 0 ? apart : 0) : 0), 0);
    // Photos that are widened for their dates make the others smaller, of which more may have to be widened then.
    const fixed = [];
    for (let left = 4; ; left -= 1) {
      const { height, widths, isOpen } = this.#filled(ratios, fixed, width - space, end);
      if (left > 0 && this.#widen(start, widths, fixed)) continue;
      const part = Math.min(isOpen ? 1 : Infinity, (width - space) / sum(widths));
      return { start, end, isDated, widths: widths.map(each => each * part), height: Math.min(height, row * capped) };
    }
  }

  /** Returns the height of a row and the widths of its photos, of which those that are widened already have one. */
  #filled(ratios, fixed, width, end) {
    const isFree = number => fixed[number] === undefined;
    const free = width - sum(fixed.filter(Boolean));
    const tall = sum(ratios.filter((ratio, number) => isFree(number) && ratio < 1));
    const wide = sum(ratios.filter((ratio, number) => isFree(number) && ratio >= 1));
    const { row } = this.#page;
    const filling = tall + wide > 0 ? Math.max(row * tried, this.#height(free, tall, wide, ratios.length)) : row;
    const height = this.#shown(end, filling, ratios.length);
    const isOpen = height < filling;
    const needed = isOpen || wide === 0 ? 1 : (free - tall * height) / (wide * height);
    const part = Math.max(1 / cropped, Math.min(cropped, needed));
    const widths = ratios.map((ratio, number) => fixed[number] ?? ratio * height * (ratio < 1 ? 1 : part));
    return { height, widths, isOpen };
  }

  /** Widens photos that have no room for the date above them. Returns whether there is one. */
  #widen(start, widths, fixed) {
    let [room, isWidened] = [0, false];
    for (let number = widths.length - 1; number >= 0; number -= 1) {
      room += widths[number];
      if (this.#shapes[start + number] > 0) continue;
      if (this.#page.date - room > 0.001) {
        fixed[number] = widths[number] + this.#page.date - room;
        isWidened = true;
      }
      room = 0;
    }
    return isWidened;
  }
}

/** Returns whether a photo has a row of its own. */
export function isPanorama(ratio) {
  return ratio > panorama;
}

function sum(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
