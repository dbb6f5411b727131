// The buttons that copy their value, as of a link, and then say so.

for (const copy of navigator.clipboard ? document.querySelectorAll("[data-copied]") : []) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copy.value);
    const status = copy.closest("li, section, main").querySelector("[role=status]:not(.notice)");
    status.textContent = "";
    setTimeout(() => (status.textContent = copy.dataset.copied), 100);
  });
}
