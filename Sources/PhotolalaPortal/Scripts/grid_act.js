// An act on photos of the grid, which shows at once what it does. Then the server's answer follows, or the act is taken
// back.
import { mark } from "./offline_acts.js";
import { rememberChange } from "./undo.js";

const md5 = /^[0-9a-f]{32}$/;
// Forms of the grid that ask nothing and lead back to the list.
const paths = ["/library/trash", "/library/restore", "/library/favorites", "/library/archive", "/library/albums/remove",
  "/library/albums/cover"];

/** Returns whether a form of the grid is such an act. */
export function isAct(path) {
  return paths.includes(path);
}

/** Returns whether photos leave a list, with the search that it shows, when a form is sent. */
function isRemoval(path, fields, list, query) {
  switch (path) {
    case "/library/trash": return list === "photos";
    case "/library/restore": return list === "trash";
    case "/library/favorites": return query.has("favorites") && fields.get("favorite") !== "1";
    // Only the list of all photos leaves out those of the archive.
    case "/library/archive": return fields.get("archived") === "1" ? query.toString() === "" : query.has("hidden");
    case "/library/albums/remove": return query.get("album") === (fields.get("target") ?? fields.get("album"));
    default: return false;
  }
}

export class GridAct {
  #path;
  #photos;
  #selection;
  /** The photos that are loaded, with their former mark. */
  #before;

  /** The selection that the act ends; `undefined` for an undo. */
  constructor(root, selection, path, fields) {
    [this.#path, this.#selection] = [path, selection];
    this.#photos = [...fields.keys()].filter(name => md5.test(name));
    const items = new Map(Array.from(root.querySelectorAll("li input"), box => [box.name, box.closest("li")]));
    const changed = this.#photos.map(photo => items.get(photo)).filter(Boolean);
    this.#before = changed.map(item => ({ item, heart: item.querySelector(".favorite") }));
    if (path === "/library/favorites") {
      const isOn = fields.get("favorite") === "1";
      const { favorite } = document.querySelector("#offline").dataset;
      mark(this.#photos.map(photo => ({ album: "", photo, isOn })), favorite);
    }
    if (isRemoval(path, fields, root.dataset.list, new URLSearchParams(root.dataset.query))) {
      for (const item of changed) item.classList.add("leaving");
    }
    selection?.clear();
  }

  /** Remembers the photos for the undo that the notice of the act offers. */
  remember() {
    if (this.#selection) rememberChange(this.#path, this.#photos);
  }

  /** Shows the photos as before, and selects them again. */
  takeBack() {
    for (const { item, heart } of this.#before) {
      item.classList.remove("leaving");
      const shown = item.querySelector(".favorite");
      if (shown && !heart) shown.remove();
      if (heart && !shown) item.querySelector("img").after(heart);
    }
    if (!this.#selection) return;
    rememberChange(this.#path, []);
    this.#selection.restore(this.#photos);
  }
}
