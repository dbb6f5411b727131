// Shows the previews of panoramas whose thumbnails have fewer pixels than their tiles.

// How many times more pixels a tile has then.
const visible = 1.1;

export class GridPictures {
  constructor(root) {
    // Thumbnails load when they are near the window.
    root.addEventListener("load", event => replace(event.target), true);
  }

  /** Looks at the panoramas of a flow that have loaded, after their tiles have got a size. */
  sharpen(flow) {
    for (const picture of flow.querySelectorAll("img[data-large]")) if (picture.complete) replace(picture);
  }
}

/** Replaces a thumbnail by the preview, if there is one. Until it has loaded, and without it, the thumbnail is shown. */
async function replace(picture) {
  const { large } = picture.dataset;
  const tile = parseFloat(picture.closest("li")?.style.getPropertyValue("--wide")) * devicePixelRatio;
  if (!large || !picture.naturalWidth || !(tile > picture.naturalWidth * visible)) return;
  delete picture.dataset.large;
  const preview = Object.assign(new Image(), { src: large });
  try {
    await preview.decode();
    picture.src = large;
  } catch {
    // The photo has no preview.
  }
}
