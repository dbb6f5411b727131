// A map of the region of a place. It is one of our own files: no map service learns the place.

const namespace = "http://www.w3.org/2000/svg";
// In degrees: the region that is shown, and the marker.
const [width, height] = [40, 25];
const markerRadius = 0.9;

function element(name, attributes) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Returns the start of a region with a place in its middle, or nearer to an end of the world. */
function start(middle, size, most) {
  return Math.min(Math.max(middle - size / 2, -most), most - size);
}

/** Returns a map in degrees with a marker. */
export function worldMap({ latitude, longitude }, name) {
  const view = [start(longitude, width, 180), start(-latitude, height, 90), width, height];
  const map = element("svg", { class: "map", viewBox: view.join(" "), role: "img", "aria-label": name });
  map.append(
    element("image", { href: new URL("./world.svg", import.meta.url), x: -180, y: -90, width: 360, height: 180 }),
    element("circle", { cx: longitude, cy: -latitude, r: markerRadius }));
  return map;
}
