// What the upload panel says: a line with the state, and a list of what else was found.

export class UploadReport {
  #section;
  #texts;
  /** Whether the last state was a complete success. */
  #isComplete = false;
  /** The facts that the list shows. */
  #facts = "";

  /** @param close Called when the person closes the panel. */
  constructor(section, texts, close) {
    [this.#section, this.#texts] = [section, texts];
    // On small screens the page stays visible: the panel is a line until it is opened, and after a complete success.
    this.#fold(this.#isSmall);
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

  get #isSmall() {
    return matchMedia("(max-width: 44.99rem), (max-height: 30rem)").matches;
  }

  #fold(isFolded) {
    this.#section.classList.toggle("folded", isFolded);
    this.part("fold").setAttribute("aria-expanded", String(!isFolded));
    this.part("fold").textContent = isFolded ? this.#texts.show_details : this.#texts.hide_details;
  }

  /** Shows the state: numbers of photos by their state, what was found besides, and a message. */
  show(state) {
    const { counts, total, message, isActive } = state;
    const words = [];
    const others = counts.refused + counts.failed;
    if (isActive && !state.isPaused && counts.open > 0) {
      words.push(this.#fill("progress", total - counts.open + 1, { total }));
    } else {
      const added = counts.done - counts.known;
      const kind = counts.videos === 0 ? "uploaded" : counts.videos === added ? "uploaded_videos" : "uploaded_both";
      if (added > 0) words.push(this.#fill(kind, added));
      if (counts.known > 0) words.push(this.#fill("known", counts.known));
    }
    if (others > 0) words.push(this.#fill("others", others));
    if (state.isOpening) words.push(this.#texts.opening);
    if (state.opened > 0) words.push(`${state.opened} %`);
    if (state.isPaused && counts.open > 0) words.push(this.#texts.paused);
    if (message) words.push(message);
    const text = words.map(each => (words.length > 1 ? each.replace(/[.。]$/, "") : each)).join(" · ");
    // Screen readers announce each change.
    if (this.part("state").textContent !== text) this.part("state").textContent = text;
    this.part("close").hidden = isActive;
    this.part("full").hidden = !state.isFull;
    const isComplete = !isActive && counts.done > 0 && counts.done === total && !message;
    if (isComplete && !this.#isComplete && this.#isSmall) this.#fold(true);
    this.#isComplete = isComplete;
    this.#showFacts(state);
  }

  #showFacts({ counts, found: { skipped, trashed, missing }, albums }) {
    const facts = [];
    if (counts.plain > 0) facts.push(this.#fill("plain", counts.plain));
    if (albums > 0) facts.push(this.#fill("albums", albums));
    if (skipped > 0) facts.push(this.#fill("skipped", skipped));
    if (trashed > 0) facts.push(this.#fill("trashed", trashed));
    if (missing.length > 0) facts.push(this.#texts.parts.replace("{name}", missing.join(", ")));
    const list = this.part("facts");
    list.hidden = facts.length === 0;
    if (this.#facts === facts.join("\n")) return;
    this.#facts = facts.join("\n");
    list.replaceChildren(...facts.map(fact => Object.assign(document.createElement("li"), { textContent: fact })));
    const { help, helpTitle } = this.#section.dataset;
    if (counts.plain > 0 && help) {
      list.firstElementChild.append(" ", Object.assign(
        document.createElement("a"), { href: help, target: "_blank", rel: "noopener", textContent: helpTitle }));
    }
  }

  #fill(name, count, { total } = {}) {
    const text = (count === 1 && this.#texts[`${name}_one`]) || this.#texts[name];
    return text.replace("{count}", count).replace("{total}", total);
  }
}
