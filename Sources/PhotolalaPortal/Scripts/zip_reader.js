// Reads ZIP archives (APPNOTE 6.3.10) by their directory, also with ZIP64.
import { unpack, ZipError } from "./unpacking.js";

const [tailLength, locatorLength, headerLength] = [22 + 65_535 + 20, 20, 30];
// The longest directory in bytes, and its most entries.
const [longestDirectory, mostEntries] = [64 << 20, 500_000];
// Bytes for the extra field of a local header, beyond the name.
const usualExtra = 512;
const never = 0xffffffff;
// What browsers can decode.
const types = {
  jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png", gif: "image/gif", webp: "image/webp", avif: "image/avif",
  heic: "image/heic", heif: "image/heif", bmp: "image/bmp", mp4: "video/mp4", mov: "video/quicktime", m4v: "video/mp4",
  webm: "video/webm", "3gp": "video/3gpp",
};
// Code page 437 from 128.
const letters = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
  + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** A file in an archive. */
export class ZipEntry {
  #archive;
  #start;
  #nameLength;

  constructor(archive, facts) {
    [this.#archive, this.#start, this.#nameLength] = [archive, facts.start, facts.nameLength];
    /** `encrypted`, `packing` or `damaged` if it cannot be read. */
    this.refusal = facts.refusal;
    [this.path, this.size, this.storedSize] = [facts.path, facts.size, facts.storedSize];
    [this.crc32, this.lastModified, this.isCompressed] = [facts.crc32, facts.lastModified, facts.isCompressed];
  }

  get type() {
    return types[this.path.split(".").at(-1).toLowerCase()] ?? "";
  }

  /** Returns the bytes as they are in the archive, without reading them. */
  async packed() {
    const from = await this.#dataStart(await bytesOf(this.#archive, this.#start, this.#start + headerLength));
    return this.#archive.slice(from, from + this.storedSize, this.type);
  }

  /** Returns the bytes of a short file. */
  async bytes() {
    const length = headerLength + this.#nameLength + usualExtra + this.storedSize;
    const piece = await bytesOf(this.#archive, this.#start, this.#start + length);
    const from = (await this.#dataStart(piece)) - this.#start;
    const isWhole = from + this.storedSize <= piece.length;
    const packed = isWhole ? piece.subarray(from, from + this.storedSize) : await this.packed();
    const [all, at] = [new Uint8Array(this.size), { value: 0 }];
    await unpack(packed, this, bytes => {
      all.set(bytes, at.value);
      at.value += bytes.length;
    });
    return all;
  }

  async #dataStart(header) {
    const view = viewOf(header);
    if (header.length < headerLength || view.getUint32(0, true) !== 0x04034b50) throw new ZipError("damaged");
    const from = this.#start + headerLength + view.getUint16(26, true) + view.getUint16(28, true);
    if (from + this.storedSize > this.#archive.size) throw new ZipError("damaged");
    return from;
  }
}

/** Returns the files of an archive. Throws a `ZipError` of kind `archive`, `split`, `many` or `damaged`. */
export async function entriesOf(archive) {
  const { start, length, count } = await directoryOf(archive);
  if (count > mostEntries || length > longestDirectory) throw new ZipError("many");
  if (start + length > archive.size) throw new ZipError("damaged");
  const directory = await bytesOf(archive, start, start + length);
  const [view, all] = [viewOf(directory), []];
  for (let at = 0; at < directory.length;) {
    if (at + 46 > directory.length || view.getUint32(at, true) !== 0x02014b50) throw new ZipError("damaged");
    const [name, extra, comment] = [28, 30, 32].map(offset => view.getUint16(at + offset, true));
    const end = at + 46 + name + extra + comment;
    if (end > directory.length || all.length === mostEntries) throw new ZipError("damaged");
    all.push(factsOf(view, at, directory.subarray(at + 46, at + 46 + name), at + 46 + name, extra));
    at = end;
  }
  if (all.length !== count && (all.length & 0xffff) !== count) throw new ZipError("damaged");
  checkOverlaps(all, start);
  return all.filter(({ path }) => !path.endsWith("/")).map(facts => new ZipEntry(archive, facts));
}

async function directoryOf(archive) {
  const from = Math.max(0, archive.size - tailLength);
  const tail = await bytesOf(archive, from, archive.size);
  const view = viewOf(tail);
  let at = tail.length - 22;
  const isEnd = () => view.getUint32(at, true) === 0x06054b50 && at + 22 + view.getUint16(at + 20, true) <= tail.length;
  while (at >= 0 && !isEnd()) at -= 1;
  if (at < 0) throw new ZipError("archive");
  const locator = at - locatorLength;
  if (locator >= 0 && view.getUint32(locator, true) === 0x07064b50) {
    return largeDirectory(archive, longAt(view, locator + 8));
  }
  if (view.getUint16(at + 4, true) !== 0 || view.getUint16(at + 6, true) !== 0) throw new ZipError("split");
  return {
    start: view.getUint32(at + 16, true), length: view.getUint32(at + 12, true), count: view.getUint16(at + 10, true),
  };
}

async function largeDirectory(archive, position) {
  const record = await bytesOf(archive, position, position + 56);
  const view = viewOf(record);
  if (record.length < 56 || view.getUint32(0, true) !== 0x06064b50) throw new ZipError("damaged");
  if (view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0) throw new ZipError("split");
  return { start: longAt(view, 48), length: longAt(view, 40), count: longAt(view, 32) };
}

function factsOf(view, at, name, extraStart, extraLength) {
  const [flags, method, time, date] = [8, 10, 12, 14].map(offset => view.getUint16(at + offset, true));
  const sizes = { size: view.getUint32(at + 24, true), storedSize: view.getUint32(at + 20, true),
    start: view.getUint32(at + 42, true) };
  extend(sizes, view, extraStart, extraStart + extraLength);
  const isCompressed = method === 8;
  return {
    ...sizes, isCompressed, nameLength: name.length, path: pathOf(name, flags), crc32: view.getUint32(at + 16, true),
    lastModified: moment(date, time), refusal: refusalOf(flags, method, sizes),
  };
}

function refusalOf(flags, method, { size, storedSize }) {
  // Encrypted, strongly encrypted, and with an encrypted directory.
  if (flags & 0x2041) return "encrypted";
  if (method !== 0 && method !== 8) return "packing";
  // A small archive must not unpack to terabytes of zeros.
  const isSuspicious = method === 8 ? size > 64 << 20 && size / 100 > storedSize : size !== storedSize;
  return isSuspicious ? "damaged" : undefined;
}

/** Reads the fields that ZIP64 extends to 64 bits. */
function extend(sizes, view, at, end) {
  const extended = ["size", "storedSize", "start"].filter(name => sizes[name] === never);
  if (extended.length === 0) return;
  while (at + 4 <= end) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const next = at + 4 + length;
    if (kind === 1 && next <= end && length >= extended.length * 8) {
      for (const [index, name] of extended.entries()) sizes[name] = longAt(view, at + 4 + index * 8);
      return;
    }
    at = next;
  }
  throw new ZipError("damaged");
}

/** Files must not share bytes of the archive, with which a small archive could have terabytes of files. */
function checkOverlaps(all, directoryStart) {
  let end = 0;
  for (const { start, storedSize } of [...all].sort((one, other) => one.start - other.start)) {
    if (start < end || start + storedSize + headerLength > directoryStart) throw new ZipError("damaged");
    end = start + storedSize + headerLength;
  }
}

/** Returns a name, which is UTF-8 if it is marked as such or is valid UTF-8. */
function pathOf(bytes, flags) {
  try {
    return new TextDecoder("utf-8", { fatal: !(flags & 0x800) }).decode(bytes);
  } catch {
    return Array.from(bytes, byte => (byte < 128 ? String.fromCharCode(byte) : letters[byte - 128])).join("");
  }
}

/** Returns a moment in the format of MS-DOS, which has no time zone, in milliseconds since 1970. */
function moment(date, time) {
  return Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

function longAt(view, at) {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw new ZipError("damaged");
  return value;
}

async function bytesOf(blob, from, to) {
  return new Uint8Array(await blob.slice(from, to).arrayBuffer());
}

function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
