// The photos that are selected in the grid, by MD5, and the bar that acts on them.
import { kept, keep, keepChoice, keptChoice } from "./kept_selection.js";
import { remember } from "./undo.js";

const mostChosen = 1000;
// Milliseconds that a finger rests on a photo to select it, and how far it may move, in pixels.
const press = 500;
const tremor = 10;

export class Selection {
  #form;
  #grid;
  #chosen = new Set();
  #anchor;
  #timer;
  /** Whether photos can be selected: visitors of a link without downloads cannot. */
  #isOn;
  /** Whether the click that follows a long press is to be ignored. */
  #isPressed = false;
  /** Whether a click on a picture selects although no photo is selected. */
  #isChoosing = false;
  /** The album for which photos are chosen, if this is the page for that. */
  #album;

  /** The grid returns the loaded boxes of a range of blocks, `null` if they cannot be loaded. */
  constructor(form, root, grid) {
    [this.#form, this.#grid] = [form, grid];
    this.#isOn = !("viewonly" in form.dataset);
    this.#album = form.dataset.album;
    this.#isChoosing = Boolean(this.#album);
    document.documentElement.classList.add("script");
    root.addEventListener("click", event => this.#click(event));
    root.addEventListener("pointerdown", event => this.#down(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave", "scroll"]) {
      root.addEventListener(name, () => clearTimeout(this.#timer));
    }
    root.addEventListener("contextmenu", event => {
      if (this.#isPressed) event.preventDefault();
    });
    form.querySelector("#clear").addEventListener("click", () => this.clear());
    document.querySelector("#choose")?.addEventListener("click", () => {
      this.#isChoosing = true;
      this.#tell();
      form.querySelector("#clear").focus();
    });
    addEventListener("keydown", event => {
      if (event.target.closest("[popover]")) return;
      if (event.key === "Escape" && this.isOpen) this.clear();
      // In the trash. The question follows, which has no such key. A text has it, too.
      const isElsewhere = event.target.closest("input:not([type='checkbox']), dialog");
      if (event.key === "Delete" && !isElsewhere) form.querySelector("#delete-chosen")?.click();
    });
    // A browser that restores the page may restore checked boxes.
    for (const box of root.querySelectorAll(":checked")) this.#choose(box);
    // In another language the page is a new one, and with a connection after one that was kept.
    for (const md5 of [...kept(), ...keptChoice(this.#album)]) this.#chosen.add(md5);
    document.addEventListener("reloading", () => keep(this.photos));
    document.querySelector('form[action="/appearance"]')?.addEventListener("submit", ({ submitter }) => {
      if (submitter?.name === "language") keep(this.photos);
    });
    this.#tell();
  }

  /** Whether the bar of the selection is shown. */
  get isOpen() {
    return this.#isChoosing || this.#chosen.size > 0;
  }

  /** The MD5s of the selected photos. */
  get photos() {
    return [...this.#chosen];
  }

  has(md5) {
    return this.#chosen.has(md5);
  }

  /** Toggles the selection of a photo; with shift, of all photos between it and the previous one. */
  toggle(box, withShift) {
    if (!this.#isOn || box.disabled) return;
    box.checked = !box.checked;
    this.#toggled(box, withShift);
  }

  /** Selects all photos of a page that has few enough. Returns whether they could be loaded. */
  async chooseAll() {
    await this.#grid.withBoxes(0, Infinity, boxes => this.#set(boxes, true));
    return this.#chosen.size > 0;
  }

  clear() {
    this.#chosen.clear();
    this.#isChoosing = Boolean(this.#album);
    for (const box of this.#form.querySelectorAll(".grid :checked")) box.checked = false;
    this.#tell();
    this.#grid.focus();
  }

  /** Selects photos again. */
  restore(photos) {
    for (const md5 of photos) this.#chosen.add(md5);
    for (const box of this.#form.querySelectorAll(".grid input")) box.checked = !box.disabled && this.has(box.name);
    this.#tell();
  }

  /** Ends the selection of photos that are gone. */
  forget(photos) {
    if (photos.length === 0) return;
    for (const md5 of photos) this.#chosen.delete(md5);
    this.#tell();
  }

  /** Adds fields for selected photos that are not loaded to the form that is being submitted. */
  complete(event, isLoaded) {
    for (const old of this.#form.querySelectorAll(".added")) old.remove();
    for (const md5 of this.#chosen) {
      if (isLoaded(md5)) continue;
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: md5, value: "1", className: "added" });
      this.#form.append(field);
    }
    remember(event, [...this.#chosen]);
    // A re-authentication comes before the act. It returns to the first page of the trash if there are too many photos.
    const { addressed } = event.submitter?.dataset ?? {};
    if (this.#chosen.size > Number(addressed)) keep(this.photos, "/library/trash");
  }

  #click(event) {
    const day = event.target.closest(".tick")?.closest(".day");
    if (day) return this.#toggleDay(day);
    const box = event.target.closest("li")?.querySelector("input");
    if (!box) return;
    if (this.#isPressed) {
      this.#isPressed = false;
      return event.preventDefault();
    }
    if (event.target === box) return this.#toggled(box, event.shiftKey);
    // While photos are selected, a click on a picture selects, too.
    if (event.target.closest("a") && this.isOpen && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.toggle(box, event.shiftKey);
    }
  }

  #down(event) {
    clearTimeout(this.#timer);
    this.#isPressed = false;
    const box = event.target.closest("li")?.querySelector("input");
    if (!box || event.pointerType === "mouse" || event.target.closest("h3")) return;
    const move = moved => {
      if (Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) > tremor) clearTimeout(this.#timer);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
    this.#timer = setTimeout(() => {
      this.#isPressed = true;
      this.toggle(box, false);
    }, press);
  }

  async #toggled(box, withShift) {
    this.#choose(box);
    const anchor = this.#anchor;
    this.#anchor = { block: Number(box.closest(".grid").dataset.block), md5: box.name };
    this.#tell();
    if (withShift && anchor) await this.#chooseBetween(anchor, this.#anchor, box.checked);
  }

  /** Selects all photos of a day or, if they are selected, none of them. */
  async #toggleDay(day) {
    const isLoaded = await this.#grid.withDay(day, mostChosen, boxes => {
      this.#set(boxes, boxes.some(box => !box.checked && !box.disabled));
    });
    if (!isLoaded) this.#tell(true);
  }

  #set(boxes, isChecked) {
    for (const box of boxes) {
      if (box.disabled) continue;
      box.checked = isChecked;
      this.#choose(box);
    }
    this.#tell();
  }

  #choose(box) {
    if (box.checked) this.#chosen.add(box.name);
    else this.#chosen.delete(box.name);
  }

  /** Selects all photos between two photos. */
  async #chooseBetween(one, other, isChecked) {
    const [first, last] = [Math.min(one.block, other.block), Math.max(one.block, other.block)];
    // The first and the last block may each contribute as little as one photo.
    if (this.#grid.count(first, last) > mostChosen + 240) return this.#tell(true);
    await this.#grid.withBoxes(first, last, boxes => {
      const ends = [one, other].map(({ md5 }) => boxes.findIndex(box => box.name === md5));
      if (ends.includes(-1)) return;
      this.#set(boxes.slice(Math.min(...ends), Math.max(...ends) + 1), isChecked);
    });
  }

  #tell(isTooMany = this.#chosen.size > mostChosen) {
    const output = this.#form.querySelector(".bar output");
    const count = this.#chosen.size;
    const { text, tooMany } = output.dataset;
    output.textContent = isTooMany ? tooMany : this.isOpen ? text.replace("{count}", count) : "";
    this.#form.classList.toggle("choosing", this.isOpen);
    document.documentElement.classList.toggle("selecting", this.isOpen);
    // The acts of an album take two rows on phones.
    document.documentElement.classList.toggle("tall", this.isOpen && this.#form.querySelector("[data-single]") !== null);
    for (const button of this.#form.querySelectorAll(".bar button:not(#clear)")) {
      button.disabled = count === 0 || count > mostChosen;
      button.hidden = "single" in button.dataset && count !== 1;
    }
    this.#offerFavorite();
    this.#form.querySelector("#clear").hidden = this.#album ? count === 0 : !this.isOpen;
    if (this.#album) keepChoice(this.#album, this.photos);
  }
  /** Offers to remove photos from the favorites if all that are selected are shown as such. */
  #offerFavorite() {
    const button = this.#form.querySelector(".bar [data-remove]");
    if (!button) return;
    const isFavorite = md5 => this.#form.querySelector(`input[name="${md5}"]`)?.closest("li")?.querySelector(".favorite");
    const isRemoval = !button.disabled && this.photos.every(isFavorite);
    button.value = isRemoval ? "0" : "1";
    button.title = button.lastElementChild.textContent = isRemoval ? button.dataset.remove : button.dataset.add;
  }
}
