// The last searches of an account in this browser. Signing out deletes them.

const key = "searches";
// As many as leave space for other suggestions.
const most = 3;

export class RecentSearches {
  #account;

  /** @param {string} account The name under which the browser keeps what belongs to the account. */
  constructor(account) {
    this.#account = account;
  }

  /** The searches, the last one first; none of another account. */
  get all() {
    try {
      const { account, searches } = JSON.parse(localStorage.getItem(key));
      return account === this.#account ? searches : [];
    } catch {
      return [];
    }
  }

  /** Adds a search that is not empty. */
  add(text) {
    if (!text) return;
    const searches = [text, ...this.all.filter(each => each !== text)].slice(0, most);
    try {
      localStorage.setItem(key, JSON.stringify({ account: this.#account, searches }));
    } catch {
      // Without storage nothing is suggested.
    }
  }
}
