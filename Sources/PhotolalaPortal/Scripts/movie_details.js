// What the `moov` box of an MP4 or QuickTime video tells, and that of a Canon CR3 photo.

import { boxes, codeOf, find, part, viewOf } from "./boxes.js";
import { cleaned, exifDetails, placeAt } from "./exif.js";

const codecs = {
  avc1: "H.264", avc3: "H.264", hvc1: "HEVC", hev1: "HEVC", dvh1: "HEVC", dvhe: "HEVC", av01: "AV1", vp08: "VP8",
  vp09: "VP9", mp4v: "MPEG-4", s263: "H.263", jpeg: "Motion JPEG", mjpa: "Motion JPEG", mjpb: "Motion JPEG",
  mjpg: "Motion JPEG", apcn: "ProRes", apch: "ProRes", apcs: "ProRes", apco: "ProRes", ap4h: "ProRes", ap4x: "ProRes",
  mp4a: "AAC", "ac-3": "Dolby Digital", "ec-3": "Dolby Digital Plus", alac: "ALAC", Opus: "Opus", samr: "AMR",
  sowt: "PCM", twos: "PCM", lpcm: "PCM", in24: "PCM", "raw ": "PCM",
};
// The keys of Apple's and the fields of QuickTime's user data.
const keys = {
  "com.apple.quicktime.make": "make", "com.apple.quicktime.model": "model",
  "com.apple.quicktime.location.ISO6709": "position",
};
const fields = { "\xa9mak": "make", "\xa9mod": "model", "\xa9xyz": "position" };
// The identifier of Canon's metadata.
const canon = [0x85c0b687, 0x820f11e0, 0x8111f4ce, 0x462b6a48];
// In seconds.
const longestDuration = 1_000_000;
const [mostTracks, mostKeys, longestText] = [32, 100, 200];

/** Returns a video's duration in seconds, its codecs, its camera and place. */
export async function movieDetails(read, moov) {
  const found = { codecs: [] };
  let tracks = 0;
  for await (const box of boxes(read, moov.start, moov.end)) {
    if (box.type === "mvhd") Object.assign(found, await duration(read, box));
    if (box.type === "trak" && (tracks += 1) <= mostTracks) await addCodec(read, box, found);
    if (box.type === "udta") await addFields(read, box, found);
    if (box.type === "meta") await addKeys(read, box, found);
    if (box.type === "uuid" && (await isCanon(read, box))) return canonDetails(read, box);
  }
  const { position, ...details } = found;
  // ISO 6709, in degrees.
  const [, latitude, longitude] = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/u.exec(position ?? "") ?? [];
  return { ...details, place: placeAt(Number(latitude), Number(longitude)) };
}

/** Returns the duration, if it is usable. Without a time scale, browsers and other programs invent one. */
async function duration(read, { start }) {
  const bytes = await read(start, 32);
  const view = viewOf(bytes);
  const isLong = bytes[0] === 1;
  const scale = view.getUint32(isLong ? 20 : 12);
  if (scale === 0) return { isTimeless: true };
  const seconds = (isLong ? Number(view.getBigUint64(24)) : view.getUint32(16)) / scale;
  return seconds > 0 && seconds < longestDuration ? { duration: seconds } : {};
}

/** Adds the codec of a track, that of pictures first. */
async function addCodec(read, trak, found) {
  const media = await find(read, trak, "mdia");
  const handler = media && (await find(read, media, "hdlr"));
  const description = media && (await find(read, media, "minf", "stbl", "stsd"));
  if (!handler || !description) return;
  const kind = codeOf(await read(handler.start + 8, 4), 0);
  if (kind !== "vide" && kind !== "soun") return;
  const codec = codecs[codeOf(await read(description.start + 12, 4), 0)];
  if (kind === "vide") {
    found.hasPictures = true;
    found.pictureCodec ??= codec;
  }
  if (codec && !found.codecs.includes(codec)) found.codecs[kind === "vide" ? "unshift" : "push"](codec);
}

async function addFields(read, udta, found) {
  for await (const box of boxes(read, udta.start, udta.end)) {
    // FFmpeg writes Apple's keys here.
    if (box.type === "meta") await addKeys(read, box, found);
    const name = fields[box.type];
    if (!name || box.end - box.start < 4) continue;
    // The lengths of a text and of its language come first.
    const length = viewOf(await read(box.start, 2)).getUint16(0);
    found[name] ??= await text(read, box.start + 4, Math.min(box.start + 4 + length, box.end));
  }
}

async function addKeys(read, meta, found) {
  // A QuickTime file omits the version that the standard has.
  const isPlain = codeOf(await read(meta.start + 4, 4), 0) === "hdlr";
  const content = { start: meta.start + (isPlain ? 0 : 4), end: meta.end };
  const [list, values] = [await find(read, content, "keys"), await find(read, content, "ilst")];
  if (!list || !values) return;
  const names = [];
  // A key has the form of a box whose type is its namespace.
  for await (const key of boxes(read, list.start + 8, list.end)) {
    names.push(keys[await text(read, key.start, key.end)]);
    if (names.length === mostKeys) break;
  }
  for await (const item of boxes(read, values.start, values.end)) {
    const index = [...item.type].reduce((sum, each) => sum * 256 + each.charCodeAt(0), 0) - 1;
    const data = names[index] && (await find(read, item, "data"));
    // A known Apple key takes precedence over the older field.
    if (data) found[names[index]] = (await text(read, data.start + 8, data.end)) ?? found[names[index]];
  }
}

async function text(read, start, end) {
  if (end <= start) return undefined;
  return cleaned(new TextDecoder().decode(await read(start, Math.min(end - start, longestText))));
}

async function isCanon(read, box) {
  const bytes = await read(box.start, 16);
  return bytes.length === 16 && canon.every((part, index) => viewOf(bytes).getUint32(index * 4) === part);
}

/** Returns the metadata of a CR3 photo: each directory is a TIFF file of its own. */
async function canonDetails(read, uuid) {
  const details = {};
  for await (const box of boxes(read, uuid.start + 16, uuid.end)) {
    if (!["CMT1", "CMT2", "CMT4"].includes(box.type)) continue;
    for (const [name, value] of Object.entries(await exifDetails(part(read, box.start, box.end)))) {
      details[name] ??= value;
    }
  }
  return details;
}
