// A ZIP archive of stored files (APPNOTE 6.3.10), made in the browser: the photos come directly from the store.
import { CRC32 } from "./crc32.js";

/** The largest archive in bytes: sizes and positions have 32 bits. */
export const largestArchive = 0xf0000000;

async function checksum(blob) {
  const crc = new CRC32();
  const reader = blob.stream().getReader();
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) crc.update(value);
  return crc.value;
}

/** Returns the numbers of two or four bytes each, least byte first, and then a text. */
function record(numbers, text = new Uint8Array()) {
  const size = numbers.reduce((sum, [length]) => sum + length, 0);
  const bytes = new Uint8Array(size + text.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [length, value] of numbers) {
    if (length === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += length;
  }
  bytes.set(text, size);
  return bytes;
}

/** Returns the date and time of MS-DOS, which begin in 1980. */
function clock(text) {
  const [year, month, day, hour, minute, second] = text.match(/\d+/g).map(Number);
  if (year < 1980 || year > 2107) return [0, 33];
  return [(hour << 11) | (minute << 5) | (second >> 1), ((year - 1980) << 9) | (month << 5) | day];
}

/** Returns names of which none occurs twice, also where upper and lower case are the same. */
function distinct(names) {
  const used = new Set();
  return names.map(name => {
    const dot = name.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    let free = name;
    for (let number = 2; used.has(free.toLowerCase()); number += 1) free = `${stem} (${number})${ending}`;
    used.add(free.toLowerCase());
    return free;
  });
}

/**
 * Returns an archive of files with a name, a date and the bytes that `load` returns as a blob. Browsers keep large blobs
 * on disk.
 */
export async function archive(files, load) {
  const names = distinct(files.map(({ name }) => name)).map(name => new TextEncoder().encode(name));
  const [parts, directory] = [[], []];
  let position = 0;
  for (const [index, file] of files.entries()) {
    const blob = await load(file, index);
    const name = names[index];
    const [time, date] = clock(file.date);
    // UTF-8 names, stored without compression.
    const facts = [[2, 20], [2, 0x800], [2, 0], [2, time], [2, date], [4, await checksum(blob)], [4, blob.size],
      [4, blob.size], [2, name.length], [2, 0]];
    const header = record([[4, 0x04034b50], ...facts], name);
    directory.push(record([[4, 0x02014b50], [2, 0x31e], ...facts, [2, 0], [2, 0], [2, 0], [4, 0o100644 * 65536],
      [4, position]], name));
    parts.push(header, blob);
    position += header.length + blob.size;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = record([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, position],
    [2, 0]]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}
