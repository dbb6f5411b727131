// The upload of one photo.
import { remove } from "./temporary_files.js";

// Folders of an export of Google Photos.
const [exportFolder, albumsFolder] = ["Google Photos", "Albums/"];
const sidecar = /\.(?:xmp|aae|json)$/iu;
const universal = ["UTC", "UCT", "GMT", "GMT0", "Greenwich", "Universal", "Zulu"];

/** Returns what the server needs to know of a picture. */
function summary(picture) {
  return picture && { md5: picture.md5, size: picture.size };
}

/** Returns a moment in seconds since 1970 in RFC 3339, with the offset that this device had then. */
function localDate(seconds) {
  // As on the command line: devices that are set to UTC are there wherever they are.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone.replace("Etc/", "");
  if (universal.includes(zone)) return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const offset = -Math.round(new Date(seconds * 1000).getTimezoneOffset());
  const digits = number => String(number).padStart(2, "0");
  const clock = new Date((seconds + offset * 60) * 1000).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${clock}${offset < 0 ? "-" : "+"}${digits(hours)}:${digits(minutes)}`;
}

export class Upload {
  read = null;
  sent = 0;
  failures = 0;
  /** The most bytes that were sent before a failure, of a file that is sent in parts. */
  reached = 0;
  /** What identifies the object, of a file that is sent in parts. */
  objectName = undefined;
  isSent = false;
  /** Whether the library had the photo. */
  isKnown = false;
  /** Whether it is a video, of one that the library did not have. */
  isVideo = false;
  /** Whether the storage has no room for it. */
  isFull = false;
  /** Whether this browser made no thumbnail of the photo or video. */
  lacksPictures = false;
  /** The id of the album to which the photo is added. */
  album = undefined;
  /** `done`, `refused` or `failed` after the end. */
  state = undefined;

  constructor(file, path, facts) {
    this.file = file;
    this.path = (path.toWellFormed?.() ?? path).normalize("NFC");
    /** What Google Photos says about a photo of its exports. */
    this.facts = facts;
    this.size = file?.size ?? 0;
  }

  get shownPath() {
    return this.facts ? `${exportFolder}/${this.path}` : this.path;
  }

  fail() {
    // Parts that were sent need not be sent again.
    if (this.read?.parts && this.sent > this.reached) [this.reached, this.failures] = [this.sent, 0];
    this.failures += 1;
    this.isSent = false;
    this.sent = 0;
  }

  get #paths() {
    return [this.path, ...(this.facts?.alsoAt ?? [])];
  }

  /** The folders of the albums of an export that have the photo. */
  get albums() {
    const paths = this.facts ? this.#paths.filter(path => path.startsWith(albumsFolder)) : [];
    return paths.map(path => path.slice(0, path.lastIndexOf("/")));
  }

  /** Returns what the server needs to know to plan the upload. */
  offer() {
    const { md5, head, thumbnail, preview } = this.read;
    const { path, size } = this;
    return {
      path, source: this.#source, md5, size, head, thumbnail: summary(thumbnail), preview: summary(preview),
    };
  }

  /**
   * Returns what the library is to have: the photo at each of its paths. One that it had before is not hidden again: the
   * person may have shown it since.
   */
  entries() {
    const { taken, location, isFavorite, isHidden } = this.facts ?? {};
    const entry = {
      source: this.#source, md5: this.read.md5, modified: this.file.lastModified, location,
      color: this.read.thumbnail?.color, camera: this.read.camera, duration: this.read.duration,
      favorite: isFavorite || undefined, hidden: (isHidden && (this.isSent || !this.isKnown)) || undefined,
    };
    if (taken !== undefined) Object.assign(entry, { taken: localDate(taken), modified: taken * 1000 });
    return this.#paths.map(path => ({ path, ...entry }));
  }

  get #source() {
    return this.facts && "takeout";
  }

  /** Stores what was read. */
  take(read) {
    this.read = read;
    this.lacksPictures = !read.thumbnail && !sidecar.test(this.path);
  }

  /** Removes what was read. */
  release() {
    if (this.read?.temporary) remove(this.read.temporary);
    this.read = null;
  }
}
