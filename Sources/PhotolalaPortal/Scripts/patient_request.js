// Requests of a page that the server may refuse because there were too many: each is sent again after the time that the
// refusal names.
import { showWaiting } from "./notice.js";

// Attempts, and the longest wait between two, in milliseconds. A refusal that names a longer one is the answer.
const attempts = 6;
const longest = 60_000;
// Milliseconds of a wait that the page does not mention.
const unsaid = 2000;

/** Returns the first answer that is no refusal, or the last refusal. While it waits, `isWanted` may end the attempts. */
export async function requestPatiently(address, options, isWanted = () => true) {
  const text = document.querySelector("#question-waiting")?.dataset.text;
  for (let left = attempts; ; left -= 1) {
    const response = await fetch(address, options);
    const wait = Number(response.headers.get("retry-after")) * 1000;
    if (response.status !== 429 || !(wait > 0) || wait > longest || left <= 1) return response;
    const endWaiting = wait > unsaid && text ? showWaiting(text) : () => {};
    await new Promise(resolve => setTimeout(resolve, wait));
    endWaiting();
    if (!isWanted()) return response;
  }
}
