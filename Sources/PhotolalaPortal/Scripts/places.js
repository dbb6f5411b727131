// The map of places. It is zoomed by its buttons, the wheel, two fingers and the keys + and −, and moved by dragging.
// Places that would cover each other are one dot with the number of all their photos, which zooms to them. The map is one
// stop of the tab key: the arrow keys move to the next place in their direction.

import "./library.js";

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// The widths of the world and of the smallest part that is shown, in degrees. The map is twice as wide as high.
const world = 360;
const closest = 3;
// Pixels: the smallest radius of a dot, what its area adds, that of a character of its number, and the size of names.
const [least, more, perCharacter, textSize] = [11, 8, 3.6, 13];
// Pixels of a movement that is not a click.
const tremor = 5;
// Milliseconds until what the buttons and keys have zoomed to is shown.
const travel = 200;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

class PlacesMap {
  #map;
  #places;
  /** The part that has all places. */
  #home;
  #view;
  #fingers = new Map();
  #start;
  #hasMoved = false;
  #frame;
  #number = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" });

  constructor(map) {
    this.#map = map;
    const { x, y, width } = map.viewBox.baseVal;
    this.#view = this.#home = { x, y, width };
    this.#places = [...map.querySelectorAll("a")].map(link => {
      const { cx, cy } = link.querySelector("circle");
      return {
        link, x: cx.baseVal.value, y: cy.baseVal.value, total: Number(link.dataset.total), name: link.ariaLabel,
        members: [],
      };
    });
    this.#listen();
    const tools = document.querySelector("#map-tools");
    tools.hidden = false;
    tools.querySelector("#map-in").addEventListener("click", () => this.#zoom(1 / 2, this.#central()));
    tools.querySelector("#map-out").addEventListener("click", () => this.#zoom(2));
    tools.querySelector("#map-all").addEventListener("click", () => this.#travel(this.#home));
    new ResizeObserver(() => this.#show(this.#view)).observe(map);
  }

  #listen() {
    const map = this.#map;
    map.addEventListener("wheel", event => this.#wheel(event), { passive: false });
    map.addEventListener("pointerdown", event => this.#down(event));
    map.addEventListener("pointermove", event => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      map.addEventListener(name, event => this.#fingers.delete(event.pointerId));
    }
    map.addEventListener("dragstart", event => event.preventDefault());
    map.addEventListener("click", event => this.#click(event), true);
    map.addEventListener("keydown", event => this.#press(event));
    map.addEventListener("focusin", event => this.#focus(event.target.closest("a")));
  }

  /** Degrees of a pixel. */
  get #scale() {
    return this.#view.width / Math.max(1, this.#map.clientWidth);
  }

  #show({ x, y, width }) {
    width = Math.min(Math.max(width, closest), world);
    const height = width / 2;
    x = Math.min(Math.max(x, -world / 2), world / 2 - width);
    y = Math.min(Math.max(y, -world / 4), world / 4 - height);
    this.#view = { x, y, width };
    this.#map.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.#map.classList.toggle("zoomed", width < this.#home.width);
    document.querySelector("#map-in").disabled = width <= closest;
    document.querySelector("#map-out").disabled = width >= world;
    this.#group();
    this.#draw();
  }

  #radius(total) {
    const most = Math.max(...this.#places.map(place => place.total));
    return Math.max(least + more * Math.sqrt(Math.min(1, total / most)), perCharacter * this.#number.format(total).length);
  }

  /** Groups places that would cover each other with the largest of them. */
  #group() {
    const scale = this.#scale;
    const groups = [];
    for (const place of this.#places.toSorted((one, other) => other.total - one.total)) {
      const reach = this.#radius(place.total);
      const isNear = other =>
        Math.hypot(other.x - place.x, other.y - place.y) < (reach + this.#radius(other.total)) * 0.9 * scale;
      // Nearer than the closest view there are only single places.
      const group = this.#view.width > closest ? groups.find(isNear) : undefined;
      place.members = [];
      place.group = group ?? place;
      if (group) group.members.push(place);
      else groups.push(place);
    }
  }

  #draw() {
    const scale = this.#scale;
    const middle = this.#view.x + this.#view.width / 2;
    for (const { link, x, y, total, name, members, group } of this.#places) {
      const isShown = group.link === link;
      link.toggleAttribute("hidden", !isShown);
      if (!isShown) continue;
      const all = members.reduce((sum, member) => sum + member.total, total);
      const radius = this.#radius(all);
      const [circle, count, label] = link.children;
      circle.setAttribute("r", radius * scale);
      count.textContent = this.#number.format(all);
      count.setAttribute("font-size", 11 * scale);
      count.setAttribute("y", y + 4 * scale);
      const isLeft = x < middle;
      label.setAttribute("font-size", textSize * scale);
      label.setAttribute("x", x + (isLeft ? 1 : -1) * (radius + 5) * scale);
      label.setAttribute("y", y + (textSize / 3) * scale);
      label.setAttribute("text-anchor", isLeft ? "start" : "end");
      const { place, cluster } = { place: label.dataset.name, cluster: this.#map.dataset.cluster };
      const text = cluster.replace("{count}", members.length).replace("{name}", place);
      label.textContent = members.length > 0 ? text : place;
      link.classList.toggle("cluster", members.length > 0);
      if (members.length > 0) link.setAttribute("role", "button");
      else link.removeAttribute("role");
      link.setAttribute("aria-label", members.length > 0 ? `${text}: ${this.#number.format(all)}` : name);
    }
    if (!this.#map.querySelector('a[tabindex="0"]:not([hidden])')) this.#stop(this.#map.querySelector("a:not([hidden])"));
  }

  /** Makes a dot the stop of the tab key. */
  #stop(link) {
    for (const old of this.#map.querySelectorAll('a[tabindex="0"]')) old.setAttribute("tabindex", -1);
    link?.setAttribute("tabindex", 0);
  }

  /** Shows a part of the world after a short journey, of which a person with less motion sees only the end. */
  #travel(end) {
    cancelAnimationFrame(this.#frame);
    if (isCalm.matches) return this.#show(end);
    const [begin, start] = [this.#view, performance.now()];
    const step = now => {
      const part = Math.min(1, Math.max(0, now - start) / travel);
      const between = name => begin[name] + (end[name] - begin[name]) * part;
      this.#show(part < 1 ? { x: between("x"), y: between("y"), width: between("width") } : end);
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** Returns the part of the world with another width, in which a point keeps its place. */
  #zoomed(width, { x, y }) {
    width = Math.min(Math.max(width, closest), world);
    const factor = width / this.#view.width;
    return { x: x - (x - this.#view.x) * factor, y: y - (y - this.#view.y) * factor, width };
  }

  #zoom(factor, at = { x: this.#view.x + this.#view.width / 2, y: this.#view.y + this.#view.width / 4 }) {
    this.#travel(this.#zoomed(this.#view.width * factor, at));
  }

  /** Returns the dot nearest the middle of the map, which stays in view while the map is zoomed; `undefined` without one. */
  #central() {
    const { x, y, width } = this.#view;
    const isSeen = place =>
      place.group === place && place.x >= x && place.x <= x + width && place.y >= y && place.y <= y + width / 2;
    const distance = place => Math.hypot(place.x - x - width / 2, place.y - y - width / 4);
    return this.#places.filter(isSeen).sort((one, other) => distance(one) - distance(other))[0];
  }

  /** Returns the place in degrees of a pointer. */
  #point({ clientX, clientY }) {
    const { left, top } = this.#map.getBoundingClientRect();
    return { x: this.#view.x + (clientX - left) * this.#scale, y: this.#view.y + (clientY - top) * this.#scale };
  }

  /** Zooms by the wheel. Where all places are shown, the wheel scrolls the page on. */
  #wheel(event) {
    const change = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
    const most = event.ctrlKey ? world : Math.max(this.#home.width, this.#view.width);
    const width = Math.min(this.#view.width * Math.exp(change / (event.ctrlKey ? 100 : 300)), most);
    if (width === this.#view.width) return;
    event.preventDefault();
    cancelAnimationFrame(this.#frame);
    this.#show(this.#zoomed(width, this.#point(event)));
  }

  #down(event) {
    this.#fingers.set(event.pointerId, event);
    this.#hasMoved = false;
    this.#start = { view: this.#view, spread: this.#spread(), ...this.#middle() };
  }

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, event);
    const { clientX, clientY } = this.#middle();
    const { view, spread } = this.#start;
    const moved = Math.hypot(clientX - this.#start.clientX, clientY - this.#start.clientY);
    if (!this.#hasMoved && this.#fingers.size === 1 && moved < tremor) return;
    this.#hasMoved = true;
    this.#map.setPointerCapture(event.pointerId);
    cancelAnimationFrame(this.#frame);
    const scale = view.width / this.#map.clientWidth;
    this.#view = view;
    const at = this.#point(this.#start);
    const { x, y, width } = this.#zoomed((view.width * spread) / this.#spread(), at);
    this.#show({
      x: x - (clientX - this.#start.clientX) * scale * (width / view.width),
      y: y - (clientY - this.#start.clientY) * scale * (width / view.width), width,
    });
  }

  #middle() {
    const all = [...this.#fingers.values()];
    const mean = name => all.reduce((sum, each) => sum + each[name], 0) / all.length;
    return { clientX: mean("clientX"), clientY: mean("clientY") };
  }

  /** Returns the distance of two fingers in pixels; 1 for one. */
  #spread() {
    const [one, other] = [...this.#fingers.values()];
    return other ? Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)) : 1;
  }

  /** Zooms to the places of a dot. The end of a drag is no click. */
  #click(event) {
    const place = this.#placeOf(event.target);
    if (this.#hasMoved && event.detail > 0) event.preventDefault();
    else if (place?.members.length > 0) {
      event.preventDefault();
      this.#zoomTo([place, ...place.members]);
    }
    if (event.defaultPrevented) event.stopPropagation();
    this.#hasMoved = false;
  }

  #placeOf(element) {
    const link = element.closest?.("a");
    return this.#places.find(place => place.link === link);
  }

  #zoomTo(places) {
    const [xs, ys] = [places.map(place => place.x), places.map(place => place.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    // At least half as wide as now, so that each click leads nearer.
    const needed = Math.max(right - left, 2 * (bottom - top)) * 1.4;
    const width = Math.min(Math.max(needed, closest), this.#view.width / 2);
    this.#travel({ x: (left + right - width) / 2, y: (top + bottom - width / 2) / 2, width });
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = this.#placeOf(event.target);
    const direction = directions[event.key];
    if (event.key === "+" || event.key === "=") this.#zoom(1 / 2, from ?? this.#central());
    else if (event.key === "-") this.#zoom(2, from);
    else if (event.key === "0") this.#travel(this.#home);
    else if (direction && from) this.#next(from, direction)?.link.focus();
    else if (event.key === " " && from?.members.length > 0) this.#zoomTo([from, ...from.members]);
    else return;
    event.preventDefault();
  }

  /** Returns the nearest place that is rather in a direction than beside it. */
  #next({ link, x, y }, [right, down]) {
    let [best, shortest] = [undefined, Infinity];
    for (const place of this.#places) {
      const [dx, dy] = [place.x - x, place.y - y];
      const [ahead, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
      const distance = dx * dx + dy * dy;
      if (place.group !== place || place.link === link || ahead < aside || distance === 0 || distance >= shortest) continue;
      [best, shortest] = [place, distance];
    }
    return best;
  }

  /** Keeps the place that has the focus in view. */
  #focus(link) {
    if (!link) return;
    this.#stop(link);
    const { x, y } = this.#placeOf(link);
    const view = this.#view;
    const isInside = x >= view.x && x <= view.x + view.width && y >= view.y && y <= view.y + view.width / 2;
    if (!isInside) this.#show({ x: x - view.width / 2, y: y - view.width / 4, width: view.width });
  }
}

const map = document.querySelector("#places-map");
if (map) new PlacesMap(map);
