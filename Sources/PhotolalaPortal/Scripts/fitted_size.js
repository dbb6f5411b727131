// The size of a picture that is shown as a whole in the middle of its box.

/** Returns the width and height of the picture in pixels, before a transformation; of one that has not loaded, the box's. */
export function fittedSize({ offsetWidth, offsetHeight, naturalWidth, naturalHeight }) {
  if (!naturalWidth) return [offsetWidth, offsetHeight];
  const scale = Math.min(offsetWidth / naturalWidth, offsetHeight / naturalHeight);
  return [naturalWidth * scale, naturalHeight * scale];
}
