// Worker that reads a photo: its MD5, its first bytes, and a thumbnail if the browser can decode it.
import { MD5 } from "./md5.js";

const pieceLength = 4 << 20;
const headLength = 4096;
// PTM-256: upright, the longer side at most 256 pixels, without metadata.
const edge = 256;
// The largest file to decode, in bytes. Larger pictures may not fit in memory.
const thumbnailSources = 40 << 20;

async function digest(blob, progress) {
  const md5 = new MD5();
  for (let at = 0; at < blob.size; at += pieceLength) {
    md5.update(new Uint8Array(await blob.slice(at, at + pieceLength).arrayBuffer()));
    progress?.(Math.min(at + pieceLength, blob.size));
  }
  return md5.digest();
}

/** Whether canvas pixels are exact. Browsers with fingerprinting protection alter them. */
const isTrueToPixels = (() => {
  const context = new OffscreenCanvas(2, 2).getContext("2d");
  context.fillStyle = "#1b7fd3";
  context.fillRect(0, 0, 2, 2);
  const pixels = context.getImageData(0, 0, 2, 2).data;
  return pixels.every((value, index) => value === [0x1b, 0x7f, 0xd3, 0xff][index % 4]);
})();

async function thumbnail(file) {
  if (!isTrueToPixels || !file.type.startsWith("image/") || file.size > thumbnailSources) return null;
  let picture;
  try {
    picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, edge / Math.max(picture.width, picture.height));
    const width = Math.max(1, Math.round(picture.width * scale));
    const canvas = new OffscreenCanvas(width, Math.max(1, Math.round(picture.height * scale)));
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
  } catch {
    // This browser cannot decode the file: the photo gets no thumbnail.
    return null;
  } finally {
    picture?.close();
  }
}

function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

onmessage = async ({ data: file }) => {
  try {
    const md5 = await digest(file, read => postMessage({ read }));
    const head = base64(new Uint8Array(await file.slice(0, headLength).arrayBuffer()));
    const picture = await thumbnail(file);
    const small = picture && { blob: picture, md5: await digest(picture), size: picture.size };
    postMessage({ done: { md5, head, thumbnail: small } });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
