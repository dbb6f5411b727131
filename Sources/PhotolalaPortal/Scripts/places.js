// The map of places, which is one stop of the tab key: the arrow keys move to the next place in their direction.

import "./library.js";

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const map = document.querySelector("#places-map");

function position(link) {
  const { cx, cy } = link.querySelector("circle");
  return [cx.baseVal.value, cy.baseVal.value];
}

/** Returns the nearest place that is rather in a direction than beside it. */
function next(from, [right, down]) {
  const [x, y] = position(from);
  let [best, least] = [undefined, Infinity];
  for (const link of map.querySelectorAll("a")) {
    const [dx, dy] = [position(link)[0] - x, position(link)[1] - y];
    const [ahead, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
    const distance = dx * dx + dy * dy;
    if (link === from || ahead < aside || distance === 0 || distance >= least) continue;
    [best, least] = [link, distance];
  }
  return best;
}

map?.addEventListener("keydown", event => {
  const direction = directions[event.key];
  const from = event.target.closest("a");
  if (!direction || !from || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  next(from, direction)?.focus();
});

map?.addEventListener("focusin", event => {
  const link = event.target.closest("a");
  for (const old of map.querySelectorAll('a[tabindex="0"]')) old.setAttribute("tabindex", -1);
  link?.setAttribute("tabindex", 0);
});
