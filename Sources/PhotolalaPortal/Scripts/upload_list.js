// The list of uploads on the page. It has at most some hundred lines: those of added photos make room for others.

const mostLines = 300;
// In CSS pixels.
const edge = 80;

export class UploadList {
  #list;
  /** The lines by upload. */
  #lines = new Map();
  /** The added photos with a line, oldest first. */
  #added = new Set();

  constructor(list) {
    this.#list = list;
  }

  /** Shows the state of an upload, and whether it is a problem; one that did not succeed first in the list. */
  show(upload, word = "", isProblem = false) {
    const line = this.#lines.get(upload) ?? this.#add(upload);
    if (!line) return;
    line.querySelector("small").textContent = word;
    line.classList.toggle("problem", isProblem);
    if (upload.state === "done") this.#added.add(upload);
    else if (upload.state) this.#list.prepend(line);
  }

  /** Draws the middle of a picture. */
  async draw(upload, blob) {
    const context = this.#lines.get(upload)?.querySelector("canvas").getContext("2d");
    const image = context ? await createImageBitmap(blob).catch(() => null) : null;
    if (!image) return;
    const side = Math.min(image.width, image.height);
    context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, edge, edge);
    image.close();
  }

  remove(upload) {
    this.#lines.get(upload)?.remove();
    this.#lines.delete(upload);
    this.#added.delete(upload);
  }

  #add(upload) {
    if (this.#lines.size >= mostLines && !this.#makeRoom()) return undefined;
    const [line, name, picture] = ["li", "bdi", "canvas"].map(tag => document.createElement(tag));
    name.textContent = upload.shownPath;
    picture.width = picture.height = edge;
    line.append(picture, name, " ", document.createElement("small"));
    this.#list.append(line);
    this.#lines.set(upload, line);
    return line;
  }

  /** Removes the line of the oldest added photo. Returns whether there was one. */
  #makeRoom() {
    const [oldest] = this.#added;
    if (oldest) this.remove(oldest);
    return oldest !== undefined;
  }
}
