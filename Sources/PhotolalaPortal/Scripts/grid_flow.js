// The flows of the photo grid: what has rows of its own, which is a block of photos or the part of the page with successive
// blocks that share rows.

/**
 * Makes the parts of the page for all months. Keeps the blocks of the page's HTML and creates empty ones for the rest.
 * Returns the parts, what holds those of successive short months, the flows and the blocks, and of each month what the bar
 * of years needs.
 */
export function flowsOf(root, months) {
  const loaded = new Map();
  for (const list of root.querySelectorAll(".grid")) loaded.set(Number(list.dataset.block), list);
  const [parts, flows, blocks] = [[], [], []];
  const add = element => {
    flows.push(element);
    return Object.assign(element, { blocks: [], photos: 0, ends: false });
  };
  const runs = [];
  let group;
  const places = months.map(({ title, year, isShort, opensRow, opensYear, blocks: shapesOfBlocks }) => {
    const section = document.createElement("section");
    const heading = document.createElement("h2");
    heading.textContent = title;
    section.append(heading);
    if (isShort && !group) runs.push(runOf(title));
    if (!isShort) group = undefined;
    else if (opensRow) {
      group = add(Object.assign(document.createElement("div"), { className: "short" }));
      runs.at(-1).append(group);
      runs.at(-1).flows.push(group);
    }
    const photosBefore = group?.photos ?? 0;
    for (const [photos, days, ratios, ...shapes] of shapesOfBlocks) {
      const number = blocks.length;
      const block = loaded.get(number) ?? document.createElement("div");
      block.className = "grid";
      block.dataset.block = number;
      block.flow = group ?? add(block);
      block.flow.blocks.push(block);
      block.flow.photos += photos;
      Object.assign(block, { size: { photos, days, ratios }, shapes, opensYear, loadedAt: Date.now() });
      section.append(block);
      blocks.push(block);
    }
    if (group) group.append(section);
    else section.lastElementChild.flow.ends = true;
    const part = group ?? section;
    if (part !== parts.at(-1)) parts.push(part);
    return { title, year, section, part, photosBefore };
  });
  for (const [number, part] of parts.entries()) {
    if (part.blocks) part.classList.toggle("ends", (part.ends = !parts[number + 1]?.blocks));
  }
  return { parts, runs, flows, blocks, places };
}

/** Returns an element for successive flows of short months, below the title of the month that is seen at the top. */
function runOf(title) {
  const run = Object.assign(document.createElement("div"), { className: "run", flows: [] });
  run.label = Object.assign(document.createElement("p"), { className: "month", textContent: title });
  run.label.setAttribute("aria-hidden", "true");
  run.append(run.label);
  return run;
}

/** Returns the numbers of the photos of a flow above which a year is marked. */
export function yearsOf(flow) {
  const years = [];
  let photos = 0;
  for (const block of flow.blocks) {
    if (block.opensYear) years.push(photos);
    photos += block.size.photos;
  }
  return years;
}

/** Returns whether all photos of a flow are loaded. */
export function isLoaded(flow) {
  return flow.blocks.every(block => block.firstElementChild);
}

/** Returns whether a photo or a flow is in the window. */
export function isSeen(item) {
  const { top, bottom } = item.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Returns the name of a photo: its MD5. */
export function nameOf(item) {
  return item.querySelector("input").name;
}
