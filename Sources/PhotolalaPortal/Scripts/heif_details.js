// The Exif metadata of a HEIC or AVIF photo (ISO/IEC 23008-12): an item that its `meta` box locates.

import { boxes, codeOf, part, viewOf } from "./boxes.js";
import { exifDetails } from "./exif.js";

// The largest `meta` box in bytes.
const longest = 256 << 10;

/** Returns what the item with Exif metadata tells. */
export async function heifDetails(read, meta) {
  const bytes = await read(meta.start, Math.min(meta.end - meta.start, longest));
  const inner = part(async (offset, length) => bytes.subarray(offset, offset + length), 0, bytes.length);
  const found = {};
  for await (const box of boxes(inner, 4, bytes.length)) found[box.type] ??= box;
  if (!found.iinf || !found.iloc) return {};
  const item = await exifItem(inner, bytes, found.iinf);
  const place = item !== undefined && location(bytes.subarray(found.iloc.start, found.iloc.end), item);
  if (!place || (place.isInside && !found.idat)) return {};
  const start = place.offset + (place.isInside ? meta.start + found.idat.start : 0);
  const skipped = viewOf(await read(start, 4)).getUint32(0);
  return exifDetails(part(read, start + 4 + skipped, start + place.length));
}

/** Returns the number of the item with Exif metadata. */
async function exifItem(read, bytes, iinf) {
  const isLong = bytes[iinf.start] > 0;
  for await (const infe of boxes(read, iinf.start + (isLong ? 8 : 6), iinf.end)) {
    const entry = bytes.subarray(infe.start, infe.end);
    const hasLongID = entry[0] > 2;
    if (infe.type !== "infe" || entry[0] < 2 || codeOf(entry, hasLongID ? 10 : 8) !== "Exif") continue;
    return hasLongID ? viewOf(entry).getUint32(4) : viewOf(entry).getUint16(4);
  }
}

/** Returns where the first extent of an item is, in the file or inside of the `idat` box. */
function location(iloc, item) {
  const view = viewOf(iloc);
  const version = iloc[0];
  let at = 4;
  const number = size => {
    at += size;
    if (size === 0) return 0;
    if (size === 8) return Number(view.getBigUint64(at - 8));
    return size === 4 ? view.getUint32(at - 4) : view.getUint16(at - 2);
  };
  const sizes = number(2);
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15, sizes & 15];
  if ([offsetSize, lengthSize, baseSize, indexSize].some(size => ![0, 4, 8].includes(size))) return undefined;
  const idSize = version < 2 ? 2 : 4;
  for (let left = number(idSize); left > 0; left -= 1) {
    const id = number(idSize);
    const method = version === 0 ? 0 : number(2) & 15;
    number(2);
    const base = number(baseSize);
    const extents = number(2);
    const extent = (version === 0 ? 0 : indexSize) + offsetSize + lengthSize;
    if (id !== item) {
      at += extents * extent;
      continue;
    }
    if (extents === 0 || method > 1) return undefined;
    if (version > 0) number(indexSize);
    return { isInside: method === 1, offset: base + number(offsetSize), length: number(lengthSize) };
  }
}
