// What an original records of itself: camera, lens, exposure and place, and the duration and codecs of a video.

import { boxes, codeOf, part, viewOf } from "./boxes.js";
import { exifDetails } from "./exif.js";
import { heifDetails } from "./heif_details.js";
import { movieDetails } from "./movie_details.js";

// Limits for malformed files: reads, bytes of one, and the parts of a file that are passed.
const mostReads = 4000;
const longestRead = 256 << 10;
const mostParts = 200;

/**
 * Returns the details of a photo or video; what is not recorded or malformed is `undefined`.
 * @param read - Resolves to the bytes at an offset, fewer at the end of the file.
 */
export async function photoDetails(read) {
  let reads = 0;
  const limited = async (offset, length) => {
    reads += 1;
    if (reads > mostReads || length > longestRead || !Number.isSafeInteger(offset)) throw new RangeError();
    return read(offset, length);
  };
  try {
    return await details(limited);
  } catch {
    return {};
  }
}

async function details(read) {
  const head = await read(0, 16);
  if (head.length < 16) return {};
  const view = viewOf(head);
  if (view.getUint16(0) === 0xffd8) return jpegDetails(read);
  if (view.getUint32(0) === 0x89504e47) return pngDetails(read);
  if (codeOf(head, 0) === "RIFF" && codeOf(head, 8) === "WEBP") return webpDetails(read);
  if (["ftyp", "moov", "mdat", "wide", "free", "skip"].includes(codeOf(head, 4))) return boxedDetails(read);
  // The JPEG within a Fuji RAF file has the metadata.
  if (codeOf(head, 0) === "FUJI") {
    return jpegDetails(part(read, viewOf(await read(84, 4)).getUint32(0), Infinity));
  }
  return exifDetails(read);
}

async function jpegDetails(read) {
  let at = 2;
  for (let count = 0; count < mostParts; count += 1) {
    const head = await read(at, 10);
    if (head.length < 10 || head[0] !== 0xff) return {};
    // Any number of fill bytes may come before a marker.
    if (head[1] === 0xff) {
      at += 1;
      continue;
    }
    const length = viewOf(head).getUint16(2);
    // The picture itself starts, or a marker has no content.
    if (head[1] === 0xda || head[1] < 0xc0 || (head[1] >= 0xd0 && head[1] <= 0xd9) || length < 2) return {};
    if (head[1] === 0xe1 && codeOf(head, 4) === "Exif") return exifDetails(part(read, at + 10, at + 2 + length));
    at += 2 + length;
  }
  return {};
}

async function pngDetails(read) {
  let at = 8;
  for (let count = 0; count < mostParts; count += 1) {
    const head = await read(at, 8);
    if (head.length < 8) return {};
    const length = viewOf(head).getUint32(0);
    if (codeOf(head, 4) === "eXIf") return exifDetails(part(read, at + 8, at + 8 + length));
    at += 12 + length;
  }
  return {};
}

async function webpDetails(read) {
  let at = 12;
  for (let count = 0; count < mostParts; count += 1) {
    const head = await read(at, 14);
    if (head.length < 14) return {};
    const length = viewOf(head).getUint32(4, true);
    if (codeOf(head, 0) === "EXIF") {
      // Some programs write the header of a JPEG's segment, too.
      const start = at + 8 + (codeOf(head, 8) === "Exif" ? 6 : 0);
      return exifDetails(part(read, start, at + 8 + length));
    }
    at += 8 + length + (length % 2);
  }
  return {};
}

async function boxedDetails(read) {
  for await (const box of boxes(read, 0, Infinity)) {
    if (box.type === "meta") return heifDetails(read, box);
    if (box.type === "moov") return movieDetails(read, box);
  }
  return {};
}
