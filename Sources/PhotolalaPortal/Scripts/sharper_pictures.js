// Thumbnails that have fewer pixels than their tiles, such as those of panoramas: a larger picture follows.

// How many times more pixels a tile has then.
const visible = 1.1;

// Thumbnails load when they are near the window.
document.addEventListener("load", ({ target }) => sharpen(target), true);

/** Looks at the thumbnails of a part of the page that have loaded, after their tiles have got a size. */
export function sharpenLoaded(part) {
  for (const picture of part.querySelectorAll("img[data-sharper]")) if (picture.complete) sharpen(picture);
}

/** Replaces a thumbnail by the larger picture, if there is one. Until it has loaded, and without it, the thumbnail is shown. */
async function sharpen(picture) {
  const address = picture.dataset?.sharper;
  if (!address || !picture.naturalWidth) return;
  // The thumbnail covers its tile.
  const scale = Math.max(picture.clientWidth / picture.naturalWidth, picture.clientHeight / picture.naturalHeight);
  if (scale * devicePixelRatio < visible) return;
  delete picture.dataset.sharper;
  const larger = Object.assign(new Image(), { src: address });
  try {
    await larger.decode();
    picture.src = address;
  } catch {
    // The photo has no larger picture.
  }
}
