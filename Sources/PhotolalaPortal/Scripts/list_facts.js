// The line with the number of photos that a list has, which changes with the list without another page.

const list = document.querySelector("#timeline[data-contents]");
const line = document.querySelector("#contents");

if (list && line) {
  new MutationObserver(() => (line.textContent = list.dataset.contents ?? "")).observe(list, {
    attributeFilter: ["data-contents"],
  });
}
