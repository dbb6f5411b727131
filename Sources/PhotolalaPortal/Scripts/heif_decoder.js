// Decodes HEIC photos in a worker of their own.

// In milliseconds: the longest time for one photo, and how long an idle worker keeps its memory.
const [longest, idle] = [60_000, 10_000];
const imageBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx"];

/** Whether a file begins like a HEIF file (ISO/IEC 23008-12) with images in HEVC. */
export function isHEIF(head) {
  const text = at => String.fromCharCode(...head.subarray(at, at + 4));
  if (head.length < 16 || text(4) !== "ftyp") return false;
  const end = Math.min(new DataView(head.buffer, head.byteOffset).getUint32(0), head.length);
  const brands = [text(8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(at));
  return brands.some(brand => imageBrands.includes(brand)) || brands.includes("mif1") && !brands.includes("avif");
}

export class HEIFDecoder {
  #worker;
  #timer;

  /** Returns a photo as an upright `ImageBitmap`, which is reduced if it is much larger than a preview. One at a time. */
  decode(file) {
    clearTimeout(this.#timer);
    const worker = this.#worker ??= new Worker(new URL("./heif_worker.js", import.meta.url), { type: "module" });
    return new Promise((resolve, reject) => {
      const fail = () => {
        this.#stop();
        reject(new Error("the decoder failed"));
      };
      this.#timer = setTimeout(fail, longest);
      worker.onerror = fail;
      worker.onmessage = ({ data: { bitmap, error } }) => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#stop(), idle);
        if (bitmap) resolve(bitmap);
        else reject(new Error(error));
      };
      worker.postMessage(file);
    });
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
