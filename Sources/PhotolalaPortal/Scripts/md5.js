// Incremental MD5 (RFC 1321), which browsers lack. The store checks every upload against its digest.
const shifts = Uint8Array.of(7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21);
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.abs(Math.sin(i + 1)) * 2 ** 32);

export class MD5 {
  #state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  #block = new Uint8Array(64);
  #words = new DataView(this.#block.buffer);
  #input = new Int32Array(16);
  #filled = 0;
  #length = 0;

  /** @param {Uint8Array} bytes */
  update(bytes) {
    this.#length += bytes.length;
    let at = 0;
    if (this.#filled > 0) {
      at = Math.min(64 - this.#filled, bytes.length);
      this.#block.set(bytes.subarray(0, at), this.#filled);
      this.#filled += at;
      if (this.#filled < 64) return this;
      this.#mix(this.#words, 0);
      this.#filled = 0;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (; at + 64 <= bytes.length; at += 64) this.#mix(view, at);
    this.#block.set(bytes.subarray(at));
    this.#filled = bytes.length - at;
    return this;
  }

  /** Returns the digest as 32 lower-case hex digits. No bytes can be added afterwards. */
  digest() {
    const length = this.#length;
    const padding = new Uint8Array((this.#filled < 56 ? 56 : 120) - this.#filled + 8);
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, (length % 2 ** 29) * 8, true);
    view.setUint32(padding.length - 4, Math.floor(length / 2 ** 29), true);
    this.update(padding);
    const bytes = new Uint8Array(this.#state.buffer);
    return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
  }

  #mix(view, at) {
    const words = this.#input;
    for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + i * 4, true);
    let a = this.#state[0], b = this.#state[1], c = this.#state[2], d = this.#state[3];
    for (let i = 0; i < 64; i += 1) {
      let mixed = 0, word = 0;
      if (i < 16) {
        mixed = (b & c) | (~b & d);
        word = i;
      } else if (i < 32) {
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) & 15;
      } else if (i < 48) {
        mixed = b ^ c ^ d;
        word = (3 * i + 5) & 15;
      } else {
        mixed = c ^ (b | ~d);
        word = (7 * i) & 15;
      }
      const sum = (a + mixed + sines[i] + words[word]) | 0;
      const shift = shifts[(i >> 4) * 4 + (i & 3)];
      a = d;
      d = c;
      c = b;
      b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
    }
    this.#state[0] += a;
    this.#state[1] += b;
    this.#state[2] += c;
    this.#state[3] += d;
  }
}
