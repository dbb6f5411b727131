// Answers pages of the library, and the pictures on them, from what this browser has kept while there is no connection.
// The server declares `version`, `assets` and `store` before this text.

// The most that is kept. The oldest is removed first.
const mostPages = 100;
const mostBlocks = 200;
const mostPictures = 2000;
const mostBytes = 200_000_000;
// The largest page and the largest picture that are kept, in bytes.
const largest = 4_000_000;
// Milliseconds after which a picture is fetched again while there is a connection, and after which nothing is shown.
const fresh = 86_400_000;
const lasting = 30 * fresh;
// Pictures after which their number and bytes are counted.
const trimmedAfter = 40;

const pages = ["/library", "/library/favorites", "/library/albums", "/library/photo", "/library/archive",
  "/library/places"];
const blocks = "/library/blocks";
// The parameters that decide which photos a page has, and those of the place that it shows. With others it has a notice.
const selecting = ["id", "list", "name", "q", "kind", "favorites", "hidden", "album", "place", "camera", "for"];
const placing = ["from", "near"];
const message = "/library/offline";
const picture = /^(.*\/)?thumbnails\/[^/]+\/(previews\/)?[0-9a-f]{32}\.jpg$/;
const date = "photolala-kept";
// A page creates this cache if the person wants that pages are kept. Without it nothing is.
const consent = "reading";

/** Counts deletions: what was requested before one is not stored after it. */
let generation = 0;
let stored = trimmedAfter;
let isReadable = true;
let last = Promise.resolve();

addEventListener("install", event => {
  skipWaiting();
  event.waitUntil(keepAssets());
});

addEventListener("activate", event => event.waitUntil(start()));

// A page registers the worker again after it has deleted everything. While another page had it, it is not installed again.
addEventListener("message", event => event.waitUntil(keepAssets().then(() => clients.claim())));

async function keepAssets() {
  await (await caches.open(`assets:${version}`)).addAll(assets);
}

async function start() {
  for (const name of await caches.keys()) {
    if (/^(assets|pages|blocks):/.test(name) && !name.endsWith(`:${version}`)) await caches.delete(name);
  }
  await registration.navigationPreload?.enable();
  await clients.claim();
}

addEventListener("fetch", event => {
  const { request } = event;
  const url = new URL(request.url);
  // Videos are requested in ranges.
  if (request.method !== "GET" || request.headers.has("range")) return;
  if (url.origin === location.origin) {
    if (url.pathname.startsWith("/assets/") && !url.pathname.endsWith(".wasm")) event.respondWith(asset(request, url));
    else if (isKept(url)) event.respondWith(page(event, url));
    else if (request.mode === "navigate") event.respondWith(other(event));
    else if (url.pathname === "/library/original" && request.destination === "image") {
      event.respondWith(original(request, url));
    }
  } else if (url.origin === store && picture.test(url.pathname)) event.respondWith(small(event, url));
});

/** Returns whether a page or a part of one is kept. What is in the trash is not. */
function isKept(url) {
  return (pages.includes(url.pathname) || url.pathname === blocks) && url.searchParams.get("list") !== "trash";
}

/** Runs acts on the caches one after the other. A failure, such as a full disk, changes nothing else. */
function inOrder(act) {
  last = last.then(act).catch(() => {});
  return last;
}

/** Returns a static file. Its address changes with its content. */
async function asset(request, url) {
  const found = await caches.match(request.url);
  if (found) return found;
  const response = await fetch(request);
  if (response.status === 200) {
    const copy = response.clone();
    inOrder(async () => (await caches.open(`assets:${url.pathname.split("/")[2]}`)).put(request.url, copy));
  }
  return response;
}

async function page(event, url) {
  const before = generation;
  let response;
  try {
    response = (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return unconnected(event, url);
  }
  const copy = response.clone();
  event.waitUntil(inOrder(() => keep(copy, url, before)));
  return response;
}

async function other(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return unkept();
  }
}

/** Returns the address under which a page is kept: without the position and the notices of acts. */
function key(url, hasPosition = true) {
    const query = new URLSearchParams();
  for (const name of selecting) if (url.searchParams.has(name)) query.set(name, url.searchParams.get(name));
  const from = Number(url.searchParams.get("from"));
  if (from > 0 && hasPosition) query.set("from", from);
  return `${location.origin}${url.pathname}?${query}`;
}

/** Keeps a page for the account that it belongs to. Deletes everything if that is not the one of what is kept. */
async function keep(response, url, before) {
  if (before !== generation) return;
  // The only place to which these pages redirect is the sign-in.
  if (response.type === "opaqueredirect" || response.redirected || response.status === 401) return forget();
  const [owner, of] = response.headers.get("photolala-offline")?.split("/") ?? [];
  const isOwn = name => !/^(pages|blocks|pictures|changes):/.test(name) || name.split(":")[1] === owner;
  if (response.status === 200 && (!owner || !(await caches.keys()).every(isOwn))) return forget();
  if (response.status === 404) {
    for (const name of await named("pages:")) await (await caches.open(name)).delete(key(url));
  }
  const hasNotice = [...url.searchParams.keys()].some(name => ![...selecting, ...placing].includes(name));
  if (response.status !== 200 || hasNotice || !(await caches.has(consent))) return;
  const cache = `${url.pathname === blocks ? "blocks" : "pages"}:${owner}:${of}`;
  const text = await response.text();
  if (text.length > largest || before !== generation) return;
  await put(cache, key(url), clean(text), response.headers);
  await trim(cache, url.pathname === blocks ? mostBlocks : mostPages);
  const [look] = text.match(/<html [^>]*>/) ?? [];
  if (!look) return;
  // The message has the language and the theme of the page.
  const names = (await (await caches.open(cache)).keys()).map(({ url }) => url);
  const address = `${location.origin}${message}?${encodeURIComponent(look)}`;
  if (names.includes(address)) return;
  const shown = await fetch(message);
  if (shown.status !== 200 || before !== generation) return;
  await put(cache, address, clean(await shown.text()), shown.headers);
}

/** Returns the names of caches that begin with a text. */
async function named(start) {
  return (await caches.keys()).filter(name => name.startsWith(start));
}

/** Removes the tokens of forms, the signatures of addresses and the e-mail of the account from a page. */
function clean(text) {
  return text.replace(/(name="form_token" value=|data-token=)"[^"]*"/g, '$1""').replace(/<p class="account">[^]*?<\/p>/, "")
    .replace(/\?[^"\s<]*X-Amz-Signature=[^"\s<]*/g, "");
}

async function put(cache, address, body, headers) {
  const fields = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) fields.delete(name);
  fields.set(date, Date.now());
  await (await caches.open(cache)).put(address, new Response(body, { headers: fields }));
  // All may have been deleted during that, which begins with the consent.
  if (!(await caches.has(consent))) await caches.delete(cache);
}

/** Removes the oldest of a cache. */
async function trim(name, most) {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key);
}

/** Deletes what is kept, and ends this worker: a page registers it again if that is wanted. */
async function forget() {
  generation += 1;
  await registration.unregister();
  // Without the consent no page keeps changes.
  await caches.delete(consent);
  for (const name of await caches.keys()) await caches.delete(name);
}

/** Returns a kept page, marked as such. */
async function unconnected(event, url) {
  const isBlock = url.pathname === blocks;
  const found = (await kept(key(url))) ?? (isBlock ? await around(url) : await kept(key(url, false)));
  if (found) return marked(found, 200);
  return isBlock ? Response.error() : unkept();
}

async function marked(response, status) {
  const text = (await response.text()).replace("<html ", "<html data-kept ");
  return new Response(text, { status, headers: response.headers });
}

/** Returns what is kept at an address, if it is not too old. */
async function kept(address) {
  const response = await caches.match(address);
  return response && Date.now() - Number(response.headers.get(date)) < lasting ? response : undefined;
}

/** Returns the kept answer or page that contains a block, which may begin with one before it. */
async function around(url) {
  const from = Number(url.searchParams.get("from"));
  const [state, wanted] = [url.searchParams.get("name"), `data-block="${from}"`];
  const found = [];
  for (const name of await caches.keys()) {
    if (!/^(pages|blocks):/.test(name)) continue;
    for (const { url: address } of await (await caches.open(name)).keys()) {
      const { pathname, searchParams } = new URL(address);
      const first = Number(searchParams.get("from"));
      const isPart = pathname === blocks ? searchParams.get("name") === state : pages.slice(0, 2).includes(pathname);
      if (isPart && first <= from) found.push({ address, first, isPage: pathname !== blocks });
    }
  }
  for (const { address, isPage } of found.sort((one, next) => next.first - one.first).slice(0, 20)) {
    const response = await kept(address);
    const text = (await response?.clone().text()) ?? "";
    if (text.includes(wanted) && (!isPage || text.includes(`data-name="${state}"`))) return response;
  }
  return undefined;
}

/** Returns the page that says that a page was not kept. */
async function unkept() {
  for (const name of await named("pages:")) {
    const cache = await caches.open(name);
    const [newest] = (await cache.keys()).filter(({ url }) => new URL(url).pathname === message).reverse();
    if (newest) return marked(await cache.match(newest), 503);
  }
  return Response.error();
}

/** Returns a thumbnail or a preview: a kept one if it is fresh or if there is no connection. */
async function small(event, url) {
  const before = generation;
  const address = url.origin + url.pathname;
  const found = await kept(address);
  if (found && Date.now() - Number(found.headers.get(date)) < fresh) return found;
  const response = await readable(event.request);
  if (response) {
    const copy = response.clone();
    event.waitUntil(inOrder(() => keepPicture(event.clientId, address, copy, before)));
    return response;
  }
  if (found) return found;
  const other = await fetch(event.request);
  // The store answers, but not to scripts.
  isReadable = false;
  return other;
}

/** Returns an answer of the store whose status can be read, or `undefined`. */
async function readable(request) {
  if (!isReadable) return undefined;
  // The browser's own cache may have an answer from before, without permission to read it.
  for (const cache of ["default", "reload"]) {
    try {
      return await fetch(request.url, { mode: "cors", credentials: "omit", cache });
    } catch {
      // The second attempt follows, or the caller's own.
    }
  }
  return undefined;
}

async function keepPicture(client, address, response, before) {
  if (response.status !== 200 || before !== generation) return;
  const page = await clients.get(client);
  const owner = (await named("pages:"))[0]?.split(":")[1];
  // Without a kept page the owner of the picture is unknown. What is seen in the trash is not kept.
  if (!page || !owner || /\/trash|list=trash/.test(page.url)) return;
  const bytes = await response.blob();
  if (bytes.size > largest || before !== generation) return;
  const cache = `pictures:${owner}`;
  await put(cache, address, bytes, { "content-type": "image/jpeg", "photolala-size": bytes.size });
  stored += 1;
  if (stored < trimmedAfter) return;
  stored = 0;
  await trim(cache, mostPictures);
  await trimBytes(await caches.open(cache));
}

async function trimBytes(cache) {
  let bytes = 0;
  for (const key of (await cache.keys()).reverse()) {
    bytes += Number((await cache.match(key))?.headers.get("photolala-size"));
    if (bytes > mostBytes) await cache.delete(key);
  }
}

/** Returns an original from the store, without a connection the kept picture of it. */
async function original(request, url) {
  try {
    return await fetch(request);
  } catch (error) {
    const id = url.searchParams.get("id");
    for (const name of await named("pictures:")) {
      const cache = await caches.open(name);
      const small = (await cache.keys()).filter(({ url }) => url.endsWith(`/${id}.jpg`));
      const [best] = small.sort((one, other) => other.url.includes("/previews/") - one.url.includes("/previews/"));
      if (best) return cache.match(best);
    }
    throw error;
  }
}
