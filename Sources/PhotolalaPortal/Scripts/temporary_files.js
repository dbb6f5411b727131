// Files in the origin's private file system, for what is too large for memory. Works in workers.

const folderName = "uploads";
// Milliseconds after which a file was left by a page that ended.
const oldest = 86_400_000;

async function folder() {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true });
}

export class TemporaryFile {
  #handle;
  #access;
  #length = 0;

  constructor(handle, access) {
    [this.#handle, this.#access] = [handle, access];
  }

  /** Rejects if the browser has no such files, as in private windows. */
  static async create() {
    const place = await folder();
    await removeOld(place);
    const handle = await place.getFileHandle(crypto.randomUUID(), { create: true });
    return new TemporaryFile(handle, await handle.createSyncAccessHandle());
  }

  write(bytes) {
    for (let at = 0; at < bytes.length;) at += this.#access.write(bytes.subarray(at), { at: this.#length + at });
    this.#length += bytes.length;
  }

  /** Returns the file, and the name with which it is removed. */
  async finish(type) {
    this.#access.close();
    const file = await this.#handle.getFile();
    return { file: file.slice(0, file.size, type), temporary: this.#handle.name };
  }

  async discard() {
    this.#access.close();
    await remove(this.#handle.name);
  }
}

export async function remove(name) {
  await (await folder()).removeEntry(name).catch(() => {});
}

async function removeOld(place) {
  for await (const [name, handle] of place.entries()) {
    const file = await handle.getFile().catch(() => null);
    if (file && file.lastModified < Date.now() - oldest) await place.removeEntry(name).catch(() => {});
  }
}
