// The descriptions of one folder of a Google Takeout, by name and by title.
import {
  areConvertible, cut, descriptionLimit, mediaLimit, readings, sanitized, split, supplement,
} from "./takeout_names.js";

// Long names whose beginnings are equal may have been exchanged by the truncation.
const comparedLength = 36;
// The longest beginning of a long title that every file name of it has.
const titleLength = 40;
// More descriptions with equal beginnings than this are not compared by title.
const mostFamily = 200;
// The shortest name, without its extension and the mark of an edited version, of which a truncated description is
// searched.
const shortestLongName = 24;
const longestTitle = 4096;

/** Returns whether a name may be truncated. Half a character is left out. */
const isLong = core => core.length >= descriptionLimit - 1;
const key = (base, number) => `${number ?? ""}/${base}`;
const photoName = (stem, ending) => cut(stem, mediaLimit - ending.length) + ending.toLowerCase();

function add(map, name, value) {
  if (map.has(name)) map.get(name).push(value);
  else map.set(name, [value]);
}

export class DescriptionIndex {
  /** The original names of the photos as their stem and ending; `null` if unknown. */
  titles = [];
  #exact = new Map();
  #folded = new Map();
  /** What precedes a dot in a name, also in lower case, to exclude most candidates at once. */
  #stems = new Set();
  /** The descriptions with long names by their beginning. */
  #families = new Map();
  #byLongName = new Map();
  #byTitle = new Map();
  #byLongTitle = new Map();
  /** The names of photos that the titles of one truncated name lead to. */
  #photoNames = new Map();
  #byPhotoName = new Map();
  #cores = [];

  /** Takes the names with `.json`, and the titles in the descriptions. */
  constructor(descriptions) {
    for (const [index, { name, title }] of descriptions.entries()) {
      const core = name.slice(0, -".json".length);
      const all = readings(core);
      for (const { base, number } of all) {
        add(this.#exact, key(base, number), index);
        add(this.#folded, key(base.toLowerCase(), number), index);
        if (isLong(base)) this.#addLongName(base, number, index);
        this.#addStems(base);
      }
      this.#cores.push(all[0]);
      this.titles.push(this.#addTitle(title, index));
      if (isLong(all[0].base)) this.#addPhotoName(all[0].base, index);
    }
  }

  #addLongName(base, number, index) {
    const family = cut(base, comparedLength);
    if (this.#families.get(family)?.at(-1) !== index) add(this.#families, family, index);
    if (base.length === descriptionLimit) add(this.#byLongName, cut(base, shortestLongName), { base, number, index });
  }

  #addStems(base) {
    for (const text of new Set([base, base.toLowerCase()])) {
      this.#stems.add(text);
      for (let dot = text.indexOf("."); dot >= 0; dot = text.indexOf(".", dot + 1)) this.#stems.add(text.slice(0, dot));
    }
  }

  #addTitle(title, index) {
    if (!title || title.length > longestTitle) return null;
    const [stem, ending] = split(sanitized(title.normalize("NFC")));
    add(this.#byTitle, stem, index);
    add(this.#byLongTitle, cut(stem, titleLength), index);
    return { stem, ending };
  }

  #addPhotoName(base, index) {
    const title = this.titles[index];
    const name = title ? photoName(title.stem, title.ending) : "";
    if (!this.#photoNames.has(base)) this.#photoNames.set(base, new Set());
    this.#photoNames.get(base).add(name);
    if (title) add(this.#byPhotoName, name, index);
  }

  /**
   * Returns whether a description has the number of its photo. Descriptions are numbered among all titles with one
   * truncated name, photos only among those with one longer truncated name.
   */
  isNumberShared(index) {
    return (this.#photoNames.get(this.#cores[index].base)?.size ?? 1) < 2;
  }

  /** Returns descriptions whose title leads to the name of a photo. */
  findPhotoName(stem, ending) {
    return this.#byPhotoName.get(photoName(stem, ending)) ?? [];
  }

  number(index) {
    return this.#cores[index].number;
  }

  /** Returns whether a stem, which is not truncated, may precede an extension in the name of a description. */
  mayHave(stem) {
    return stem.length > descriptionLimit - 6 || this.#stems.has(stem);
  }

  /** Returns the descriptions with a name, which may be truncated, or followed by the beginning of the supplement. */
  find(name, number, isCut = true, isFolded = false) {
    const limit = isCut ? descriptionLimit : Infinity;
    const short = cut(name, limit);
    const found = this.#named(short, number, isFolded);
    if (found) return found;
    const other = short === name ? cut(name + supplement, limit) : name;
    return this.#named(other, number, isFolded) ?? this.#supplemented(name, number, isFolded);
  }

  #named(name, number, isFolded) {
    return isFolded ? this.#folded.get(key(name.toLowerCase(), number)) : this.#exact.get(key(name, number));
  }

  #supplemented(name, number, isFolded) {
    for (let length = supplement.length; length > 0; length -= 1) {
      const found = this.#named(name + supplement.slice(0, length), number, isFolded);
      if (found) return found;
    }
    return [];
  }

  /** Returns the descriptions with a truncated name that begins with a text. */
  findTruncated(text, number) {
    const beginning = cut(text, shortestLongName);
    if (beginning.length < shortestLongName - 1) return [];
    const candidates = this.#byLongName.get(beginning) ?? [];
    if (candidates.length > mostFamily) return [];
    return candidates.filter(each => each.number === number && each.base.startsWith(text)).map(({ index }) => index);
  }

  /** Returns the descriptions whose title is equal to a file's stem or, if that may be truncated, begins with it. */
  findTitled(stem, ending, number) {
    const mayBeCut = stem.length + ending.length >= 50;
    const candidates = (mayBeCut ? this.#byLongTitle.get(cut(stem, titleLength)) : this.#byTitle.get(stem)) ?? [];
    if (candidates.length > mostFamily) return [];
    return candidates.filter(index => {
      const title = this.titles[index];
      if (!title || this.number(index) !== number) return false;
      return (title.stem === stem || (mayBeCut && cut(title.stem, stem.length) === stem))
        && areConvertible(title.ending, ending);
    });
  }

  /** Returns the descriptions with titles whose names begin like that of one; `null` if its name is not long. */
  family(index) {
    const { base } = this.#cores[index];
    if (!isLong(base)) return null;
    const family = this.#families.get(cut(base, comparedLength)) ?? [];
    return family.length <= mostFamily ? family.filter(each => this.titles[each]) : null;
  }
}
