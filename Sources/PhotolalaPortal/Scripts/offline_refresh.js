// The current state of a page after changes that it showed were sent or discarded.

// Milliseconds that the server has for an answer.
const patience = 30_000;

/** Returns a page that the server has just made for the account of this page, or `undefined`. */
export async function currentPage(address) {
  const response = await fetch(address, {
    headers: { accept: "text/html" }, cache: "no-store", redirect: "manual", signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const isOwn = page.querySelector("#offline")?.dataset.account === document.querySelector("#offline").dataset.account;
  return isOwn && !("kept" in page.documentElement.dataset) ? page : undefined;
}

/** Shows the current albums, or the favorite and the albums of the photo, and leaves the rest as it is. */
export async function showCurrent() {
  const address = location.href;
  const page = await currentPage(address);
  if (!page || address !== location.href) return false;
  document.querySelector("ul.albums")?.replaceChildren(...page.querySelectorAll("ul.albums > li"));
  const [shown, current] = [document, page].map(each => each.querySelector("#favorite"));
  if (shown && current) {
    shown.value = current.value;
    shown.setAttribute("aria-pressed", current.getAttribute("aria-pressed"));
  }
  const [old, albums] = [document, page].map(each => each.querySelectorAll("#info dt:has(+ #albums), #albums"));
  if (old.length === 0) document.querySelector("#details + dl")?.prepend(...albums);
  else {
    old[0].before(...albums);
    for (const each of old) each.remove();
  }
  return true;
}
