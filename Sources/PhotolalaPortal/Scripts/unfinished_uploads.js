// What this browser remembers of uploads in parts, so that they resume after the page was closed. Each is named by the
// address of its object, which contains the account and the MD5 of the photo.

const storageKey = "uploads";
// Stores remove parts after seven days. In milliseconds.
const longestAge = 6 * 86_400_000;
const mostUploads = 16;

export class UnfinishedUploads {
  /** The uploads of this page, also where the browser stores nothing. */
  #known = new Map();

  /** Returns an upload: the store's id of it, and the tags of the parts that were sent, by number. */
  find(name) {
    return this.#known.get(name) ?? this.#stored()[name];
  }

  record(name, upload) {
    this.#known.set(name, upload);
    this.#store({ ...this.#stored(), [name]: upload });
  }

  remove(name) {
    this.#known.delete(name);
    const { [name]: _, ...others } = this.#stored();
    this.#store(others);
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
