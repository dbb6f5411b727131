// What a file on this computer tells of itself for the catalog: its camera, and the duration of a video.

import { photoDetails } from "./photo_details.js";

// Bytes of the smallest read, and of all reads of one file: facts of long videos are far apart.
const fewest = 16 << 10;
const mostBytes = 4 << 20;

/** Returns a reader of a file that keeps its last bytes. */
function reader(file) {
  let [start, bytes, left] = [0, new Uint8Array(), mostBytes];
  return async (offset, length) => {
    const end = Math.min(offset + length, file.size);
    if (offset < start || end > start + bytes.length) {
      const wanted = Math.max(length, fewest);
      left -= wanted;
      if (left < 0) throw new RangeError();
      [start, bytes] = [offset, new Uint8Array(await file.slice(offset, offset + wanted).arrayBuffer())];
    }
    return bytes.subarray(offset - start, Math.max(0, end - start));
  };
}

// The longest duration of the catalog, in milliseconds.
const longest = 2 ** 32 - 1;

/** Returns a duration in whole milliseconds; `undefined` if it is not known, or longer than the catalog's longest. */
export function milliseconds(seconds) {
  const rounded = Math.round(seconds * 1000);
  return seconds > 0 && rounded <= longest ? Math.max(1, rounded) : undefined;
}

/**
 * Returns the camera's make and model, and a video's duration in milliseconds; each is `undefined` if it is not known. A video
 * that `isTimeless` has none that the browser could tell.
 */
export async function fileFacts(file) {
  const { make, model, duration, isTimeless } = await photoDetails(reader(file));
  return { camera: make || model ? { make, model } : undefined, duration: milliseconds(duration), isTimeless };
}
