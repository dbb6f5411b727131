// Where a photo was in the window when it was opened: the way back from it leads to the same view of the grid.

const key = "place";

/** Remembers the place of a photo's link that is being opened. */
function remember(link) {
  const { top } = link.getBoundingClientRect();
  try {
    sessionStorage.setItem(key, JSON.stringify({ photo: photoOf(link), top }));
  } catch {
    // Without storage the photo is shown in the middle.
  }
}

/**
 * Shows a photo in the view from which one was opened, once. Without that one, or if the photo is not in the view, shows it
 * in the middle of the window.
 */
export function returnTo(item, root) {
  const last = lastPlace();
  const links = last ? Array.from(root.querySelectorAll("li a")) : [];
  const opened = links.find(link => photoOf(link) === last.photo);
  if (opened) scrollBy(0, opened.getBoundingClientRect().top - last.top);
  const { top, bottom } = item.getBoundingClientRect();
  const covered = document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;
  const isSeen = opened && bottom > Math.max(0, covered) && top < innerHeight;
  if (!isSeen) item.scrollIntoView({ block: "center" });
}

document.addEventListener("click", event => {
  const link = event.target.closest?.("#timeline li a");
  if (link && !event.defaultPrevented) remember(link);
});

function photoOf(link) {
  return new URL(link.href).searchParams.get("id");
}

function lastPlace() {
  try {
    const last = JSON.parse(sessionStorage.getItem(key));
    sessionStorage.removeItem(key);
    return last;
  } catch {
    return null;
  }
}
