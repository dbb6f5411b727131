// The server's answers to what a dialog requests, which are pages.

// Milliseconds that the server has for an answer.
const patience = 30_000;
// What a page that asks something consists of. A page with anything else is not shown in a dialog.
const expected = `a, bdi, button, fieldset, form, h1, input, label, legend, li, option, p, progress, select, small, span,
  ul`;

/** Returns the part of a page that asks something or says what failed, or `undefined` if the page is another one. */
export function questionOf(response, page) {
  const main = page.querySelector("main:not([class])");
  const isInside = ["/library/", "/account/"].some(each => new URL(response.url).pathname.startsWith(each));
  // The tabs and the frame of a page of the account.
  main?.querySelector(".tabs")?.remove();
  for (const part of main?.querySelectorAll(":scope > .part") ?? []) part.replaceWith(...part.childNodes);
  const isQuestion = !response.ok || main?.querySelector("form[method=post]");
  if (!isInside || !isQuestion || !main?.querySelector("h1")) return undefined;
  return [...main.querySelectorAll("*")].every(each => each.matches(expected)) ? main : undefined;
}

/** Returns the answer of the server with its page; neither without a connection, and whether that took too long. */
export async function ask(path, options, given = new AbortController().signal) {
  try {
    const signal = AbortSignal.any?.([given, AbortSignal.timeout(patience)]) ?? given;
    const response = await fetch(path, { ...options, headers: { accept: "text/html" }, signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Without a connection the worker answers with an earlier page.
    return "kept" in page.documentElement.dataset ? {} : { response, page };
  } catch (error) {
    return { isLate: error.name === "TimeoutError" };
  }
}
