// The files that a person chooses or drops on a page.
import { droppedFiles } from "./dropped_files.js";

/** Calls an act with pairs of a file and its path, for the files of a page: this one, or one in a frame of it. */
export function acceptFiles(page, act) {
  // Files of a frame are copied: they are to outlast its page.
  const own = chosen => (page === document ? chosen
    : chosen.map(([file, path]) => [file && structuredClone(file), path]));
  for (const input of page.querySelectorAll("input[type=file]")) {
    for (const part of [input, ...input.labels]) part.hidden = false;
    // Phones offer their photos only if nothing else is accepted.
    if (input.accept && matchMedia("(any-pointer: fine)").matches) input.accept += ",.zip";
    input.addEventListener("change", () => {
      act(own(Array.from(input.files, file => [file, file.webkitRelativePath || file.name])));
      input.value = "";
    });
  }
  offerFiles(page);
  const root = page.documentElement;
  page.addEventListener("dragover", event => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    root.classList.add("drop");
  });
  page.addEventListener("dragleave", event => {
    if (!event.relatedTarget) root.classList.remove("drop");
  });
  page.addEventListener("drop", async event => {
    root.classList.remove("drop");
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    act(own(await droppedFiles(event.dataTransfer)));
  });
}

/** Shows the button for it that a page without photos has beside its text. */
export function offerFiles(page) {
  const offered = page.querySelector("#nothing [type=button]");
  if (offered) offered.hidden = false;
  offered?.addEventListener("click", () => page.querySelector("#files").click());
}
