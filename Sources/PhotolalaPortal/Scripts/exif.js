// The Exif metadata of a photo (CIPA DC-008): fields in the directories of a TIFF file. Most RAW files have them, too.

// The first directories of TIFF files and of the RAW files of Panasonic and Olympus.
const magics = [42, 0x55, 0x4f52, 0x5352];
const tags = {
  make: 0x10f, model: 0x110, exif: 0x8769, gps: 0x8825, exposureTime: 0x829a, aperture: 0x829d, sensitivity: 0x8827,
  exposureIndex: 0x8832, focalLength: 0x920a, equivalent: 0xa405, lens: 0xa434,
  north: 1, latitude: 2, east: 3, longitude: 4,
};
const wanted = new Set(Object.values(tags));
// The bytes of a value, by type: texts, and numbers without a sign. Other types are not needed.
const lengths = { 2: 1, 129: 1, 3: 2, 4: 4, 13: 4, 5: 8 };
// Limits of entries in a directory, and of a value in bytes.
const mostEntries = 1000;
const longestValue = 256;

/** Returns a text without control characters and half characters; `undefined` if nothing remains. */
export function cleaned(text) {
  return text?.replace(/\0.*/su, "").replace(/\p{C}+/gu, " ").trim().slice(0, 100).replace(/\p{Cs}$/u, "") || undefined;
}

/** Returns the fields of the directory at an offset that are wanted, by tag. */
async function directory(read, offset, isLittle) {
  const fields = new Map();
  const head = await read(offset, 2);
  const count = new DataView(head.buffer, head.byteOffset, head.length).getUint16(0, isLittle);
  if (count > mostEntries) return fields;
  const bytes = await read(offset + 2, count * 12);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 12 <= bytes.length; at += 12) {
    const [tag, type] = [view.getUint16(at, isLittle), view.getUint16(at + 2, isLittle)];
    const length = (lengths[type] ?? 0) * view.getUint32(at + 4, isLittle);
    if (!wanted.has(tag) || fields.has(tag) || length === 0) continue;
    const value = length <= 4
      ? bytes.subarray(at + 8, at + 8 + length)
      : await read(view.getUint32(at + 8, isLittle), Math.min(length, longestValue));
    fields.set(tag, { type, value });
  }
  return fields;
}

/** Returns what the metadata at the beginning of `read` tells. */
export async function exifDetails(read) {
  const head = await read(0, 8);
  const start = new DataView(head.buffer, head.byteOffset, head.length);
  const isLittle = head[0] === 0x49;
  const order = start.getUint16(0);
  if ((order !== 0x4949 && order !== 0x4d4d) || !magics.includes(start.getUint16(2, isLittle))) return {};
  const fields = await directory(read, start.getUint32(4, isLittle), isLittle);
  const numbers = tag => {
    const { type, value } = fields.get(tag) ?? {};
    const found = [];
    if (!value) return found;
    const view = new DataView(value.buffer, value.byteOffset, value.length);
    for (let at = 0; at + lengths[type] <= value.length; at += lengths[type]) {
      if (type === 3) found.push(view.getUint16(at, isLittle));
      if (type === 4 || type === 13) found.push(view.getUint32(at, isLittle));
      if (type === 5) found.push(view.getUint32(at, isLittle) / view.getUint32(at + 4, isLittle));
    }
    return found;
  };
  for (const tag of [tags.exif, tags.gps]) {
    const [offset] = numbers(tag);
    // A directory that cannot be read does not hide the others.
    const further = offset ? await directory(read, offset, isLittle).catch(() => new Map()) : new Map();
    for (const [tag, field] of further) if (!fields.has(tag)) fields.set(tag, field);
  }
  const text = tag => {
    const field = fields.get(tag);
    return lengths[field?.type] === 1 ? cleaned(new TextDecoder().decode(field.value)) : undefined;
  };
  const between = (tag, least, most) => numbers(tag).find(value => value >= least && value <= most);
  const degrees = (value, side) => {
    const [whole, minutes = 0, seconds = 0] = numbers(value);
    // Without a known side it is no place.
    return (whole + minutes / 60 + seconds / 3600) * { N: 1, S: -1, E: 1, W: -1 }[text(side)];
  };
  const sensitivity = between(tags.sensitivity, 1, 65535);
  return {
    make: text(tags.make), model: text(tags.model), lens: text(tags.lens),
    // Seconds from a microsecond to a day, millimetres, and other values that cameras can have.
    exposureTime: between(tags.exposureTime, 1e-6, 86_400), aperture: between(tags.aperture, 0.5, 1000),
    // A field of two bytes has no larger value than this.
    sensitivity: sensitivity === 65535 ? between(tags.exposureIndex, 1, 1e8) : sensitivity,
    focalLength: between(tags.equivalent, 1, 1e5) ?? between(tags.focalLength, 0.5, 1e5),
    place: placeAt(degrees(tags.latitude, tags.north), degrees(tags.longitude, tags.east)),
  };
}

/** Returns a place; `undefined` outside of the range, and for 0 and 0, which cameras write without a position. */
export function placeAt(latitude, longitude) {
  const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
  return isPlace ? { latitude, longitude } : undefined;
}
