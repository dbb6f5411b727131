// The map of places. It is zoomed by its buttons, the wheel, two fingers and the keys + and −, and moved by dragging.
// Places that would cover each other are one dot with the number of all their photos, which zooms to them; where the map
// cannot be zoomed further, it leads to their tiles below. The map is one stop of the tab key: the arrow keys move to the
// next place in their direction.

import "./library.js";

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// The width of the world in degrees. It is twice as wide as high.
const world = 360;
// The most pixels of a degree for which the coastline has enough points.
const sharpest = 100;
// Pixels: the smallest radius of a dot, what its area adds, that of a character of its number, and the size of names.
const [least, more, perCharacter, textSize] = [11, 8, 3.6, 13];
// Pixels between a dot and its name, and around a name that others leave free.
const [gap, apart] = [5, 3];
// Pixels around the buttons.
const border = 4;
// Pixels of a movement that is not a click.
const tremor = 5;
// Milliseconds until what the buttons and keys have zoomed to is shown.
const travel = 200;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

class PlacesMap {
  #map;
  #tools = document.querySelector("#map-tools");
  #places;
  /** The part that has all places, twice as wide as high. */
  #all;
  #view;
  #fingers = new Map();
  #start;
  #hasMoved = false;
  #frame;
  #number = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" });
  #pen = document.createElement("canvas").getContext("2d");

  constructor(map) {
    this.#map = map;
    const { x, y, width } = map.viewBox.baseVal;
    this.#view = this.#all = { x, y, width };
    this.#places = [...map.querySelectorAll("a")].map(link => {
      const { cx, cy } = link.querySelector("circle");
      return {
        link, x: cx.baseVal.value, y: cy.baseVal.value, total: Number(link.dataset.total), name: link.ariaLabel,
        members: [],
      };
    });
    this.#listen();
    const tools = this.#tools;
    tools.hidden = false;
    tools.querySelector("#map-in").addEventListener("click", () => this.#zoom(1 / 2, this.#largest()));
    tools.querySelector("#map-out").addEventListener("click", () => this.#zoom(2));
    tools.querySelector("#map-all").addEventListener("click", () => this.#travel(this.#home));
    this.#pen.font = `${textSize}px ${getComputedStyle(map).fontFamily}`;
    this.#show(this.#home);
    new ResizeObserver(() => {
      this.#show(map.classList.contains("zoomed") ? this.#view : this.#home);
    }).observe(map);
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

  /** The width of the smallest part that is shown, in degrees. */
  get #closest() {
    return Math.max(1, this.#map.clientWidth) / sharpest;
  }

  /** The height of the map as a part of its width. */
  get #shape() {
    return this.#map.clientHeight / Math.max(1, this.#map.clientWidth) || 1 / 2;
  }

  /** The pixels at the right of the map that have its buttons, and no places as long as all places are shown. */
  get #aside() {
    return this.#tools.offsetWidth + 2 * border;
  }

  /** Returns the width of the smallest part that has a width and height in degrees beside the buttons. */
  #around(width, height) {
    const { clientWidth, clientHeight } = this.#map;
    const scale = Math.max(width / Math.max(1, clientWidth - this.#aside), height / Math.max(1, clientHeight));
    return scale * Math.max(1, clientWidth);
  }

  /** The largest width in degrees, which shows the world beside the buttons. */
  get #widest() {
    return this.#around(world, world / 2);
  }

  /** The part that has all places, in the shape of the map. */
  get #home() {
    const { x, y, width } = this.#all;
    const wide = this.#around(width, width / 2);
    const used = wide - (this.#aside * wide) / Math.max(1, this.#map.clientWidth);
    return { x: x - (used - width) / 2, y: y + width / 4 - (wide * this.#shape) / 2, width: wide };
  }

  #show({ x, y, width }) {
    width = Math.min(Math.max(width, this.#closest), this.#widest);
    const height = width * this.#shape;
    const used = width - (this.#aside * width) / Math.max(1, this.#map.clientWidth);
    x = used > world ? -used / 2 : Math.min(Math.max(x, -world / 2), world / 2 - used);
    y = height > world / 2 ? -height / 2 : Math.min(Math.max(y, -world / 4), world / 4 - height);
    this.#view = { x, y, width };
    this.#map.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.#map.classList.toggle("zoomed", width < this.#home.width);
    document.querySelector("#map-in").disabled = width <= this.#closest;
    document.querySelector("#map-out").disabled = width >= this.#widest;
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
      const group = groups.find(isNear);
      place.members = [];
      place.group = group ?? place;
      if (group) group.members.push(place);
      else groups.push(place);
    }
  }

  #draw() {
    const scale = this.#scale;
    for (const place of this.#places) {
      const { link, y, total, name, members, group } = place;
      const isShown = group.link === link;
      link.toggleAttribute("hidden", !isShown);
      if (!isShown) continue;
      const all = members.reduce((sum, member) => sum + member.total, total);
      const radius = (place.radius = this.#radius(all));
      const [circle, count, label] = link.children;
      circle.setAttribute("r", radius * scale);
      count.textContent = this.#number.format(all);
      count.setAttribute("font-size", 11 * scale);
      count.setAttribute("y", y + 4 * scale);
      label.setAttribute("font-size", textSize * scale);
      const { cluster } = this.#map.dataset;
      const text = cluster.replace("{count}", members.length).replace("{name}", () => label.dataset.name);
      place.all = all;
      // The texts beside the dot, the one with more words first.
      place.texts = members.length > 0 ? [text, `${label.dataset.name} +${members.length}`] : [label.dataset.name];
      link.classList.toggle("cluster", members.length > 0);
      if (members.length > 0) link.setAttribute("role", "button");
      else link.removeAttribute("role");
      link.setAttribute("aria-label", members.length > 0 ? `${text}: ${this.#number.format(all)}` : name);
    }
    if (!this.#map.querySelector('a[tabindex="0"]:not([hidden])')) this.#stop(this.#map.querySelector("a:not([hidden])"));
    this.#name();
  }

  /**
   * Shows the names beside their dots that cover neither another dot nor another name, those of the most photos first. The
   * name of the first dot in view is always shown.
   */
  #name() {
    const [scale, { x: left, y: top }] = [this.#scale, this.#view];
    const [width, height] = [this.#map.clientWidth, this.#map.clientHeight];
    const shown = this.#places.filter(place => place.group === place).map(({ link, x, y, all, radius, texts }) => {
      const at = { x: (x - left) / scale, y: (y - top) / scale };
      const dot = { left: at.x - radius, right: at.x + radius, top: at.y - radius, bottom: at.y + radius };
      return { label: link.lastElementChild, link, at, radius, all, dot, texts };
    }).toSorted((one, other) => other.all - one.all);
    const { offsetWidth, offsetHeight } = this.#tools;
    const tools = { left: width - offsetWidth - border, right: width, top: height - offsetHeight - border, bottom: height };
    const taken = [tools, ...shown.map(({ dot }) => dot)];
    const isInside = box => box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;
    const isSeen = ({ at }) => at.x >= 0 && at.x <= width && at.y >= 0 && at.y <= height;
    const first = shown.find(isSeen);
    for (const each of shown) {
      const { label, link, at, radius, dot, texts } = each;
      const places = texts.flatMap(text => this.#placesOf(text, at, radius, width));
      const covered = ({ box }) => taken.reduce((sum, other) => sum + (other === dot ? 0 : overlap(box, other)), 0);
      const inside = isSeen(each) ? places.filter(({ box }) => isInside(box)) : [];
      const free = inside.find(place => covered(place) === 0);
      const least = () => inside.toSorted((one, other) => covered(one) - covered(other))[0];
      const found = free ?? (each === first ? least() : undefined);
      if (found) taken.push(found.box);
      link.classList.toggle("named", found !== undefined);
      // Another name without a free place is shown while its dot is used.
      const place = found ?? places[at.x < width / 2 ? 0 : 1];
      label.textContent = place.text;
      label.setAttribute("x", left + place.x * scale);
      label.setAttribute("y", top + (place.y + textSize / 3) * scale);
      label.setAttribute("text-anchor", place.anchor);
    }
  }

  /** Returns the places of a text around a dot, the best ones first. Those above and below it are within the map. */
  #placesOf(text, at, radius, width) {
    const wide = this.#pen.measureText(text).width;
    const [beside, line] = [radius + gap, textSize * 1.2];
    const middle = Math.min(Math.max(at.x, wide / 2 + apart), width - wide / 2 - apart);
    const [below, above] = [at.y + radius + line / 2 + 1, at.y - radius - line / 2 - 1];
    const places = [
      { anchor: "start", x: at.x + beside, y: at.y, left: at.x + beside },
      { anchor: "end", x: at.x - beside, y: at.y, left: at.x - beside - wide },
      ...[below, above].map(y => ({ anchor: "middle", x: middle, y, left: middle - wide / 2 })),
      ...[below, above].map(y => ({ anchor: "start", x: at.x, y, left: at.x })),
      ...[below, above].map(y => ({ anchor: "end", x: at.x, y, left: at.x - wide })),
    ];
    return places.map(place => ({
      ...place, text,
      box: {
        left: place.left - apart, right: place.left + wide + apart, top: place.y - line / 2, bottom: place.y + line / 2,
      },
    }));
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
    width = Math.min(Math.max(width, this.#closest), this.#widest);
    const factor = width / this.#view.width;
    return { x: x - (x - this.#view.x) * factor, y: y - (y - this.#view.y) * factor, width };
  }

  #zoom(factor, at = this.#center) {
    this.#travel(this.#zoomed(this.#view.width * factor, at));
  }

  get #center() {
    const { x, y, width } = this.#view;
    return { x: x + width / 2, y: y + (width * this.#shape) / 2 };
  }

  /** Returns the dot in view with the most photos, which stays there while the map is zoomed; `undefined` without one. */
  #largest() {
    const seen = this.#places.filter(place => place.group === place && this.#isInView(place));
    return seen.toSorted((one, other) => other.all - one.all)[0];
  }

  #isInView(place) {
    const { x, y, width } = this.#view;
    return place.x >= x && place.x <= x + width && place.y >= y && place.y <= y + width * this.#shape;
  }

  /** Returns the place in degrees of a pointer. */
  #point({ clientX, clientY }) {
    const { left, top } = this.#map.getBoundingClientRect();
    return { x: this.#view.x + (clientX - left) * this.#scale, y: this.#view.y + (clientY - top) * this.#scale };
  }

  /** Zooms by the wheel. Where all places are shown, the wheel scrolls the page on. */
  #wheel(event) {
    const change = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 20 : event.deltaY;
    const most = event.ctrlKey ? this.#widest : Math.max(this.#home.width, this.#view.width);
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

  /** Leads to the places of a dot. The end of a drag is no click. */
  #click(event) {
    const place = this.#placeOf(event.target);
    if (this.#hasMoved && event.detail > 0) event.preventDefault();
    else if (place?.members.length > 0) {
      event.preventDefault();
      this.#open(place);
    }
    if (event.defaultPrevented) event.stopPropagation();
    this.#hasMoved = false;
  }

  #placeOf(element) {
    const link = element.closest?.("a");
    return this.#places.find(place => place.link === link);
  }

  /** Zooms to the places of a dot. In the closest view, it marks their tiles and shows that of the most photos. */
  #open(place) {
    const places = [place, ...place.members];
    if (this.#view.width > this.#closest) return this.#zoomTo(places);
    const addresses = places.map(({ link }) => link.getAttribute("href"));
    const tiles = [...document.querySelectorAll(".albums a")];
    for (const tile of tiles) tile.classList.toggle("marked", addresses.includes(tile.getAttribute("href")));
    tiles.find(tile => tile.getAttribute("href") === addresses[0])?.focus();
  }

  #zoomTo(places) {
    const [xs, ys] = [places.map(place => place.x), places.map(place => place.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    // At least half as wide as now, so that each click leads nearer.
    const needed = Math.max(right - left, (bottom - top) / this.#shape) * 1.4;
    const width = Math.min(Math.max(needed, this.#closest), this.#view.width / 2);
    this.#travel({ x: (left + right - width) / 2, y: (top + bottom - width * this.#shape) / 2, width });
  }

  #press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = this.#placeOf(event.target);
    const direction = directions[event.key];
    if (event.key === "+" || event.key === "=") this.#zoom(1 / 2, from ?? this.#largest());
    else if (event.key === "-") this.#zoom(2, from);
    else if (event.key === "0") this.#travel(this.#home);
    else if (direction && from) this.#next(from, direction)?.link.focus();
    else if (event.key === " " && from?.members.length > 0) this.#open(from);
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
    const place = this.#placeOf(link);
    if (this.#isInView(place)) return;
    const { width } = this.#view;
    this.#show({ x: place.x - width / 2, y: place.y - (width * this.#shape) / 2, width });
  }
}

/** Returns the area that two parts of the map have in common. */
function overlap(one, other) {
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return Math.max(0, across) * Math.max(0, down);
}

const map = document.querySelector("#places-map");
if (map) new PlacesMap(map);
