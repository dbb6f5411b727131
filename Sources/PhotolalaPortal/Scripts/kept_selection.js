// The selection while a page is loaded again, as in another language: the tab remembers it for one load. What is chosen
// for an album is remembered while its pages follow each other, as with another search or after signing in.

const key = "selected";
const choice = "chosen";

/** Remembers selected photos for the next load of this page, or of another one. */
export function keep(photos, address = page()) {
  try {
    sessionStorage.setItem(key, JSON.stringify({ page: address, account: account(), photos }));
  } catch {
    // Without storage the selection ends.
  }
}

/** Returns the photos that were remembered for this page, once. */
export function kept() {
  try {
    const last = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    return last?.page === page() && last.account === account() ? last.photos : [];
  } catch {
    return [];
  }
}

/** Remembers the photos that are chosen for an album. */
export function keepChoice(album, photos) {
  try {
    sessionStorage.setItem(choice, JSON.stringify({ album, account: account(), photos }));
  } catch {
    // Without storage the choice ends with the page.
  }
}

/** Returns the photos that were chosen for an album, or for one that was deleted if the address asks for them. */
export function keptChoice(album) {
  try {
    const last = JSON.parse(sessionStorage.getItem(choice));
    const isMeant = last?.album === album || location.hash === "#chosen";
    return last && isMeant && last.account === account() ? last.photos : [];
  } catch {
    return [];
  }
}

/** Forgets what was chosen: the page is another one. */
export function endChoice() {
  try {
    sessionStorage.removeItem(choice);
  } catch {
    // Without storage nothing was remembered.
  }
}

function page() {
  return location.pathname + location.search;
}

function account() {
  return document.querySelector("#offline")?.dataset.account;
}
