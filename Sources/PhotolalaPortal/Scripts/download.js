// The download of selected photos: one as it is, several in a ZIP archive.
import { isFramed } from "./framed_page.js";
import { archive, largestArchive } from "./zip.js";

export class Download {
  #form;
  #button;
  #output;
  #selection;
  #isRunning = false;

  constructor(form, selection) {
    [this.#form, this.#selection] = [form, selection];
    this.#button = form.querySelector("#download");
    this.#output = form.querySelector("#download-state");
    this.#button.hidden = false;
    this.#button.addEventListener("click", () => this.#start());
    const all = document.querySelector("#download-all");
    if (!all) return;
    all.hidden = false;
    all.addEventListener("click", async () => {
      if (await selection.chooseAll()) this.#start();
    });
  }

  async #start() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#button.disabled = true;
    try {
      await this.#run(this.#selection.photos);
    } catch {
      this.#tell("failed");
    } finally {
      this.#isRunning = false;
      this.#button.disabled = false;
    }
  }

  async #run(photos) {
    const files = await this.#ask(photos);
    if (files.reduce((sum, { size }) => sum + size, 0) > largestArchive) return this.#tell("large");
    if (files.length === 1) return this.#save(files[0].url, "");
    const bytes = await archive(files, async ({ url }, index) => {
      this.#tell("progress", { count: index + 1, total: files.length });
      const response = await fetch(url, { cache: "no-store" });
      if (!response.ok) throw new Error(response.status);
      return response.blob();
    });
    const url = URL.createObjectURL(bytes);
    this.#save(url, "photos.zip");
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
    this.#output.textContent = "";
  }

  /** Returns the names, sizes, dates and signed addresses of photos and of the files that belong to them. */
  async #ask(photos) {
    const body = new URLSearchParams({ form_token: this.#form.elements.form_token?.value ?? "", list: this.#button.value });
    for (const md5 of photos) body.set(md5, "1");
    const response = await fetch(this.#button.dataset.links, { method: "POST", body, headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(response.status);
    return (await response.json()).files;
  }

  #save(href, download) {
    // A page in a frame may not navigate to the store. A new tab closes when the browser saves its file.
    const target = isFramed && !href.startsWith("blob:") ? "_blank" : "";
    Object.assign(document.createElement("a"), { href, download, target, rel: "noopener" }).click();
  }

  #tell(state, values = {}) {
    let text = this.#button.dataset[state];
    for (const [name, value] of Object.entries(values)) text = text.replace(`{${name}}`, value);
    this.#output.textContent = text;
  }
}
