// The MD5 of a file and those of its parts, in one pass: parts with these digests make up the file with that one.
import { MD5 } from "./md5.js";

export class PartDigests {
  #whole = new MD5();
  #size;
  #part = new MD5();
  #length = 0;
  #parts = [];

  /** @param {number} size The length of each part but the last, in bytes; 0 for a file that is sent as a whole. */
  constructor(size) {
    this.#size = size;
  }

  /** @param {Uint8Array} bytes */
  update(bytes) {
    this.#whole.update(bytes);
    if (this.#size === 0) return;
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + this.#size - this.#length);
      this.#part.update(piece);
      at += piece.length;
      this.#length += piece.length;
      if (this.#length === this.#size) this.#endPart();
    }
  }

  /** Returns the digest of the file and those of its parts; the latter only of a file that is sent in parts. */
  finish() {
    if (this.#length > 0) this.#endPart();
    return { md5: this.#whole.digest(), parts: this.#size === 0 ? undefined : this.#parts };
  }

  #endPart() {
    this.#parts.push(this.#part.digest());
    [this.#part, this.#length] = [new MD5(), 0];
  }
}
