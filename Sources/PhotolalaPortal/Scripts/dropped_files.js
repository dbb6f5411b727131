// What was dropped on a page: files and folders, with their paths.

/** Gives pairs of a file and its path; `null` in place of a file that cannot be read. Called while the event is. */
export function droppedFiles(transfer) {
  // Entries are only there while the event is.
  const entries = Array.from(transfer.items, item => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length > 0 ? filesIn(entries) : Array.from(transfer.files, file => [file, file.name]);
}

async function filesIn(entries) {
  const files = [];
  const queue = [...entries];
  for (let entry; (entry = queue.shift());) {
    const path = entry.fullPath.slice(1);
    try {
      if (entry.isFile) files.push([await settled(entry, "file"), path]);
      else queue.push(...(await filesOf(entry)));
    } catch {
      files.push([null, path]);
    }
  }
  return files;
}

async function filesOf(folder) {
  const [reader, entries] = [folder.createReader(), []];
  // A reader gives at most a hundred at a time.
  for (;;) {
    const some = await settled(reader, "readEntries");
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}

function settled(object, method) {
  return new Promise((resolve, reject) => object[method](resolve, reject));
}
