// The boxes of HEIF photos and of MP4 and QuickTime videos (ISO/IEC 14496-12).

const mostBoxes = 1000;

export function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function codeOf(bytes, at) {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** Yields the boxes between two offsets: the type of each, and where its content starts and ends. */
export async function* boxes(read, start, end) {
  for (let at = start, count = 0; at + 8 <= end && count < mostBoxes; count += 1) {
    const head = await read(at, 16);
    if (head.length < 8) return;
    const view = viewOf(head);
    const isLong = view.getUint32(0) === 1;
    let size = isLong ? Number(view.getBigUint64(8)) : view.getUint32(0);
    // The last box may extend to the end of the file.
    if (size === 0) size = end - at;
    const content = at + (isLong ? 16 : 8);
    if (at + size < content) return;
    yield { type: codeOf(head, 4), start: content, end: Math.min(at + size, end) };
    at += size;
  }
}

/** Returns the first box with a path of types within another one. */
export async function find(read, box, ...types) {
  for (const type of types) {
    let found;
    for await (const inner of boxes(read, box.start, box.end)) {
      if (inner.type === type) {
        found = inner;
        break;
      }
    }
    if (!found) return undefined;
    box = found;
  }
  return box;
}

/** Returns a reader of a part of a file. */
export function part(read, start, end) {
  return async (offset, length) => {
    if (offset < 0 || start + offset > end) throw new RangeError();
    return read(start + offset, Math.min(length, end - start - offset));
  };
}
