// The size of a picture by its header, before it is decoded.

import { viewOf } from "./boxes.js";

const signature = 0x89504e47;
const [start, mostSegments] = [0xffd8, 1000];
// Whether a marker has neither length nor content.
const isBare = marker => marker === 0xff01 || (marker >= 0xffd0 && marker <= 0xffd9);
// Tables and extensions, which have the numbers of frames.
const noFrames = [0xffc4, 0xffc8, 0xffcc];

/** Returns the number of pixels of a JPEG or PNG, of which these are the first bytes; `undefined` for anything else. */
export function pixelCount(bytes) {
  const view = viewOf(bytes);
  try {
    if (view.getUint32(0) === signature) return view.getUint32(16) * view.getUint32(20);
    if (view.getUint16(0) !== start) return undefined;
    for (let at = 2, count = 0; count < mostSegments; count += 1) {
      const marker = view.getUint16(at);
      if (marker >= 0xffc0 && marker <= 0xffcf && !noFrames.includes(marker)) {
        return view.getUint16(at + 5) * view.getUint16(at + 7);
      }
      if (marker < 0xff00 || isBare(marker)) return undefined;
      // Bytes between segments may be repeated.
      at += marker === 0xffff ? 1 : 2 + view.getUint16(at + 2);
    }
  } catch {
    // The header is longer than these bytes.
  }
  return undefined;
}
