// A map of the world with a place. It is one of our own files: no map service learns the place.

const namespace = "http://www.w3.org/2000/svg";
// In degrees.
const markerRadius = 5;

function element(name, attributes) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Returns a map in degrees with a marker. */
export function worldMap({ latitude, longitude }, name) {
  const map = element("svg", { class: "map", viewBox: "-180 -90 360 180", role: "img", "aria-label": name });
  map.append(
    element("image", { href: new URL("./world.svg", import.meta.url), x: -180, y: -90, width: 360, height: 180 }),
    element("circle", { cx: longitude, cy: -latitude, r: markerRadius }));
  return map;
}
