// Sends long files in parts. Parts that the store has are not sent again, also after the page was closed.
import { put } from "./signed_put.js";
import { UnfinishedUploads } from "./unfinished_uploads.js";

// Signatures last 15 minutes. In milliseconds.
const signatureAge = 600_000;
const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/** Returns what identifies an object: its address without the signature. */
export function objectName({ url }) {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

export class PartSender {
  #calls;
  #partSize;
  #mostParts;
  #unfinished = new UnfinishedUploads();

  /**
   * @param {number} partSize The length of each part but the last, in bytes.
   * @param {number} mostParts The most parts that the server signs at once.
   */
  constructor(calls, partSize, mostParts) {
    [this.#calls, this.#partSize, this.#mostParts] = [calls, partSize, mostParts];
  }

  /**
   * Sends what the store lacks of a file that was read. Rejects like `put`. Calls `progress` with the number of bytes
   * that the store has, and whether they were sent earlier.
   */
  async send(name, offer, { file, parts }, signal, progress) {
    const earlier = this.#unfinished.find(name);
    if (earlier) {
      try {
        return await this.#sendRest(name, earlier, file, parts, signal, progress);
      } catch (error) {
        if (!error.isLost) throw error;
        // The store removed the parts.
        this.forget(name);
      }
    }
    const { md5, size, path } = offer;
    const upload = { id: await this.#start(offer, signal), name: path, md5, size, tags: {}, started: Date.now() };
    this.#unfinished.record(name, upload);
    await this.#sendRest(name, upload, file, parts, signal, progress);
  }

  /** Removes the record of an upload, after its photo was added or could not be. */
  forget(name) {
    this.#unfinished.remove(name);
  }

  /** Removes the parts of a cancelled upload from the store. */
  async abandon(name) {
    const upload = this.#unfinished.find(name);
    this.forget(name);
    if (!upload || upload.isComplete) return;
    // Parts that stay are removed by the store later.
    const signed = await this.#sign(upload, []).catch(() => null);
    if (signed) await fetch(signed.abortion.url, { method: "DELETE" }).catch(() => null);
  }

  async #start(offer, signal) {
    const { url, headers } = await this.#calls.post("/library/uploads/start", { photo: offer });
    const answer = await request(url, { headers, signal });
    const id = answer.querySelector("UploadId")?.textContent;
    if (!id) throw new Error();
    return id;
  }

  async #sendRest(name, upload, file, parts, signal, progress) {
    // A response with the end of the upload may have been lost.
    if (upload.isComplete) return progress(upload.size, true);
    const bytes = number => file.slice((number - 1) * this.#partSize, number * this.#partSize, file.type);
    const missing = parts.map((_, index) => index + 1).filter(number => !upload.tags[number]);
    let sent = upload.size - missing.reduce((sum, number) => sum + bytes(number).size, 0);
    let signed = { time: -signatureAge, parts: new Map() };
    progress(sent, true);
    for (const [index, number] of missing.entries()) {
      const body = bytes(number);
      const isUsable = signed.parts.has(number) && performance.now() - signed.time < signatureAge;
      if (!isUsable) {
        const next = missing.slice(index, index + this.#mostParts);
        signed = await this.#sign(upload, next.map(each => ({
          number: each, md5: parts[each - 1], size: bytes(each).size,
        })));
      }
      const before = sent;
      upload.tags[number] = await put(signed.parts.get(number), body, signal, loaded => progress(before + loaded));
      sent += body.size;
      progress(sent);
      this.#unfinished.record(name, upload);
    }
    if (performance.now() - signed.time >= signatureAge) signed = await this.#sign(upload, []);
    await this.#complete(upload, parts.length, signed.completion, signal);
    upload.isComplete = true;
    this.#unfinished.record(name, upload);
  }

  async #sign({ id, md5, size }, parts) {
    const time = performance.now();
    const answer = await this.#calls.post("/library/uploads/parts", { md5, size, upload: id, parts });
    return { ...answer, time, parts: new Map(parts.map(({ number }, index) => [number, answer.parts[index]])) };
  }

  async #complete({ tags }, count, { url, headers }, signal) {
    const list = document.implementation.createDocument(namespace, "CompleteMultipartUpload");
    for (let number = 1; number <= count; number += 1) {
      const part = list.createElement("Part");
      for (const [name, value] of [["PartNumber", number], ["ETag", tags[number]]]) {
        part.append(Object.assign(list.createElementNS(namespace, name), { textContent: value }));
      }
      list.documentElement.append(part);
    }
    try {
      await request(url, { headers, signal, body: new XMLSerializer().serializeToString(list) });
    } catch (error) {
      // An earlier request may have completed the upload. The next call of the server looks at the object.
      if (!error.isGone) throw error;
    }
  }
}

/** Posts a request to the store and returns the document of its answer. */
async function request(url, options) {
  const response = await fetch(url, { method: "POST", ...options });
  const answer = new DOMParser().parseFromString(await response.text(), "application/xml");
  // A store may answer with status 200 before it notices a failure.
  const code = answer.querySelector("Error > Code")?.textContent;
  if (response.ok && !code) return answer;
  throw Object.assign(new Error(), { isGone: code === "NoSuchUpload", isLost: code === "InvalidPart" });
}
