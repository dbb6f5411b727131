// The buttons that copy their value, as of a link, and then say so.

/** Shows the buttons of a part of the page. */
export function offerCopies(root) {
  for (const copy of navigator.clipboard ? root.querySelectorAll("[data-copied]") : []) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copy.value);
      const status = copy.closest("li, section, main, dialog").querySelector("[role=status]:not(.notice)");
      status.textContent = "";
      setTimeout(() => (status.textContent = copy.dataset.copied), 100);
    });
  }
}

offerCopies(document);
