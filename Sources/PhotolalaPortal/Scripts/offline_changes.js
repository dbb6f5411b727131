// The changes to favorites and albums that were made without a connection, until they are sent. They are in a cache of
// their account, which is deleted together with its pages. A later change of the same photo replaces an earlier one, so
// their order does not matter.

const consent = "reading";
const prefix = "changes:";
const address = "/library/changes";
const lock = "offline changes";
// The most that is kept, and for how many milliseconds.
const most = 10_000;
const lasting = 30 * 86_400_000;

export class OfflineChanges {
  #owner;
  /** Tells the other pages that there are other changes. */
  #channel = new BroadcastChannel("offline changes");

  /** The account of the page, as the server names it to the worker. The act is called after changes of other pages. */
  constructor(owner, act) {
    this.#owner = owner;
    this.#channel.onmessage = act;
  }

  get owner() {
    return this.#owner;
  }

  /** Returns whether the browser keeps pages, and only those of this account. */
  async isPermitted() {
    const names = await caches.keys();
    return names.includes(consent) && names.every(name => !name.startsWith("pages:") || this.#isOwn(name));
  }

  /** Returns the changes. Deletes those of other accounts once pages of this account are kept. */
  async all() {
    if (!(await caches.keys()).some(name => name.startsWith(prefix))) return [];
    return (await this.#edit(known => known)) ?? [];
  }

  /**
   * Keeps changes of photos: whether they are in an album, or in the favorites if it is empty.
   *
   * Returns what is kept, or `null` if the browser keeps nothing of the account, or too much.
   */
  async add({ album, name, photos, isOn }) {
    const at = Date.now();
    let added = [];
    const all = await this.#edit(known => {
      const changed = new Set(photos);
      const isNew = each => each.album !== album || !changed.has(each.photo);
      // The same again remains one change, which the answer to either form ends.
      const same = new Map(known.filter(each => !isNew(each) && each.isOn === isOn).map(each => [each.photo, each]));
      added = photos.map(photo => same.get(photo) ?? { album, name, photo, isOn, at });
      const others = known.filter(isNew);
      return others.length + added.length > most ? null : [...others, ...added];
    });
    return all && added;
  }

  /** Removes changes that were sent or refused, unless the person has changed the same again since. */
  async remove(sent) {
    const text = change => JSON.stringify(change);
    const done = new Set(sent.map(text));
    await this.#edit(known => known.filter(change => !done.has(text(change))));
  }

  async clear() {
    await this.#edit(() => []);
  }

  /** Replaces the changes by what an act returns for them, or leaves them for `null`. One page does so at a time. */
  async #edit(act) {
    return navigator.locks.request(lock, async () => {
      if (!(await this.isPermitted())) return null;
      const names = await caches.keys();
      // A page of an account that was signed in before this one leaves the changes of the present one.
      if (names.some(name => name.startsWith("pages:") && this.#isOwn(name))) {
        for (const name of names) if (name.startsWith(prefix) && name !== this.#name) await caches.delete(name);
      }
      const known = await this.#read();
      const next = act(known);
      if (next === null || next === known) return next;
      if (next.length === 0) await caches.delete(this.#name);
      else await (await caches.open(this.#name)).put(address, new Response(JSON.stringify(next)));
      // What is kept may have been deleted during that, which begins with the consent.
      this.#channel.postMessage("");
      if (await this.isPermitted()) return next;
      await caches.delete(this.#name);
      return null;
    });
  }

  get #name() {
    return prefix + this.#owner;
  }

  /** Returns whether a cache of pages is that of this account. */
  #isOwn(name) {
    return name.split(":")[1] === this.#owner;
  }

  async #read() {
    if (!(await caches.has(this.#name))) return [];
    const stored = await (await caches.open(this.#name)).match(address);
    const known = stored ? await stored.json().catch(() => []) : [];
    return known.filter(({ at }) => at > Date.now() - lasting);
  }
}
