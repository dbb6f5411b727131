// Which forms can be sent later, and what a page shows of changes that are not sent yet.

const md5 = /^[0-9a-f]{32}$/;
const albums = "/library/albums";

/**
 * Returns the change that a submitted form makes, or `undefined` if it needs a connection. `album` is empty for the
 * favorites, and `null` if the person is to choose one.
 */
export function changeOf({ target: form, submitter }) {
  const { origin, pathname } = new URL(submitter?.getAttribute("formaction") ?? form.getAttribute("action"), location);
  if (origin !== location.origin || form.method !== "post") return undefined;
  const fields = new FormData(form);
  if (submitter?.name) fields.set(submitter.name, submitter.value);
  const photos = [...fields.keys()].filter(name => md5.test(name));
  const change = (album, isOn) => ({ album, name: titleOf(album, submitter), photos, isOn });
  switch (pathname) {
    case "/library/favorites": return change("", fields.get("favorite") === "1");
    // A new album needs a connection.
    case `${albums}/add`: return fields.has("name") ? undefined : change(fields.get("target"), true);
    case `${albums}/remove`: return change(fields.get("target") ?? fields.get("album"), false);
    default: return undefined;
  }
}

/** Returns the name of the album that the page shows, or of the button that names it. */
function titleOf(album, button) {
  const isShown = album && new URLSearchParams(location.search).get("album") === album;
  return (isShown ? document.querySelector("h1") : button?.querySelector("bdi"))?.textContent ?? "";
}

/** Returns the ids and names of an account's albums, if the page with them is kept. */
export async function keptAlbums(owner) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(`pages:${owner}:`)) continue;
    const kept = await (await caches.open(name)).match(`${location.origin}${albums}?`);
    if (!kept) continue;
    const page = new DOMParser().parseFromString(await kept.text(), "text/html");
    return Array.from(page.querySelectorAll(".albums li:not(.new) a"), link => ({
      id: new URL(link.getAttribute("href"), location).searchParams.get("album"),
      name: link.querySelector("bdi").textContent,
    }));
  }
  return [];
}

/** Asks which of the albums photos are added to. Returns it, or `undefined` if none is chosen. */
export function chooseAlbum(dialog, known) {
  return new Promise(resolve => {
    dialog.querySelector("ul").replaceChildren(...known.map(album => {
      const [item, button, name] = ["li", "button", "bdi"].map(each => document.createElement(each));
      name.textContent = album.name;
      Object.assign(button, { type: "button", className: "quiet" }).append(name);
      button.addEventListener("click", () => {
        resolve(album);
        dialog.close();
      });
      item.append(button);
      return item;
    }));
    dialog.querySelector("#offline-cancel").onclick = () => dialog.close();
    // The keys of the page are not for the dialog.
    dialog.onkeydown = event => event.stopPropagation();
    dialog.addEventListener("close", () => resolve(undefined), { once: true });
    dialog.showModal();
  });
}

/**
 * Shows changes on the page: the favorites of photos, and photos that leave the list which the page shows. The label is
 * that of a favorite.
 */
export function mark(changes, label) {
  const own = new URLSearchParams(location.search).get("album");
  const isFavorites = location.pathname === "/library/favorites";
  const button = document.querySelector("#favorite");
  const icon = document.querySelector("[name=favorite] .icon");
  const items = new Map(Array.from(document.querySelectorAll(".grid input"), box => [box.name, box.closest("li")]));
  for (const { album, photo, isOn } of changes) {
    if (!album && button?.form.elements[photo]) {
      button.value = isOn ? "0" : "1";
      button.setAttribute("aria-pressed", isOn);
    }
    const item = items.get(photo);
    if (!item) continue;
    if (album ? album === own : isFavorites) item.classList.toggle("leaving", !isOn);
    else if (!album) markFavorite(item, isOn, icon, label);
  }
}

function markFavorite(item, isOn, icon, label) {
  const shown = item.querySelector(".favorite");
  if (!isOn) return shown?.remove();
  if (shown || !icon) return;
  const badge = Object.assign(document.createElement("span"), { className: "favorite" });
  badge.append(Object.assign(document.createElement("span"), { className: "unseen", textContent: label }));
  badge.append(icon.cloneNode(true));
  item.querySelector("img").after(badge);
}
