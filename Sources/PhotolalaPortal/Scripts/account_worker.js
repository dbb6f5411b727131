// Says that there is no connection in place of an account page. Keeps nothing, and leaves every other request alone.

const pages = ["/account", "/account/links", "/account/devices", "/account/activity"];
// The worker of the library answers it.
const message = "/library/offline";
// The cache without which no page is kept.
const consent = "reading";

addEventListener("install", () => skipWaiting());

addEventListener("fetch", event => {
  const { method, mode, url } = event.request;
  const { pathname, search } = new URL(url);
  if (method !== "GET" || mode !== "navigate" || !pages.includes(pathname)) return;
  event.respondWith(fetch(event.request).catch(() => Response.redirect(`${message}#${pathname}${search}`)));
  event.waitUntil(endWithReading());
});

/** Ends this worker after what was kept for reading was deleted, which its own worker did. */
async function endWithReading() {
  if (!(await caches.has(consent))) await registration.unregister();
}
