// The storage bar of the navigation during uploads. Its content is taken from another page, which is small.

const path = "/account/activity";
// In milliseconds.
const pause = 20_000;

export class StorageRefresh {
  #last = Date.now();

  /** Shows the current state, unless that was done a short time ago. */
  refreshSometimes() {
    if (Date.now() - this.#last > pause) this.refresh();
  }

  /** Shows the current state. Without an answer the bar stays as it is. */
  async refresh() {
    this.#last = Date.now();
    try {
      const response = await fetch(path, { redirect: "error" });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const [bar] = page.querySelectorAll(".storage");
      if (bar) document.querySelector(".storage")?.replaceWith(bar);
    } catch {
      // The next refresh shows it.
    }
  }
}
