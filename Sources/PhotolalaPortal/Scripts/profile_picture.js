// The form for a profile picture: shows the middle of a photo as a square, and sends it.

import { HEIFDecoder, isHEIF } from "./heif_decoder.js";
import { pixelCount } from "./picture_size.js";
import { remember } from "./undo_setting.js";

const edge = 256;
// The largest file to read, in bytes, the most pixels of a JPEG or PNG, and how many bytes hold a header.
const [longest, mostPixels, headLength] = [64 << 20, 120_000_000, 1 << 20];
// The largest picture, in bytes, which fits in a form, and the JPEG qualities until it does.
const [limit, qualities] = [40 << 10, [0.9, 0.8, 0.6, 0.4]];

class TooLarge extends Error {}

class PictureForm {
  #form;
  #canvas;
  #button;
  #status;
  #chosen = 0;
  /** The stored picture in Base64, if a form can send it again. */
  #stored;

  constructor(form) {
    this.#form = form;
    this.#read(document.querySelector("#picture img"));
    for (const each of document.querySelectorAll("#picture form")) {
      each.addEventListener("submit", () => remember(form.getAttribute("action"), this.#stored));
    }
    [this.#canvas, this.#button] = ["canvas", "button"].map(name => form.querySelector(name));
    this.#status = form.querySelector("[role=status]");
    const input = form.querySelector("[type=file]");
    input.addEventListener("change", () => this.#choose(input.files[0]));
    // The browser may have kept the choice when the page is loaded again.
    if (input.files[0]) this.#choose(input.files[0]);
    form.hidden = false;
  }

  /** Reads the stored picture, which the page shows, from the browser's cache. */
  async #read(image) {
    const blob = image && await fetch(image.src).then(response => response.blob()).catch(() => undefined);
    if (blob && blob.size <= limit) this.#stored = await base64(blob);
  }

  async #choose(file) {
    const chosen = this.#chosen += 1;
    this.#show("", false);
    if (!file) return;
    let { failed } = this.#form.dataset;
    const original = await open(file).catch(error => {
      if (error instanceof TooLarge) failed = this.#form.dataset.tooLarge;
    });
    // Another photo was chosen, and may be on the canvas.
    if (chosen !== this.#chosen) return original?.close();
    const picture = original && await square(original, this.#canvas).catch(() => undefined);
    if (chosen !== this.#chosen) return;
    this.#form.elements.picture.value = picture ?? "";
    this.#show(picture ? this.#form.dataset.ready : failed, Boolean(picture));
  }

  #show(text, isReady) {
    this.#status.textContent = text;
    this.#canvas.hidden = this.#button.hidden = !isReady;
  }
}

/** Draws the middle of a photo and releases the photo. Returns a JPEG in Base64; `undefined` if it is too large. */
async function square(original, canvas) {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  try {
    const side = Math.min(original.width, original.height);
    const [left, top] = [(original.width - side) / 2, (original.height - side) / 2];
    requireTrueColors(context);
    context.fillStyle = "#fff";
    context.fillRect(0, 0, edge, edge);
    context.imageSmoothingQuality = "high";
    context.drawImage(original, left, top, side, side, 0, 0, edge, edge);
  } finally {
    original.close();
  }
  for (const quality of qualities) {
    const blob = await new Promise(resolve => canvas.toBlob(resolve, "image/jpeg", quality));
    if (blob && blob.size <= limit) return base64(blob);
  }
  return undefined;
}

/** Returns a photo, upright. Throws `TooLarge` before anything is decoded. The decoder for HEIC photos is loaded only if the browser has none. */
async function open(file) {
  const head = new Uint8Array(await file.slice(0, headLength).arrayBuffer());
  if (file.size > longest || pixelCount(head) > mostPixels) throw new TooLarge();
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch (error) {
    if (!isHEIF(head)) throw error;
    return new HEIFDecoder().decode(file);
  }
}

/** Throws where the browser alters the pixels of canvases, as protection against fingerprinting. */
function requireTrueColors(context) {
  context.fillStyle = "#1b7fd3";
  context.fillRect(0, 0, edge, edge);
  const { data } = context.getImageData(0, 0, 2, 2);
  if (!data.every((value, at) => value === [0x1b, 0x7f, 0xd3, 0xff][at % 4])) throw new Error("altered pixels");
}

function base64(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

const form = document.querySelector("#picture form");
if (form) new PictureForm(form);
