// The size of a thumbnail, as of `Thumbnail.edge(ofPicture:_:)`.

const [edge, shorterEdge, longestEdge] = [512, 256, 1024];

/** Returns the side of the square in pixels in which the thumbnail of a picture fits, by the picture's proportion. */
export function thumbnailEdge({ width, height }) {
  const [longer, shorter] = [Math.max(width, height), Math.max(1, Math.min(width, height))];
  return Math.max(edge, Math.min(longestEdge, Math.round(shorterEdge * longer / shorter)));
}
