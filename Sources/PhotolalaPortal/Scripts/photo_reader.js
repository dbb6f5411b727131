// Reads files one at a time in a worker.
import { movieFrame } from "./movie_frame.js";

export class PhotoReader {
  #worker;
  #waiting;

  /**
   * Returns the bytes of a file, its digest, first bytes, facts and pictures. The bytes of a compressed file of an archive
   * are in a `temporary` file if they are many. Of a file that is sent in parts of a size in bytes, also their digests.
   * Rejects with `isPassing` if the worker itself failed.
   */
  async read(file, partSize, progress) {
    // Otherwise it is a file in an archive.
    const isPacked = !(file instanceof Blob);
    const blob = isPacked ? await file.packed() : file;
    const { size, crc32, isCompressed } = file;
    const packed = isPacked ? { size, crc32, isCompressed } : undefined;
    const read = { file: blob, ...(await this.#ask({ blob, packed, partSize }, progress)) };
    return read.hasFrames ? this.#addFrame(read) : read;
  }

  /** Adds the pictures of a video, and its duration if the file itself does not tell it. */
  async #addFrame(read) {
    const { frame, duration } = await movieFrame(read.file);
    const pictures = frame ? await this.#ask({ frame }, undefined, [frame]).catch(() => ({})) : {};
    return { ...read, ...pictures, duration: read.duration ?? (read.isTimeless ? undefined : duration) };
  }

  #ask(question, progress, moved = []) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, progress };
      this.#worker ??= this.#start();
      this.#worker.postMessage(question, moved);
    });
  }

  #start() {
    const worker = new Worker(new URL("./photo_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { read, done, error, kind } }) => {
      if (read) this.#waiting?.progress(read);
      if (done) this.#waiting?.resolve(done);
      if (error) this.#waiting?.reject(Object.assign(new Error(error), { kind }));
    };
    worker.onerror = () => {
      worker.terminate();
      this.#worker = undefined;
      this.#waiting?.reject(Object.assign(new Error(), { isPassing: true }));
    };
    return worker;
  }
}
