// The details in the information about a photo, which are read from its original while the information is shown.

import { cameraText, durationText, exposureText, placeAddress, placeText } from "./detail_texts.js";
import { photoDetails } from "./photo_details.js";
import { RangedFile } from "./ranged_file.js";
import { worldMap } from "./world_map.js";

// The longest time for reading one photo in milliseconds.
const longest = 15_000;

export class InfoDrawer {
  #reading;

  constructor() {
    // The event does not bubble. It also follows each turn to another photo, whose page has a drawer of its own.
    document.addEventListener("toggle", event => {
      if (event.target.id !== "info") return;
      this.#reading?.abort();
      if (event.newState === "open") this.#show(event.target);
    }, true);
  }

  async #show(drawer) {
    const list = drawer.querySelector("#details");
    if (!list) return;
    const known = drawer.querySelector("[data-latitude]");
    if (known && !known.querySelector(".map")) {
      const { latitude, longitude } = known.dataset;
      this.#addMap(known, { latitude: Number(latitude), longitude: Number(longitude) }, list.dataset.map);
    }
    if (!list.dataset.original) return;
    const reading = (this.#reading = new AbortController());
    const timer = setTimeout(() => reading.abort(), longest);
    const file = new RangedFile(list.dataset.original, reading.signal);
    const details = await photoDetails((offset, length) => file.read(offset, length));
    clearTimeout(timer);
    if (reading.signal.aborted) return;
    // It is read once.
    delete list.dataset.original;
    this.#fill(list, details, !known);
  }

  #fill(list, details, showsPlace) {
    const add = (label, text) => {
      // What the server knows has no label here.
      if (!label || !text) return undefined;
      const value = document.createElement("dd");
      value.append(Object.assign(document.createElement("bdi"), { textContent: text }));
      list.append(Object.assign(document.createElement("dt"), { textContent: label }), value);
      return value;
    };
    const { camera, lens, exposure, duration, codecs, place, map, openMap } = list.dataset;
    add(camera, cameraText(details));
    add(lens, details.lens);
    add(exposure, exposureText(details));
    add(duration, durationText(details.duration));
    add(codecs, details.codecs?.join(", "));
    if (showsPlace && details.place) {
      const value = add(place, placeText(details.place));
      const link = Object.assign(document.createElement("a"), {
        href: placeAddress(details.place), target: "_blank", rel: "noopener noreferrer", textContent: openMap,
      });
      value.append(" ", link);
      this.#addMap(value, details.place, map);
    }
    list.hidden = !list.firstElementChild;
  }

  #addMap(parent, place, name) {
    parent.append(worldMap(place, `${name}: ${placeText(place)}`));
  }
}
