// Finds the description of each photo and video in one folder of a Google Takeout. Google names both after the photo's
// title, truncates the names at different lengths and numbers repeated names separately.
import { DescriptionIndex } from "./takeout_index.js";
import {
  cut, edited, isCut, isVideo, mediaLimit, photoEndings, readings, sanitized, split, videoEndings,
} from "./takeout_names.js";

const inBothCases = endings => endings.flatMap(ending => [`.${ending}`, `.${ending.toUpperCase()}`]);
const originalEndings = [...inBothCases([...photoEndings, ...videoEndings]), ""];
const [pictureEndings, foldedEndings] = [inBothCases(photoEndings), photoEndings.map(ending => `.${ending}`)];

function first(elements, find) {
  for (const element of elements) {
    const found = find(element);
    if (found.length > 0) return found;
  }
  return [];
}

export class TakeoutMatcher {
  #index;

  /** Takes descriptions as `{ name, title }`, with names that end in `.json`. */
  constructor(descriptions) {
    this.#index = new DescriptionIndex(descriptions);
  }

  /**
   * Returns a match for each of the names; `undefined` for those without a description. A match has several
   * descriptions if names and titles do not decide. Its kind is `original`, `edited`, or `companion` for the video of a
   * Live Photo.
   */
  matches(media) {
    const names = media.map(name => {
      const [stem, ending] = split(name);
      return { stem, ending, readings: readings(stem) };
    });
    const found = new Array(media.length);
    for (const [kind, find] of this.#rules) {
      for (const [position, name] of names.entries()) {
        if (found[position]) continue;
        const descriptions = this.#verified(find(name), name);
        if (descriptions.length > 0) found[position] = { descriptions, kind };
      }
    }
    return found;
  }

  /** The rules are applied one after the other to all files, most reliable first. */
  #rules = [
    ["original", name => this.#named(name, false)],
    ["original", name => this.#named(name, true)],
    ["original", name => first(name.readings, ({ base, number }) =>
      this.#index.find(base, number, isCut(base + name.ending)))],
    ["edited", name => this.#edited(name)],
    ["companion", name => this.#companion(name, false)],
    ["companion", name => this.#companion(name, true)],
    ["original", name => first(name.readings, ({ base, number }) =>
      this.#index.findTitled(sanitized(base), name.ending, number))],
    ["edited", name => this.#truncatedEdited(name)],
    ["edited", name => this.#truncatedMark(name)],
  ];

  /** The number of a repeated name may also be part of the title: then each description is possible. */
  #named(name, isFolded) {
    return [...new Set(name.readings.flatMap(({ base, number }) => {
      const whole = base + name.ending;
      return this.#index.find(whole, number, isCut(whole), isFolded);
    }))];
  }

  /** The original may have another format than its edited version, and another number. */
  #edited(name) {
    const endings = [name.ending, ...originalEndings];
    return first(name.readings, reading => first(this.#originals(reading.base), base =>
      first(reading.number === null ? [null] : [reading.number, null], number =>
        first(endings, ending => this.#index.find(base + ending, number, isCut(base + ending))))));
  }

  /** Returns possible stems of the original of an edited version: without the mark, which may be truncated. */
  #originals(stem) {
    const bases = edited.filter(mark => stem.endsWith(mark) && stem.length > mark.length)
      .map(mark => stem.slice(0, -mark.length));
    if (stem.length >= 45 && stem.length <= 48) {
      for (const mark of edited) {
        for (let length = mark.length - 1; length >= 2; length -= 1) {
          if (stem.endsWith(mark.slice(0, length))) bases.push(stem.slice(0, -length));
        }
      }
    }
    return bases.filter(base => this.#index.mayHave(base));
  }

  #companion(name, isFolded) {
    if (!isVideo(name.ending)) return [];
    return first(name.readings, ({ base, number }) => {
      const mayBe = stem => this.#index.mayHave(isFolded ? stem.toLowerCase() : stem);
      const stems = [base, base + name.ending].filter(mayBe);
      return first(isFolded ? foldedEndings : pictureEndings, ending => first(stems, stem =>
        this.#index.find(stem + ending, number, isCut(stem + ending), isFolded)));
    });
  }

  /** The base of an edited version with a long name may be longer than the name of its description. */
  #truncatedEdited(name) {
    if (name.stem.length + name.ending.length < 50) return [];
    return first(name.readings, ({ base, number }) => first(edited.filter(mark => base.endsWith(mark)), mark => {
      const found = this.#index.findTruncated(base.slice(0, -mark.length), number);
      return found.length === 1 ? found : [];
    }));
  }

  /** The mark of an edited version may be truncated as a whole: it then has the name of its original with a number. */
  #truncatedMark(name) {
    return first(name.readings, ({ base, number }) => {
      const whole = base + name.ending;
      return number === null || whole.length < 50 ? [] : this.#index.find(whole, null, isCut(whole));
    });
  }

  /** Chooses by title among descriptions with equal truncated names, whose numbers are not those of the photos. */
  #verified(candidates, name) {
    if (candidates.length === 0) return [];
    const family = this.#index.family(candidates[0]);
    if (!family?.length) {
      if (this.#index.isNumberShared(candidates[0])) return candidates;
      // Too many to be compared. Two are enough to tell that the titles do not decide.
      return this.#index.findPhotoName(sanitized(name.readings[0].base), name.ending).slice(0, 2);
    }
    const ranks = family.map(description => this.#rank(description, name));
    const best = Math.max(...ranks);
    if (best === 0) return [];
    const fitting = family.filter((_, index) => ranks[index] === best);
    if (fitting.length === 1 || !this.#index.isNumberShared(fitting[0])) return fitting;
    const numbered = fitting.filter(each => this.#index.number(each) === name.readings[0].number);
    const wanted = candidates.filter(each => numbered.includes(each));
    if (wanted.length > 0) return wanted;
    return numbered.length === 1 ? numbered : fitting;
  }

  /**
   * Returns how well a title fits a name: 3 for the original, 2 if the extension differs in case, 1 for an edited
   * version or a longer title, 0 if it does not.
   */
  #rank(description, name) {
    const title = this.#index.titles[description];
    if (!title) return 1;
    const isSameEnding = title.ending.toLowerCase() === name.ending.toLowerCase();
    const limit = mediaLimit - name.ending.length;
    let best = 0;
    for (const { base } of name.readings) {
      const stem = sanitized(base);
      if (cut(title.stem, limit) === stem) {
        if (title.ending === name.ending) return 3;
        if (isSameEnding) best = 2;
      }
      const isLonger = isSameEnding && stem.length >= 45 && title.stem.startsWith(stem);
      if (best === 0 && (isLonger || title.stem === stem || isEdited(title.stem, stem, limit, isSameEnding))) best = 1;
    }
    return best;
  }
}

function isEdited(title, stem, limit, isSameEnding) {
  return edited.some(mark => {
    if (stem.endsWith(mark) && title.startsWith(stem.slice(0, -mark.length))) return true;
    return cut(title + mark, limit) === stem && (isSameEnding || title.length >= 45 || stem.length > title.length);
  });
}
