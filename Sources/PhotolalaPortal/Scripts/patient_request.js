// Requests of a page that the server may refuse because there were too many: each is sent again after the time that the
// refusal names.
import { showWaiting } from "./notice.js";

// Attempts, and the longest wait between two, in milliseconds. A refusal that names a longer one is the answer.
export const attempts = 6;
const longest = 60_000;
// Milliseconds of a wait that the page does not mention.
const unsaid = 2000;

/**
 * Returns the milliseconds after which a request that was refused because of too many may be sent again; `undefined` for
 * another answer, and for a refusal that names no time or a longer one.
 */
export function waitOf({ status, headers }) {
  const wait = Number(headers.get("retry-after")) * 1000;
  return status === 429 && wait > 0 && wait <= longest ? Math.max(wait, 1000) : undefined;
}

/** Returns a text with the seconds of a wait in place of `{duration}`. */
export function withDuration(text, wait) {
  const style = { style: "unit", unit: "second", unitDisplay: "long" };
  const duration = new Intl.NumberFormat(document.documentElement.lang, style).format(Math.ceil(wait / 1000));
  return text.replace("{duration}", duration);
}

/**
 * Returns the first answer that is no refusal, or the last refusal. `options` returns those of each request, and
 * `isRefusal` whether a refusal is one of the request itself.
 */
export async function requestPatiently(address, options = () => ({}), isRefusal = () => true) {
  const text = document.querySelector("#question-waiting")?.dataset.text;
  for (let left = attempts; ; left -= 1) {
    const response = await fetch(address, options());
    const wait = waitOf(response);
    if (!wait || left <= 1 || !isRefusal(response)) return response;
    const endWaiting = wait > unsaid && text ? showWaiting(text) : () => {};
    await new Promise(resolve => setTimeout(resolve, wait));
    endWaiting();
  }
}
