// Suggests pages below the search box while their names are typed: a combobox with a list (WAI-ARIA 1.2). Enter without a
// chosen page searches for the words. In an empty box, the last searches of this browser and some pages are suggested.
import { folded } from "./folded_text.js";
import { RecentSearches } from "./recent_searches.js";

const address = "/library/suggestions";
const most = 8;
// What is suggested before anything is typed: the most of each kind, by its icon.
const first = [["album", 2], ["place", 2], ["camera", 2]];
// Japanese, Chinese and Korean have no spaces between words.
const unspaced = /[\u3040-\u9fff\uac00-\ud7af]/u;
const separators = /[^\p{L}\p{N}]+/u;

/** Whether a folded name has a word that begins with this one. */
function has(name, word, isUnspaced) {
  return isUnspaced ? name.includes(word) : name.split(separators).some(each => each.startsWith(word));
}

/** Returns an element with a text, whose direction is its own. */
function isolated(name, textContent) {
  return Object.assign(document.createElement(name), { dir: "auto", textContent });
}

class Suggestions {
  #form;
  #field;
  #list = Object.assign(document.createElement("div"), { id: "suggestions", className: "suggestions", hidden: true });
  #status = Object.assign(document.createElement("p"), { className: "unseen" });
  #recent;
  /** What can be suggested, in the order of the server. */
  #all = [];
  #loading;
  /** Whether the list follows what is typed. */
  #isWanted = false;
  /** The index of the chosen one; -1 for none. */
  #chosen = -1;

  constructor(form) {
    this.#form = form;
    this.#field = form.querySelector("input[type=search]");
    const roles = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "suggestions" };
    for (const [name, value] of Object.entries(roles)) this.#field.setAttribute(name, value);
    this.#list.setAttribute("role", "listbox");
    this.#list.setAttribute("aria-label", form.dataset.suggestions);
    this.#status.setAttribute("role", "status");
    form.append(this.#list, this.#status);
    this.#recent = new RecentSearches(form.dataset.account);
    this.#field.addEventListener("focus", () => this.#begin());
    this.#field.addEventListener("input", () => this.#show());
    this.#field.addEventListener("keydown", event => this.#press(event));
    // A search that finds nothing is not worth repeating.
    if (document.querySelector("#timeline li")) this.#recent.add(this.#field.value.trim());
    form.addEventListener("submit", () => this.#close());
    form.addEventListener("focusout", () => this.#close());
    // The field keeps the focus, so that the keyboard of a phone stays.
    this.#list.addEventListener("mousedown", event => event.preventDefault());
    this.#list.addEventListener("click", () => this.#close());
    if (document.activeElement === this.#field) this.#begin();
  }

  #begin() {
    this.#load();
    if (!this.#field.value) this.#show();
  }

  /** Loads what can be suggested once. Without a connection, nothing is suggested until the next attempt. */
  #load() {
    this.#loading ??= this.#fetch().catch(() => (this.#loading = undefined));
  }

  async #fetch() {
    const response = await fetch(address, { headers: { accept: "application/json" }, redirect: "manual" });
    if (!response.ok) throw new Error(response.status);
    this.#all = (await response.json()).map(each => ({
      ...each, title: folded(each.name), text: folded(`${each.name} ${each.detail ?? ""}`), label: folded(each.kind ?? ""),
    }));
    if (this.#isWanted) this.#show();
  }

  /**
   * Returns what begins with the typed text, then what has its words in the name, then what has them elsewhere. What
   * something is, such as a camera, is a word of it only as a whole: a part of it would find all of its kind.
   */
  #matching() {
    const typed = folded(this.#field.value.trim());
    const words = typed.split(separators).filter(word => word);
    if (!typed) return this.#beginning();
    if (words.length === 0) return [];
    const isUnspaced = unspaced.test(this.#field.value);
    const ranks = [[], [], []];
    for (const each of this.#all) {
      if (!words.every(word => word === each.label || has(each.text, word, isUnspaced))) continue;
      const rank = each.title.startsWith(typed) ? 0 : words.every(word => has(each.title, word, isUnspaced)) ? 1 : 2;
      if (ranks[rank].length < most) ranks[rank].push(each);
    }
    return ranks.flat().slice(0, most);
  }

  /** Returns the last searches, and the most used pages of each kind. */
  #beginning() {
    const recent = this.#recent.all.map(name => ({
      icon: "recent", name, kind: this.#form.dataset.recent, path: `${this.#form.getAttribute("action")}?q=${encodeURIComponent(name)}`,
    }));
    const pages = first.flatMap(([icon, count]) =>
      this.#all.filter(each => each.icon === icon && each.count).slice(0, count));
    return [...recent, ...pages].slice(0, most);
  }

  #show() {
    this.#isWanted = true;
    const found = this.#matching();
    this.#list.replaceChildren(...found.map((each, index) => this.#option(each, index)));
    this.#choose(-1);
    this.#isOpen = found.length > 0;
    const { count, countOne } = this.#form.dataset;
    const text = found.length === 1 ? countOne : count.replace("{count}", found.length);
    this.#status.textContent = found.length > 0 ? text : "";
  }

  #option({ icon, name, detail, kind, count, path }, index) {
    const option = Object.assign(document.createElement("a"), {
      id: `suggestion-${index}`, href: path, tabIndex: -1, draggable: false,
    });
    option.setAttribute("role", "option");
    const picture = this.#form.querySelector("template").content.querySelector(`[data-icon="${icon}"] > *`);
    if (picture) option.append(picture.cloneNode(true));
    const title = document.createElement("span");
    title.append(isolated("bdi", name));
    if (detail ?? kind) title.append(" ", isolated("small", detail ?? kind));
    option.append(title);
    if (count) option.append(" ", isolated("small", count));
    return option;
  }

  set #isOpen(isOpen) {
    this.#list.hidden = !isOpen;
    this.#field.setAttribute("aria-expanded", isOpen);
  }

  #close() {
    this.#isWanted = false;
    this.#choose(-1);
    this.#isOpen = false;
    this.#status.textContent = "";
  }

  /** Chooses a suggestion; -1 for what was typed. */
  #choose(index) {
    this.#chosen = index;
    for (const [number, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", number === index);
      if (number === index) option.scrollIntoView({ block: "nearest" });
    }
    if (index < 0) this.#field.removeAttribute("aria-activedescendant");
    else this.#field.setAttribute("aria-activedescendant", `suggestion-${index}`);
  }

  #press(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const count = this.#list.children.length;
    if (this.#list.hidden) {
      if (!["ArrowDown", "ArrowUp"].includes(event.key)) return;
      event.preventDefault();
      return this.#show();
    }
    const isChosen = this.#chosen >= 0;
    // After the last one and before the first one is what was typed.
    const acts = {
      ArrowDown: () => this.#choose(this.#chosen + 1 < count ? this.#chosen + 1 : -1),
      ArrowUp: () => this.#choose(isChosen ? this.#chosen - 1 : count - 1),
      Escape: () => this.#close(),
    };
    if (isChosen) {
      acts.Home = () => this.#choose(0);
      acts.End = () => this.#choose(count - 1);
      acts.Enter = () => this.#list.children[this.#chosen].click();
    }
    if (!acts[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    acts[event.key]();
  }
}

const form = document.querySelector("form.search");
if (form) new Suggestions(form);
