// CRC-32 of ZIP archives.

const table = new Uint32Array(256);
for (let number = 0; number < 256; number += 1) {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  table[number] = value;
}

export class CRC32 {
  #state = 0xffffffff;

  update(bytes) {
    let state = this.#state;
    for (let index = 0; index < bytes.length; index += 1) state = table[(state ^ bytes[index]) & 0xff] ^ (state >>> 8);
    this.#state = state;
  }

  get value() {
    return (this.#state ^ 0xffffffff) >>> 0;
  }
}
