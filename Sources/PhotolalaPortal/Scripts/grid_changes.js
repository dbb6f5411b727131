// Shows what other devices changed, while the person looks at the newest photos. Further down, the next block that loads
// finds it.

// Milliseconds between two questions for the state of the list, and that the server has for an answer.
const pause = 60_000;
const patience = 10_000;
// Questions after the person last used the page: an open tab does not keep its session alive.
const most = 15;

export class GridChanges {
  #root;
  #grid;
  #left = most;
  #isAsking = false;

  constructor(root, grid) {
    [this.#root, this.#grid] = [root, grid];
    // The photos of a shared link have no state.
    if (!root.dataset.state) return;
    setInterval(() => this.#ask(), pause);
    for (const name of ["pointerdown", "keydown"]) addEventListener(name, () => (this.#left = most), { passive: true });
    document.addEventListener("visibilitychange", () => {
      this.#left = most;
      this.#ask();
    });
  }

  get #isWelcome() {
    return document.visibilityState === "visible" && this.#grid.isAtTop && this.#grid.isIdle;
  }

  async #ask() {
    // Without photos the page has another content.
    if (!this.#root.isConnected) return;
    if (this.#isAsking || this.#left === 0 || !navigator.onLine || !this.#isWelcome) return;
    this.#left -= 1;
    this.#isAsking = true;
    try {
      const name = await this.#state();
      if (name && name !== this.#root.dataset.name && this.#isWelcome) await this.#grid.refresh();
    } catch {
      // The next question finds it.
    }
    this.#isAsking = false;
  }

  /** Returns the name of the current state; `undefined` without a session. */
  async #state() {
    const { state, list, query } = this.#root.dataset;
    const parameters = new URLSearchParams(query);
    parameters.set("list", list);
    const response = await fetch(`${state}?${parameters}`, {
      headers: { accept: "application/json" }, signal: AbortSignal.timeout(patience),
    });
    return response.ok ? (await response.json()).name : undefined;
  }
}
