// Sends the changes that were made without a connection with the forms of the pages.

const lock = "offline sending";
// The server limits the bytes of a form.
const mostPhotos = 1000;
// Milliseconds that the server has for an answer, and while the person waits for it.
const patience = 30_000;
const shortPatience = 10_000;
// Any page with a form token.
const page = "/library/albums";
// Refusals that another attempt cannot change: a list of photos that is full, and an album that was deleted.
const final = [400, 404];

/**
 * Sends the changes of an account, one page at a time.
 *
 * Returns the number that was sent, the number of photos that are missing, the names of the albums that are missing,
 * and other refusals in the person's language; `null` without changes.
 */
export async function sendChanges(changes) {
  if ((await changes.all()).length === 0) return null;
  return navigator.locks.request(lock, async () => {
    const waiting = await changes.all();
    if (waiting.length === 0) return null;
    const outcome = { sent: 0, missing: 0, albums: [], refusals: [] };
    const token = await freshToken(changes.owner);
    for (const form of token ? forms(waiting) : []) {
      // Another window may have discarded some of them.
      const left = new Set((await changes.all()).map(keyOf));
      form.changes = form.changes.filter(change => left.has(keyOf(change)));
      if (form.changes.length === 0) continue;
      const response = await post(form, token);
      if (!response) break;
      if (response.ok) {
        outcome.sent += form.changes.length - response.missing;
        outcome.missing += response.missing;
      } else if (response.status === 404 && form.album) {
        outcome.albums.push(form.name);
      } else {
        outcome.refusals.push(response.message);
      }
      await changes.remove(form.changes);
    }
    return outcome;
  });
}

/**
 * Sends a form for which the person waits, with changes that are kept until the server has answered. The answer may be
 * lost: a form that states what is to be is sent again with the same result.
 *
 * Returns the path of the page that the server shows then, `refused`, `unreachable`, or `later` if it is to be sent with
 * others.
 */
export async function sendForm(changes, kept, path, fields) {
  return navigator.locks.request(lock, { ifAvailable: true }, async isFree => {
    if (!isFree) return "later";
    const response = await ask(path, {
      method: "POST", body: fields, headers: { accept: "application/json" }, signal: AbortSignal.timeout(shortPatience),
    });
    const answer = await answerOf(response);
    if (!answer) return "unreachable";
    if (response.status >= 500 || response.status === 429) return "later";
    await changes.remove(kept);
    return response.ok ? answer.page : "refused";
  });
}

function keyOf({ album, photo, isOn }) {
  return `${album} ${photo} ${isOn}`;
}

/**
 * Returns the form token of a page that the server has just made for an account, or `undefined`.
 *
 * The account and the token are of one answer, and the token is valid in that session only: if another account signs in
 * before the changes are sent, the server refuses them.
 */
async function freshToken(owner) {
  const response = await ask(page, { headers: { accept: "text/html" }, cache: "no-store" });
  if (!response?.ok || response.headers.get("photolala-offline")?.split("/")[0] !== owner) return undefined;
  const html = new DOMParser().parseFromString(await response.text(), "text/html");
  if ("kept" in html.documentElement.dataset) return undefined;
  return html.querySelector("[name=form_token]")?.value || undefined;
}

/** Returns the changes as forms: each adds photos to one album or the favorites, or removes them. */
function forms(waiting) {
  const found = new Map();
  for (const change of waiting) {
    const { album, name, isOn } = change;
    const key = `${album} ${isOn}`;
    const list = found.get(key) ?? [];
    if (!(list.at(-1)?.changes.length < mostPhotos)) list.push({ album, name, isOn, changes: [] });
    list.at(-1).changes.push(change);
    found.set(key, list);
  }
  return [...found.values()].flat();
}

/** Sends a form. Returns the answer, or `undefined` if another attempt is needed. */
async function post({ album, isOn, changes }, token) {
  const fields = new URLSearchParams(changes.map(({ photo }) => [photo, "1"]));
  fields.set("form_token", token);
  if (album) fields.set("target", album);
  else fields.set("favorite", isOn ? "1" : "0");
  const path = album ? `/library/albums/${isOn ? "add" : "remove"}` : "/library/favorites";
  const response = await ask(path, { method: "POST", body: fields, headers: { accept: "application/json" } });
  if (!response || !(response.ok || final.includes(response.status))) return undefined;
  const answer = await answerOf(response);
  if (!answer) return undefined;
  return { ok: response.ok, status: response.status, missing: answer.missing ?? 0, message: answer.message };
}

/** Returns what the server answers, or `undefined` for an answer of another network, such as a page that asks to sign in. */
async function answerOf(response) {
  const answer = await response?.json().catch(() => null);
  const isOurs = response?.ok
    ? typeof answer?.page === "string" && answer.page.startsWith("/") && Number.isInteger(answer.missing)
    : typeof answer?.code === "string" && typeof answer.message === "string";
  return isOurs ? answer : undefined;
}

/** Returns an answer without following redirects, or `undefined` without a connection. */
async function ask(path, options) {
  try {
    return await fetch(path, { redirect: "manual", signal: AbortSignal.timeout(patience), ...options });
  } catch {
    return undefined;
  }
}
