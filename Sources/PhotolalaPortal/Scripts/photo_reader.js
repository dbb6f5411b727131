// Reads files one at a time in a worker.

export class PhotoReader {
  #worker;
  #waiting;

  /** Returns a file's digest, first bytes and thumbnail. Rejects with `isTransient` if the worker itself failed. */
  read(file, progress) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, progress };
      this.#worker ??= this.#start();
      this.#worker.postMessage(file);
    });
  }

  #start() {
    const worker = new Worker(new URL("./photo_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { read, done, error } }) => {
      if (read) this.#waiting?.progress(read);
      if (done) this.#waiting?.resolve(done);
      if (error) this.#waiting?.reject(new Error(error));
    };
    worker.onerror = () => {
      worker.terminate();
      this.#worker = undefined;
      this.#waiting?.reject(Object.assign(new Error(), { isPassing: true }));
    };
    return worker;
  }
}
