// What this browser remembers of uploads in parts, so that they resume after the page was closed. Each is named by the
// address of its object, which contains the account and the MD5 of the photo.

const storageKey = "uploads";
// Stores remove parts after seven days. In milliseconds.
const longestAge = 6 * 86_400_000;
const mostUploads = 16;

/** Returns the name of the lock that a page holds while it sends an upload. */
const lockOf = name => `upload ${name}`;

export class UnfinishedUploads {
  /** The uploads of this page, also where the browser stores nothing. */
  #known = new Map();
  /** The ends of the locks that this page holds. */
  #ends = new Map();

  /** Returns an upload: the store's id of it, and the tags of the parts that were sent, by number. */
  find(name) {
    return this.#known.get(name) ?? this.#stored()[name];
  }

  record(name, upload) {
    if (!this.#known.has(name)) this.#hold(name);
    delete upload.isAnnounced;
    this.#known.set(name, upload);
    this.#store({ ...this.#stored(), [name]: upload });
  }

  remove(name) {
    this.#known.delete(name);
    this.#ends.get(name)?.();
    const { [name]: _, ...others } = this.#stored();
    this.#store(others);
  }

  /** Returns the file names of an account's uploads that no open page sends. Each interruption is returned once. */
  async announce(account) {
    const { held } = (await navigator.locks?.query()) ?? { held: [] };
    const uploads = this.#stored();
    const found = Object.entries(uploads).filter(([name, upload]) => (
      name.includes(`/${account}/`) && upload.name && !upload.isAnnounced
        && !held.some(lock => lock.name === lockOf(name))
    )).map(([, upload]) => upload);
    for (const upload of found) upload.isAnnounced = true;
    if (found.length > 0) this.#store(uploads);
    return found.map(({ name }) => name);
  }

  /** Holds a lock until the upload is removed or the page is closed. */
  #hold(name) {
    navigator.locks?.request(lockOf(name), { ifAvailable: true }, lock => (
      lock && new Promise(resolve => this.#ends.set(name, resolve))
    ));
  }

  #stored() {
    try {
      return JSON.parse(localStorage.getItem(storageKey)) ?? {};
    } catch {
      return {};
    }
  }

  #store(uploads) {
    const kept = Object.entries(uploads).filter(([, { started }]) => started > Date.now() - longestAge)
      .sort(([, one], [, other]) => other.started - one.started).slice(0, mostUploads);
    try {
      if (kept.length > 0) localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(kept)));
      else localStorage.removeItem(storageKey);
    } catch {
      // Without storage an upload resumes in this page only.
    }
  }
}
