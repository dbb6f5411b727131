// Reads a Google Takeout: the photos and videos among its files, with what Google Photos says about them and their
// places in the library. The rules are those of `photolala import takeout`.
import { LibraryFolders } from "./library_folders.js";
import { TakeoutMatcher } from "./takeout_matcher.js";
import {
  isDate, isHidden, isMotion, isOfSystem, isSpecial, isTrash, mediaLimit, sanitized, split, yearOf,
} from "./takeout_names.js";

/** The longest description that is read, in bytes; real ones have a few kilobytes. */
export const longestDescription = 1 << 20;
const parallelReads = 8;
const deepest = 32;
// Seconds between the dates of the halves of a Live Photo, and between now and the latest date that is no wrong clock.
const [longestDistance, day] = [120, 86_400];
// 1826 to 2199, in seconds since 1970.
const possible = [-4_544_208_000, 7_258_118_400];

// What only descriptions of photos have.
const ofPhotos = ["photoTakenTime", "archived", "inLockedFolder", "trashed"];

/** Returns what a JSON file describes: a `photo`, an `album` by its title, or neither; `null` if it is no object. */
function described(text, now) {
  let members;
  try {
    members = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(members)) return null;
  if (ofPhotos.some(name => name in members)) return { photo: photoOf(members, now) };
  const album = isObject(members.albumData) ? members.albumData : members;
  const isAlbum = isObject(album.date) || typeof album.access === "string";
  return isAlbum && typeof album.title === "string" ? { album: album.title } : {};
}

function photoOf(members, now) {
  return {
    title: textOf(members.title), url: textOf(members.url), taken: momentOf(members.photoTakenTime?.timestamp, now),
    // The first one includes corrections by the person.
    location: locationOf(members.geoData) ?? locationOf(members.geoDataExif),
    isFavorite: members.favorited === true, isTrashed: members.trashed === true,
    isHidden: members.archived === true || members.inLockedFolder === true,
  };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value) {
  return typeof value === "string" ? value : undefined;
}

/** Returns seconds since 1970; 0 means that the date is unknown. */
function momentOf(value, now) {
  const seconds = typeof value === "string" && !/^[+-]?\d+$/.test(value) ? NaN : Number(value ?? NaN);
  if (!Number.isInteger(seconds) || seconds === 0 || seconds > now + day) return undefined;
  return seconds >= possible[0] && seconds < possible[1] ? seconds : undefined;
}

function locationOf(value) {
  const { latitude, longitude } = isObject(value) ? value : {};
  if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    && [latitude, longitude].some(degrees => Math.round(degrees * 1e7) !== 0);
  return isPlace ? { latitude, longitude } : undefined;
}

/** Compares texts by code points. */
function compare(one, other) {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  if (at === length) return one.length - other.length;
  const [first, second] = [one.charCodeAt(at), other.charCodeAt(at)];
  // The halves of letters beyond U+FFFF are smaller than U+E000.
  const isHalf = unit => unit >= 0xd800 && unit < 0xe000;
  return isHalf(first) === isHalf(second) || Math.min(first, second) < 0xd800 ? first - second : isHalf(first) ? 1 : -1;
}

/** Returns the folder below `Takeout` and the name; `null` for a folder. */
function locationIn(path) {
  const parts = path.split("/").filter(Boolean);
  if (path.endsWith("/") || parts.length === 0 || parts.length > deepest + 1) return null;
  const name = parts.pop();
  const start = parts.findLastIndex(part => part.toLowerCase() === "takeout");
  const folder = parts.slice(start + 1).map(part => part.replace(/ +$/, "") || part).join("/");
  return { folder, name };
}

/** The files of all parts as one tree: a photo and its description can be in different parts. */
class Tree {
  /** The folders by path, each with the indices of its media and descriptions. */
  folders = new Map();
  /** The names of the files. */
  names = [];
  repeated = 0;

  constructor(files) {
    const known = new Set();
    const paths = files.map(({ path }) => path.normalize("NFC"));
    for (const index of [...paths.keys()].sort((one, other) => compare(paths[one], paths[other]) || one - other)) {
      const place = locationIn(paths[index]);
      if (!place || isOfSystem(place.name, place.folder)) continue;
      const { crc32, size } = files[index];
      const key = `${place.folder}/${place.name} ${size} ${crc32}`;
      if (crc32 !== undefined && known.has(key)) {
        this.repeated += 1;
        continue;
      }
      known.add(key);
      this.names[index] = place.name;
      if (!this.folders.has(place.folder)) this.folders.set(place.folder, { media: [], descriptions: [] });
      this.folders.get(place.folder)[/\.json$/i.test(place.name) ? "descriptions" : "media"].push(index);
    }
  }

  /**
   * Returns the folders of Google Photos, given which ones have the description of a photo. The names of services
   * depend on the language; those of others have no such descriptions.
   */
  photoFolders(withDescriptions) {
    const hasYear = ([path, { media }]) => yearOf(lastOf(path)) !== undefined && media.length > 0;
    const years = [...this.folders].filter(hasYear).map(([path]) => path);
    const roots = new Set((withDescriptions.length > 0 ? withDescriptions : years).map(path => parentOf(path) ?? ""));
    return [...this.folders.keys()].filter(folder => {
      for (let path = folder; path !== null; path = parentOf(path)) if (roots.has(path)) return true;
      return false;
    }).sort(compare);
  }
}

function parentOf(folder) {
  return folder ? folder.slice(0, Math.max(0, folder.lastIndexOf("/"))) : null;
}

function lastOf(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * Returns the photos of an export, or `null` if the files are none. Each file has a path, a size, and a CRC-32 if it is
 * in an archive; `read` returns the text of one, given its index. Calls `progress` with the percentage that was read.
 */
export async function readTakeout(files, read, progress) {
  const now = Date.now() / 1000;
  const tree = new Tree(files);
  const queue = [...tree.folders.values()].flatMap(({ descriptions }) => descriptions);
  const descriptions = new Map();
  const total = queue.length;
  let percent = 0;
  await Promise.all(Array.from({ length: parallelReads }, async () => {
    for (let index; (index = queue.pop()) !== undefined;) {
      const text = files[index].size > longestDescription ? null : await read(index).catch(() => null);
      const found = text === null ? null : described(text, now);
      if (found) descriptions.set(index, found);
      // Screen readers announce each step.
      const share = Math.floor(((total - queue.length) / total) * 10) * 10;
      if (share > percent) progress((percent = share));
    }
  }));
  const withDescriptions = [...tree.folders].filter(([, folder]) =>
    folder.descriptions.some(index => descriptions.get(index)?.photo)).map(([path]) => path);
  const isNamed = files.some(({ path }) => path.split("/").slice(0, -1).some(part => part.toLowerCase() === "takeout"));
  if (withDescriptions.length === 0 && !isNamed) return null;
  const folders = tree.photoFolders(withDescriptions);
  if (folders.length === 0) return null;
  const builder = new Builder(files, tree, descriptions);
  for (const folder of folders) builder.read(folder);
  return builder.finish(folders);
}

/** Reads the folders of a Takeout one after the other. */
class Builder {
  #files;
  #tree;
  #descriptions;
  #items = [];
  #places = new LibraryFolders();
  #trashed = 0;
  /** The items of year folders by the identity of their descriptions; `null` for several. */
  #byIdentity = new Map();
  /** Descriptions in albums without their photo, with the folder of the album. */
  #memberships = [];

  constructor(files, tree, descriptions) {
    [this.#files, this.#tree, this.#descriptions] = [files, tree, descriptions];
  }

  read(path) {
    const folder = this.#tree.folders.get(path);
    const photos = [];
    let album;
    for (const file of folder.descriptions) {
      const found = this.#descriptions.get(file);
      if (found?.photo) photos.push({ file, photo: found.photo });
      album ??= found?.album;
    }
    const kind = kindOf(lastOf(path), album);
    const place = this.#places.place(kind);
    const named = photos.map(({ file, photo }) => ({ name: this.#tree.names[file], title: photo.title }));
    const matches = new TakeoutMatcher(named).matches(folder.media.map(file => this.#tree.names[file]));
    // An album can have the name of the trash.
    const isOfTrash = album === undefined && isTrash(lastOf(path));
    const used = new Set(matches.flatMap(match => match?.descriptions ?? []));
    const found = folder.media.map((file, index) => {
      const match = matches[index];
      const isCertain = match?.descriptions.length === 1;
      return {
        file, name: this.#tree.names[file], match: isCertain ? match.kind : undefined,
        photo: isCertain ? photos[match.descriptions[0]].photo : undefined,
        // In doubt it is hidden: it can be shown again.
        isHidden: match ? match.descriptions.some(each => photos[each].photo.isHidden) : isHidden(lastOf(path)),
        isTrashed: match ? match.descriptions.every(each => photos[each].photo.isTrashed) : isOfTrash,
      };
    });
    if (kind.album !== undefined) {
      for (const [index, { photo }] of photos.entries()) if (!used.has(index)) this.#memberships.push({ photo, place });
    }
    this.#add(found, place, kind.album !== undefined);
  }

  #add(found, place, isAlbum) {
    const kept = found.filter(({ isTrashed }) => !isTrashed);
    this.#trashed += found.length - kept.length;
    for (const group of groupsOf(kept)) {
      const paths = this.#places.reserve(namesOf(group), place);
      for (const [index, photo] of group.photos.entries()) this.#append(photo, paths[index], isAlbum);
    }
  }

  #append({ file, photo, match, isHidden }, path, isAlbum) {
    const identity = photo && !isAlbum && match === "original" ? identityOf(photo) : undefined;
    if (identity !== undefined) {
      this.#byIdentity.set(identity, this.#byIdentity.has(identity) ? null : this.#items.length);
    }
    this.#items.push({
      file, path, alsoAt: [], isDescribed: photo !== undefined && match !== "companion",
      taken: photo?.taken, location: photo?.location, isFavorite: photo?.isFavorite ?? false,
      isHidden,
    });
  }

  /** Gives copies without a description the facts of the photo with the same content. */
  #describeCopies() {
    const contentOf = ({ file }) => {
      const { crc32, size } = this.#files[file];
      return crc32 === undefined ? undefined : `${crc32} ${size}`;
    };
    const known = new Map(this.#items.filter(item => item.isDescribed).map(item => [contentOf(item), item]));
    known.delete(undefined);
    for (const item of this.#items.filter(each => !each.isDescribed && each.taken === undefined)) {
      const same = known.get(contentOf(item));
      if (!same) continue;
      const { taken, location, isFavorite } = same;
      Object.assign(item, { taken, location, isFavorite, isHidden: item.isHidden || same.isHidden });
    }
  }

  /** Completes copies, and adds the photos to albums that have only their descriptions. */
  finish(folders) {
    this.#describeCopies();
    for (const { photo, place } of this.#memberships) {
      const index = photo.isTrashed ? undefined : this.#byIdentity.get(identityOf(photo));
      const item = this.#items[index ?? -1];
      if (!item) continue;
      item.alsoAt.push(...this.#places.reserve([lastOf(item.path)], place));
    }
    const inFolders = folders.flatMap(path => Object.values(this.#tree.folders.get(path)).flat());
    return {
      items: this.#items, trashed: this.#trashed, repeated: this.#tree.repeated, files: inFolders,
    };
  }
}

/** What the descriptions of one photo in several folders have in common. */
function identityOf({ url, title, taken }) {
  if (url) return `url ${url}`;
  return title && taken !== undefined ? `${taken} ${title}` : undefined;
}

/** Returns the kind of a folder, given the title in its description of an album. */
function kindOf(name, album) {
  const isDated = isDate(name) && (album === undefined || album === name || album === "");
  const year = yearOf(name);
  if (year !== undefined && (album === undefined || isDated)) return { year };
  if (album) return { album };
  return name === "" || album !== undefined || isSpecial(name) ? { other: name } : { album: name };
}

/** The moving picture of a motion photo gets the extension of its format. */
function endingOf(name) {
  const [, ending] = split(name);
  return isMotion(ending) ? ".mp4" : ending;
}

/** Returns groups of photos and videos with one stem, such as the halves of a Live Photo, which keep one stem. */
function groupsOf(photos) {
  const [groups, known] = [[], new Map()];
  for (const photo of photos) {
    const [stem, ending] = split(photo.name);
    const shared = isMotion(ending) ? photo.name : stem;
    const group = known.get(shared);
    if (group && !hasEnding(group, photo) && !isApart(group, photo)) {
      group.photos.push(photo);
    } else {
      known.set(shared, { stem: shared, photos: [photo] });
      groups.push(known.get(shared));
    }
  }
  return groups;
}

function hasEnding(group, { name }) {
  return group.photos.some(other => endingOf(other.name).toLowerCase() === endingOf(name).toLowerCase());
}

/** Returns whether a photo's own description dates it at another time. */
function isApart(group, photo) {
  const ownDate = ({ match, photo: facts }) => (match === "original" ? facts.taken : undefined);
  const taken = ownDate(photo);
  if (taken === undefined) return false;
  return group.photos.some(other => Math.abs((ownDate(other) ?? taken) - taken) > longestDistance);
}

/** Returns the names in the library. */
function namesOf({ stem, photos }) {
  const whole = wholeStem(stem, photos) ?? stem;
  return photos.map(({ name }) => whole + endingOf(name));
}

/** Returns the stem without truncation, if that is certain. */
function wholeStem(stem, photos) {
  const original = photos.find(({ match }) => match === "original");
  if (!original?.photo.title || !split(original.name)[1]) return undefined;
  const [whole, ending] = split(original.photo.title.normalize("NFC"));
  // Names with replaced characters stay as they are.
  const isCertain = ending.toLowerCase() === split(original.name)[1].toLowerCase() && sanitized(whole) === whole
    && whole.length > stem.length && whole.startsWith(stem) && original.name.length >= mediaLimit - 1
    && new TextEncoder().encode(whole).length <= 200;
  return isCertain ? whole : undefined;
}
