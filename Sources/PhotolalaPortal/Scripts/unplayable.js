// A notice in place of a video that the browser cannot play.

import { photoDetails } from "./photo_details.js";
import { RangedFile } from "./ranged_file.js";

// The longest time for reading a video's facts in milliseconds.
const longest = 15_000;

/**
 * Returns a notice with the codec and a link to the original. Returns `undefined` if the browser can play the video or
 * if the store cannot be reached, which is a failure of another kind.
 */
export async function unplayableNotice(video) {
  const template = document.querySelector("#unplayable");
  const { error } = video;
  const isBroken = error?.code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED || error?.code === MediaError.MEDIA_ERR_DECODE;
  // Without an error, a browser may play the sound of a video whose pictures it cannot decode.
  if (!template || (!isBroken && (error || video.videoWidth > 0))) return undefined;
  const file = new RangedFile(video.getAttribute("src"), AbortSignal.timeout(longest));
  const { hasPictures, pictureCodec } = await photoDetails((offset, length) => file.read(offset, length));
  if (!file.isReadable || (!isBroken && !hasPictures)) return undefined;
  const notice = template.content.firstElementChild.cloneNode(true);
  const { text, codecText, hevcText } = template.dataset;
  const known = pictureCodec === "HEVC" ? hevcText : codecText.replace("{name}", pictureCodec);
  notice.querySelector("p").textContent = pictureCodec ? known : text;
  return notice;
}
