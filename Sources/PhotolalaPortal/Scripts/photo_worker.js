// Worker that reads a photo: its MD5, its first bytes, its camera, and its pictures if the browser can decode it. Of a
// video it reads the duration, and the page sends a frame then.
import { fileFacts } from "./file_facts.js";
import { HEIFDecoder, isHEIF } from "./heif_decoder.js";
import { PartDigests } from "./part_digests.js";
import { pixelCount } from "./picture_size.js";
import { TemporaryFile } from "./temporary_files.js";
import { thumbnailEdge } from "./thumbnail_size.js";
import { unpack } from "./unpacking.js";

const pieceLength = 4 << 20;
const headLength = 4096;
// Longer files of archives are unpacked to the disk, in bytes.
const inMemory = 32 << 20;
const previewEdge = 2048;
// Pictures are upright and without metadata. Of a thumbnail and of a preview: the longer side in pixels, the JPEG qualities
// of which the first one is used that is small enough, and the largest size in bytes.
const pictures = {
  thumbnail: { edgeOf: thumbnailEdge, qualities: [0.8, 0.6, 0.4], limit: 256 << 10, hasColor: true },
  preview: { edgeOf: () => previewEdge, qualities: [0.82], limit: 4 << 20, hasColor: false },
};
// As in `Preview.isUseful`: what browsers show is its own preview up to these sizes.
const shown = ["image/jpeg", "image/png", "image/webp", "image/avif"];
const [smallSize, mediumSize] = [256 << 10, 1 << 20];
// The largest file to decode, in bytes, and that of a JPEG or PNG.
const [decoded, longest] = [40 << 20, 256 << 20];
// The most pixels of a JPEG or PNG, which take four bytes each: those of phones for files up to the first size.
const [mostOfSmall, mostOfLarge] = [210_000_000, 120_000_000];
const heifDecoder = new HEIFDecoder();

/** Returns the MD5 of a file, and those of its parts if they have a size. */
async function digests(blob, partSize, progress) {
  const digests = new PartDigests(partSize);
  for (let at = 0; at < blob.size; at += pieceLength) {
    digests.update(new Uint8Array(await blob.slice(at, at + pieceLength).arrayBuffer()));
    progress?.(Math.min(at + pieceLength, blob.size));
  }
  return digests.finish();
}

/** Whether canvas pixels are exact. Browsers with fingerprinting protection alter them. */
const isTrueToPixels = (() => {
  const context = new OffscreenCanvas(2, 2).getContext("2d");
  context.fillStyle = "#1b7fd3";
  context.fillRect(0, 0, 2, 2);
  const pixels = context.getImageData(0, 0, 2, 2).data;
  return pixels.every((value, index) => value === [0x1b, 0x7f, 0xd3, 0xff][index % 4]);
})();

/** Whether showing the original would be slow, or impossible in other browsers. Animations have no preview. */
function needsPreview(file, { width, height }) {
  if (file.type === "image/gif") return false;
  if (!shown.includes(file.type) || file.size > mediumSize) return true;
  return file.size > smallSize && Math.max(width, height) > previewEdge;
}

/** Whether a file may be a video. Some systems do not know the type of files whose extension is in upper case. */
function isMovie(file, head) {
  if (file.type) return file.type.startsWith("video/");
  const isMatroska = [0x1a, 0x45, 0xdf, 0xa3].every((byte, index) => head[index] === byte);
  const box = String.fromCharCode(...head.subarray(4, 8));
  return isMatroska || (["ftyp", "moov", "mdat", "wide"].includes(box) && !isHEIF(head));
}

/** Returns a photo, upright. The decoder for HEIF files is loaded only if the browser has none. */
async function open(file, head) {
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch (error) {
    if (!isHEIF(head)) throw error;
    return heifDecoder.decode(file);
  }
}

/** Whether a photo fits in memory when it is decoded. */
async function fits(file) {
  if (file.size > longest) return false;
  const pixels = pixelCount(new Uint8Array(await file.slice(0, pieceLength).arrayBuffer()));
  const isSmall = file.size <= decoded;
  return pixels === undefined ? isSmall : pixels <= (isSmall ? mostOfSmall : mostOfLarge);
}

/** Returns the pictures that this browser makes of a photo; none if it cannot decode it. */
async function draw(file, head) {
  // Some systems do not know the type of HEIF files.
  const isImage = file.type.startsWith("image/") || isHEIF(head);
  if (!isTrueToPixels || !isImage || !(await fits(file))) return {};
  try {
    const original = await open(file, head);
    return await reduce(original, needsPreview(file, original));
  } catch {
    return {};
  }
}

/** Returns the pictures of what was decoded, which is released then. */
async function reduce(original, hasPreview) {
  try {
    const made = { thumbnail: await picture(original, pictures.thumbnail) };
    if (hasPreview) made.preview = await picture(original, pictures.preview);
    return made;
  } finally {
    original.close();
  }
}

async function picture(original, { edgeOf, qualities, limit, hasColor }) {
  const scale = Math.min(1, edgeOf(original) / Math.max(original.width, original.height));
  const side = length => Math.max(1, Math.round(length * scale));
  const canvas = new OffscreenCanvas(side(original.width), side(original.height));
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(original, 0, 0, canvas.width, canvas.height);
  let blob;
  for (const quality of qualities) {
    blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
    if (blob.size <= limit) break;
  }
  if (blob.size > limit) return null;
  const color = hasColor ? averageColor(context) : undefined;
  return { blob, md5: (await digests(blob, 0)).md5, size: blob.size, color };
}

/** Returns the average of a canvas's pixels in sRGB, as six hex digits. */
function averageColor(context) {
  const { data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    for (let channel = 0; channel < 3; channel += 1) sums[channel] += data[at + channel];
  }
  const bytes = sums.map(sum => Math.round(sum / (data.length / 4)));
  // As in the catalog, where zero is unknown.
  if (bytes.every(value => value === 0)) bytes[2] = 1;
  return bytes.map(value => value.toString(16).padStart(2, "0")).join("");
}

/** The unpacked bytes of a file in memory, from which browsers move large ones to the disk. */
class Pieces {
  #all = [];

  write(bytes) {
    this.#all.push(new Blob([bytes]));
  }

  finish(type) {
    return { file: new Blob(this.#all, { type }) };
  }

  discard() {}
}

/** Checks a file of an archive. Returns its digests and, if it is compressed, its bytes. */
async function unpacked(blob, packed, partSize, progress) {
  const digests = new PartDigests(partSize);
  let length = 0;
  const target = !packed.isCompressed ? undefined
    : packed.size > inMemory ? await TemporaryFile.create().catch(() => new Pieces()) : new Pieces();
  try {
    await unpack(blob, packed, bytes => {
      digests.update(bytes);
      target?.write(bytes);
      length += bytes.length;
      progress(length);
    });
  } catch (error) {
    await target?.discard();
    throw error;
  }
  return { ...digests.finish(), ...(await target?.finish(blob.type)) };
}

function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

onmessage = async ({ data: { blob, packed, partSize, frame } }) => {
  try {
    if (frame) {
      postMessage({ done: await reduce(frame, true) });
      return;
    }
    const progress = read => postMessage({ read });
    const found = packed ? await unpacked(blob, packed, partSize, progress) : await digests(blob, partSize, progress);
    const file = found.file ?? blob;
    const head = new Uint8Array(await file.slice(0, headLength).arrayBuffer());
    const isVideo = isMovie(file, head);
    const [{ camera, duration, isTimeless }, made] = await Promise.all([fileFacts(file), draw(file, head)]);
    const hasFrames = isTrueToPixels && isVideo;
    const facts = { camera, duration: isVideo ? duration : undefined, isTimeless, hasFrames };
    postMessage({ done: { ...found, head: base64(head), ...facts, ...made } });
  } catch (error) {
    postMessage({ error: String(error), kind: error.kind });
  }
};
