// The selection while a page is loaded again, as in another language: the tab remembers it for one load.

const key = "selected";

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

function page() {
  return location.pathname + location.search;
}

function account() {
  return document.querySelector("#offline")?.dataset.account;
}
