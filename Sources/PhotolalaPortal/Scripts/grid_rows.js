// Breaks photos into rows that end at the edge of the page and are about as high as each other.

// Heights, as parts of the usual height of a row: of the lowest row that is tried, of the highest photo that is not cropped,
// of the highest row that a panorama has alone and of the lowest one, and of the highest last row that ends at the edge.
const [lowest, highest, alone, flattest, stretched] = [0.5, 2, 1.5, 0.75, 1.25];
// The proportion to which a panorama is cropped that shares a row: otherwise the photos beside it would be too small, and
// the row before it too high.
const cropped = 3;
// A row costs the square of the logarithm of its height, as a part of the usual one, times this if it is lower.
const lower = 1.6;
// What these cost in addition: a panorama that shares a row, a photo that is wider than its proportion for its date, and a
// last row that ends early, also for its empty part.
const [sharing, undated, unfilled, empty] = [0.5, 0.25, 0.08, 0.25];

export class Rows {
  #page;
  #shapes;
  #ends;
  #isPanorama;
  /** The proportions of photos that share rows. */
  #ratios;

  /**
   * @param page The width of the page, the usual height of a row, the gap between photos, the space before a day, and the
   * widths of a date and of the tick beside it.
   * @param shapes The proportions of the photos, negative for the first photo of a day.
   * @param ends Whether the last row may end before the edge.
   */
  constructor(page, shapes, ends) {
    [this.#page, this.#shapes, this.#ends] = [page, shapes, ends];
    this.#isPanorama = shapes.map(shape => page.width / Math.abs(shape) <= page.row * alone);
    this.#ratios = shapes.map((shape, photo) => Math.min(Math.abs(shape), this.#isPanorama[photo] ? cropped : Infinity));
  }

  /**
   * Returns the rows for which the sum of the costs is least: the numbers of their photos, the height and the widths of
   * these, and whether a day begins. Takes time in proportion to the photos, as only some of them fit in a row.
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
    const { width, row, gap, apart } = this.#page;
    sums[end] = Infinity;
    // Of the row: the proportions, the space between photos, and the height from which its dates have room.
    let [ratios, space, needed, day, panoramas] = [0, 0, 0, 0, 0];
    for (let start = end - 1; start >= 0; start -= 1) {
      const isFirst = this.#shapes[start] < 0;
      // The photo of a day with one photo is at least as wide as the date.
      const ratio = isFirst && day === 0 ? Math.max(this.#ratios[start], this.#dateWidth(start) / row) : this.#ratios[start];
      ratios += ratio;
      day += ratio;
      if (this.#isPanorama[start]) panoramas += 1;
      const height = (width - space) / ratios;
      const isAlone = end - start === 1;
      if (height < row * lowest && !isAlone) return;
      if (isFirst) {
        needed = Math.max(needed, this.#dateWidth(start) / day);
        day = 0;
      }
      let cost = 0;
      if (!isAlone || panoramas === 0) {
        const isOpen = this.#isOpen(end, height);
        cost = this.#cost(height / row, isOpen, space / width) + panoramas * sharing;
        if ((isOpen ? row : height) < needed) cost += undated;
      }
      if (sums[start] + cost < sums[end]) {
        sums[end] = sums[start] + cost;
        starts[end] = start;
      }
      space += isFirst ? gap + apart : gap;
    }
  }

  /** Returns what a row costs that would have a height, as a part of the usual one, and of whose width a part is space. */
  #cost(height, isOpen, space) {
    if (isOpen) return unfilled + empty * (1 - space) * (1 - 1 / height);
    return Math.log(height) ** 2 * (height < 1 ? lower : 1);
  }

  /** Returns whether a row would be the last one and too high, and so ends before the edge. */
  #isOpen(end, height) {
    return this.#ends && end === this.#shapes.length && height > this.#page.row * stretched;
  }

  #row(start, end) {
    const { width, row, gap, apart } = this.#page;
    const shapes = this.#shapes.slice(start, end);
    const isDated = shapes.some(shape => shape < 0);
    if (shapes.length === 1 && this.#isPanorama[start]) {
      return { start, end, isDated, widths: [width], height: Math.max(width / Math.abs(shapes[0]), row * flattest) };
    }
    const space = shapes.reduce((sum, shape, number) => (number ? sum + gap + (shape < 0 ? apart : 0) : 0), 0);
    const ratios = this.#ratios.slice(start, end);
    const filling = (width - space) / sum(ratios);
    let height = this.#isOpen(end, filling) ? row : filling;
    let widths = this.#widths(start, end, height);
    // Photos that are widened make the others smaller, of which more may have to be widened then.
    for (let left = 4; left > 0 && sum(widths) - (width - space) > 0.001; left -= 1) {
      const others = ratios.filter((ratio, number) => widths[number] === ratio * height);
      if (others.length === 0) break;
      height = Math.max(row * lowest, height - (sum(widths) - (width - space)) / sum(others));
      widths = this.#widths(start, end, height);
    }
    const part = Math.min(1, (width - space) / sum(widths));
    return { start, end, isDated, widths: widths.map(each => each * part), height: Math.min(height, row * highest) };
  }

  /** Returns the widths of photos at a height, of which the first of a day leaves room for the date. */
  #widths(start, end, height) {
    const widths = [];
    let room = 0;
    for (let photo = end - 1; photo >= start; photo -= 1) {
      const width = this.#ratios[photo] * height;
      room += width;
      widths.push(this.#shapes[photo] < 0 ? width + Math.max(0, this.#dateWidth(photo) - room) : width);
      if (this.#shapes[photo] < 0) room = 0;
    }
    return widths.reverse();
  }

  /** Returns the width of the date above a photo. A day with one photo has no tick. */
  #dateWidth(photo) {
    const isSingle = !(this.#shapes[photo + 1] > 0);
    return this.#page.date + (isSingle ? 0 : this.#page.tick);
  }
}

function sum(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}
