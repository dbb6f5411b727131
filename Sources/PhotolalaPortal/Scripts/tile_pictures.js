// Square tiles of panoramas, whose thumbnails are low: where one has too few pixels for its tile, a larger picture follows.

/** Shows larger pictures after the thumbnails have loaded. A larger one that does not exist changes nothing. */
export function sharpenTiles() {
  addEventListener("load", ({ target }) => sharpen(target), true);
  for (const image of document.querySelectorAll("[data-sharper]")) if (image.complete) sharpen(image);
}

function sharpen(image) {
  const address = image.dataset?.sharper;
  if (!address || !image.naturalWidth) return;
  delete image.dataset.sharper;
  if (Math.min(image.naturalWidth, image.naturalHeight) >= image.clientWidth * devicePixelRatio) return;
  const larger = new Image();
  larger.addEventListener("load", () => (image.src = address));
  larger.src = address;
}
