// What the upload panel says: a line with the state, and a list of what else was found.

export class UploadReport {
  #section;
  #texts;

  /** @param close Called when the person closes the panel. */
  constructor(section, texts, close) {
    [this.#section, this.#texts] = [section, texts];
    // On small screens the page stays visible: the panel is a line until it is opened.
    this.#fold(matchMedia("(max-width: 44.99rem)").matches);
    this.part("fold").addEventListener("click", () => this.#fold(!section.classList.contains("folded")));
    this.part("close").addEventListener("click", () => {
      section.hidden = true;
      close();
      // A frame may cover the page.
      (document.querySelector("iframe.browsing") ?? document.querySelector("#files")).focus();
    });
  }

  part(name) {
    return this.#section.querySelector(`#upload-${name}`);
  }

  #fold(isFolded) {
    this.#section.classList.toggle("folded", isFolded);
    this.part("fold").setAttribute("aria-expanded", String(!isFolded));
  }

  /** Shows the state: numbers of photos by their state, what was found besides, and a message. */
  show(state) {
    const { counts, total, message, isActive } = state;
    const words = [];
    if (total > 0) words.push(this.#fill("summary", counts.done, { total }));
    if (counts.refused + counts.failed > 0) words.push(this.#fill("others", counts.refused + counts.failed));
    if (state.isOpening) words.push(this.#texts.opening);
    if (state.opened > 0) words.push(`${state.opened} %`);
    if (state.isPaused && counts.open > 0) words.push(this.#texts.paused);
    if (message) words.push(message);
    const text = words.join(" ");
    // Screen readers announce each change.
    if (this.part("state").textContent !== text) this.part("state").textContent = text;
    this.part("close").hidden = isActive;
    this.#showFacts(state);
  }

  #showFacts({ counts, found: { skipped, trashed, missing }, albums }) {
    const facts = [];
    if (counts.known > 0) facts.push(this.#fill("known", counts.known));
    if (counts.plain > 0) facts.push(this.#fill("plain", counts.plain));
    if (albums > 0) facts.push(this.#fill("albums", albums));
    if (skipped > 0) facts.push(this.#fill("skipped", skipped));
    if (trashed > 0) facts.push(this.#fill("trashed", trashed));
    if (missing.length > 0) facts.push(this.#texts.parts.replace("{name}", missing.join(", ")));
    const list = this.part("facts");
    list.hidden = facts.length === 0;
    if (Array.from(list.children, line => line.textContent).join("\n") === facts.join("\n")) return;
    list.replaceChildren(...facts.map(fact => Object.assign(document.createElement("li"), { textContent: fact })));
  }

  #fill(name, count, { total } = {}) {
    return this.#texts[name].replace("{count}", count).replace("{total}", total);
  }
}
