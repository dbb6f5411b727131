// A page of the library in the frame that another page shows while it uploads photos (browsing.js), and after it.

/** Whether this page is in a frame. Only pages of our own origin may frame it. */
export const isFramed = window.frameElement !== null;

const frame = history.state?.frame;

/** Opens an address as a link does: while the page uploads, in the frame above it. */
export function follow(href) {
  const link = Object.assign(document.createElement("a"), { href });
  document.body.append(link);
  link.click();
  link.remove();
}

/** Returns whether an entry of the tab's history was written by another page than this one, for its own frame. */
export function isForeign(state) {
  return state?.frame !== frame && !location.hash;
}

if (isFramed) {
  // After all scripts of the page have run.
  addEventListener("DOMContentLoaded", () => window.frameElement.dispatchEvent(new Event("ready")));
} else if (!document.querySelector("#upload")) {
  addEventListener("popstate", ({ state }) => {
    if (isForeign(state)) location.reload();
  });
}
