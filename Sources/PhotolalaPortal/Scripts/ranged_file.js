// Parts of a file in the store, by ranged requests (RFC 9110 section 14), within limits.

// Bytes of the first request, and the fewest of a further one.
const first = 64 << 10;
const fewest = 16 << 10;
// The most bytes and requests of one file.
const mostBytes = 512 << 10;
const mostRequests = 24;

export class RangedFile {
  #address;
  #signal;
  #parts = [];
  #size = Infinity;
  #left = mostBytes;
  #requests = 0;

  /** @param address - The address of the file, or one that redirects to it. */
  constructor(address, signal) {
    [this.#address, this.#signal] = [address, signal];
  }

  /** Whether the store returned bytes of the file. */
  get isReadable() {
    return this.#parts.length > 0;
  }

  /** Returns bytes from an offset; fewer at the end of the file. */
  async read(offset, length) {
    const end = Math.min(offset + length, this.#size);
    if (offset >= end) return new Uint8Array();
    const isPart = ({ start, bytes }) => start <= offset && end <= start + bytes.length;
    const part = this.#parts.find(isPart) ?? (await this.#fetch(offset, length));
    return part.bytes.subarray(offset - part.start, end - part.start);
  }

  async #fetch(start, length) {
    const wanted = Math.max(length, this.#requests === 0 ? first : fewest);
    this.#requests += 1;
    this.#left -= wanted;
    if (this.#requests > mostRequests || this.#left < 0) throw new RangeError();
    // The response to an earlier request for the picture may be in the cache without the fields that allow reading it.
    const response = await fetch(this.#address, {
      headers: { range: `bytes=${start}-${start + wanted - 1}` }, cache: "no-store", signal: this.#signal,
    });
    const [, size] = /^bytes \d+-\d+\/(\d+)$/u.exec(response.headers.get("content-range") ?? "") ?? [];
    if (response.status !== 206 || !size) {
      await response.body?.cancel();
      throw new Error(response.status);
    }
    // Further requests go to the store itself.
    [this.#address, this.#size] = [response.url, Number(size)];
    const part = { start, bytes: new Uint8Array(await response.arrayBuffer()) };
    this.#parts.push(part);
    return part;
  }
}
