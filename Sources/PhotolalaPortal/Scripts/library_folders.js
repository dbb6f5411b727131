// The names in the folders of a library that an import has given away. Names that differ only in case are one name on
// other systems.
import { split } from "./takeout_names.js";

const longestName = 200;

export class LibraryFolders {
  #names = new Set();
  /** The first number of a repeated name that no photo of the import has. */
  #numbers = new Map();
  /** What precedes the extension in those names. */
  #stems = new Set();
  /** Albums with one title are different albums. */
  #albums = new Set();

  /** Returns the folder for a year, an album or something else. Each call for an album is another album. */
  place({ year, album, other }) {
    if (year !== undefined) return year;
    if (album === undefined) return other === "" ? "" : usable(other);
    const name = usable(album);
    for (let number = 1; ; number += 1) {
      const numbered = number === 1 ? name : `${name} (${number})`;
      if (this.#albums.has(numbered.toLowerCase())) continue;
      this.#albums.add(numbered.toLowerCase());
      return `Albums/${numbered}`;
    }
  }

  /**
   * Reserves names with one stem in a folder, and returns their paths. If one is taken, all get the same number. No
   * other names have the stem: a library shows the files of a stem as one photo.
   */
  reserve(names, folder) {
    const all = names.map(usable);
    const pathsWith = number => all.map(name => (folder ? `${folder}/` : "") + remarked(name, number));
    const first = pathsWith(1)[0].toLowerCase();
    for (let number = this.#numbers.get(first) ?? 1; ; number += 1) {
      const paths = pathsWith(number);
      const keys = paths.map(path => path.toLowerCase());
      const stems = keys.map(key => split(key)[0]);
      if (keys.some(key => this.#names.has(key)) || stems.some(stem => this.#stems.has(stem))) continue;
      for (const key of keys) this.#names.add(key);
      for (const stem of stems) this.#stems.add(stem);
      let next = this.#numbers.get(first) ?? 1;
      while (this.#names.has(pathsWith(next)[0].toLowerCase())) next += 1;
      this.#numbers.set(first, next);
      return paths;
    }
  }
}

function remarked(name, number) {
  if (number === 1) return name;
  const dot = name.lastIndexOf(".");
  return dot > 0 ? `${name.slice(0, dot)} (${number})${name.slice(dot)}` : `${name} (${number})`;
}

/** Returns a text as the name of a file or folder. */
function usable(text) {
  const clean = text.replace(/[\0-\x1f\x7f/\\]/g, "_").replace(/^[\p{Zs}\t]+|[\p{Zs}\t]+$/gu, "");
  const name = ["", ".", ".."].includes(clean) ? "_" : clean;
  const lengthOf = part => new TextEncoder().encode(part).length;
  if (lengthOf(name) <= longestName) return name;
  const [stem, ending] = split(name);
  const letters = Array.from(stem);
  while (letters.length > 0 && lengthOf(letters.join("")) + lengthOf(ending) > longestName) letters.pop();
  return letters.join("") + ending;
}
