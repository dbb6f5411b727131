// The account of a page.

/** Returns the name of the account that a page is of, as the server gives it to scripts; `undefined` without one. */
export function accountOf(page = document) {
  return page.querySelector("header.top")?.dataset.account;
}
