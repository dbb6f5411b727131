// Breaks photos into rows that end at the edge of the page and are about as high as each other.

// Heights, as parts of the usual height of a row: of the lowest and the highest row, of the lowest and the highest one with a
// panorama, of the lowest panorama in a row of its own, of the lowest row that is tried where no other is possible, and of the
// highest one then.
const [lowest, highest, lowestWide, highestWide, flattest, tried, capped] = [0.8, 1.25, 0.6, 1.45, 0.72, 0.45, 2];
// Photos with larger proportions are panoramas. They are whole, except in a row of their own that would be lower than that: to
// not less than the second one.
const [panorama, flat] = [3, 5];
// What photos that are not upright are widened or narrowed by at most, so that a row keeps to the heights. They are cropped.
const cropped = 1.06;
// A row costs the square of the logarithm of its height, as a part of the usual one, times this if it is lower.
const lower = 1.6;
// What these cost in addition: a row that is lower or higher, a photo that is cropped for its date (times the square of the
// logarithm of by how much), a date without room for its tick, a last row that ends early, also for its empty part, and
// another row that does.
const [beyond, undated, unticked, unfilled, empty, broken] = [2, 40, 0.1, 0.08, 0.25, 2.5];

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
    // Of the row: the proportions of photos that stay whole and of others, the space between photos, and the heights from which its
    // dates have room, alone and with their ticks.
    let [whole, wide, space, needed, wanted, day] = [0, 0, 0, 0, 0, 0];
    let isWide = false;
    for (let start = end - 1; start >= Math.max(0, end - most); start -= 1) {
      const isAlone = end - start === 1;
      const isFirst = this.#shapes[start] < 0;
      const ratio = this.#ratios[start];
      if (isCropped(ratio)) wide += ratio;
      else whole += ratio;
      day += ratio;
      isWide ||= isPanorama(ratio);
      if (width - space < row * tried * (whole + wide) && !isAlone) return;
      if (isFirst) {
        needed = Math.max(needed, date / day);
        // A day with one photo has no tick.
        if (this.#shapes[start + 1] > 0) wanted = Math.max(wanted, (date + tick) / day);
        day = 0;
      }
      const limits = this.#limits(end - start, isWide);
      const height = isAlone && isWide ? this.#alone(ratio) : this.#height(width - space, whole, wide, limits);
      const shown = this.#shown(start, end, height, limits);
      let cost = this.#cost(height, limits);
      if (shown < height) {
        const part = Math.min(1, (space + shown * (whole + wide)) / width);
        cost = (this.#isLast(end) ? unfilled : broken) + empty * (1 - part);
      }
      if (shown < needed) cost += Math.log(needed / shown) ** 2 * undated;
      if (shown < wanted) cost += unticked;
      if (sums[start] + cost < sums[end]) [sums[end], starts[end]] = [sums[start] + cost, start];
      space += isFirst ? gap + apart : gap;
    }
  }

  /** Returns the heights of the lowest and the highest row. On phones a row has few photos, so that narrow ones are higher. */
  #limits(count, isWide) {
    const { row, most } = this.#page;
    if (isWide) return [row * lowestWide, row * highestWide];
    return [row * lowest, row * (count === most ? capped : highest)];
  }

  /**
   * Returns the height of a row that fills a width. Crops photos that need not stay whole, as far as needed and permitted, to
   * keep to the lowest and the highest row.
   */
  #height(width, whole, wide, [low, high]) {
    const height = width / (whole + wide);
    const bound = Math.min(Math.max(height, low), high);
    if (height > bound) return Math.max(bound, width / (whole + wide * cropped));
    return Math.min(bound, width / (whole + wide / cropped));
  }

  /** Returns the height of a panorama that fills a row of its own. */
  #alone(ratio) {
    const { width, row } = this.#page;
    return Math.max(width / ratio, Math.min(width / flat, row * flattest));
  }

  /** Returns what a row of a height costs. */
  #cost(height, [low, high]) {
    const isBeyond = height < low - 0.001 || height > high + 0.001;
    const part = height / this.#page.row;
    return Math.log(part) ** 2 * (part < 1 ? lower : 1) * (isBeyond ? 4 : 1) + (isBeyond ? beyond : 0);
  }

  /**
   * Returns the height of a row, also if it would fill the width only at one that is too high, and so ends before the edge: the
   * last one, and one with or before a panorama.
   */
  #shown(start, end, height, [, high]) {
    if (height <= high + 0.001) return height;
    if (this.#isLast(end)) return this.#page.row;
    const isBeside = [start, end].some(each => isPanorama(this.#ratios[each]));
    return end === this.#shapes.length || isBeside ? high : height;
  }

  #isLast(end) {
    return this.#ends && end === this.#shapes.length;
  }

  #row(start, end) {
    const { width, row, gap, apart } = this.#page;
    const shapes = this.#shapes.slice(start, end);
    const ratios = this.#ratios.slice(start, end);
    const isDated = shapes.some(shape => shape < 0);
    const limits = this.#limits(end - start, ratios.some(isPanorama));
    if (end - start === 1 && isPanorama(ratios[0])) {
      const height = this.#shown(start, end, this.#alone(ratios[0]), limits);
      const widths = [Math.min(width, ratios[0] * height)];
      return { start, end, isDated, widths, height, after: width - widths[0] };
    }
    const space = shapes.reduce((sum, shape, number) => (number ? sum + gap + (shape < 0 ? apart : 0) : 0), 0);
    // Photos that are widened for their dates make the others smaller, of which more may have to be widened then.
    const fixed = [];
    for (let left = 4; ; left -= 1) {
      const { height, widths, isOpen } = this.#filled(start, end, fixed, width - space, limits);
      if (left > 0 && this.#widen(start, widths, fixed)) continue;
      const part = Math.min(isOpen ? 1 : Infinity, (width - space) / sum(widths));
      return { start, end, isDated, widths: widths.map(each => each * part), height: Math.min(height, row * capped) };
    }
  }

  /** Returns the height of a row and the widths of its photos, of which those that are widened already have one. */
  #filled(start, end, fixed, width, limits) {
    const ratios = this.#ratios.slice(start, end);
    const isFree = number => fixed[number] === undefined;
    const free = width - sum(fixed.filter(Boolean));
    const whole = sum(ratios.filter((ratio, number) => isFree(number) && !isCropped(ratio)));
    const wide = sum(ratios.filter((ratio, number) => isFree(number) && isCropped(ratio)));
    const { row } = this.#page;
    const filling = whole + wide > 0 ? Math.max(row * tried, this.#height(free, whole, wide, limits)) : row;
    const height = this.#shown(start, end, filling, limits);
    const isOpen = height < filling;
    const needed = isOpen || wide === 0 ? 1 : (free - whole * height) / (wide * height);
    const part = Math.max(1 / cropped, Math.min(cropped, needed));
    const widths = ratios.map((ratio, number) => fixed[number] ?? ratio * height * (isCropped(ratio) ? part : 1));
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

function isPanorama(ratio) {
  return ratio > panorama;
}

/** Returns whether a photo may be cropped a little: neither upright nor a panorama. */
function isCropped(ratio) {
  return ratio >= 1 && !isPanorama(ratio);
}

function sum(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
