// The notice about uploads in parts that ended with an earlier page.
import { UnfinishedUploads } from "./unfinished_uploads.js";

// Milliseconds. Screen readers announce only changes to an existing element.
const pause = 100;

/** Shows the uploads of an account that were interrupted since the last notice, until the person closes it. */
export async function announceInterrupted(notice, account) {
  notice.querySelector("button").addEventListener("click", () => {
    notice.hidden = true;
    document.querySelector("#files").focus();
  });
  const names = await new UnfinishedUploads().announce(account);
  if (names.length === 0) return;
  notice.hidden = false;
  setTimeout(() => notice.firstElementChild.replaceChildren(...names.map(name => Object.assign(
    document.createElement("p"), { textContent: notice.dataset.text.replace("{name}", () => name) }))), pause);
}
