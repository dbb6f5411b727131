// Reads the files and folders of a drop event, with their paths.

/** Returns pairs of a file and its path, with `null` for a file that cannot be read. Call it during the event. */
export function droppedFiles(transfer) {
  // Entries exist only during the event.
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
  // A directory reader returns at most 100 entries per call.
  for (;;) {
    const some = await settled(reader, "readEntries");
    if (some.length === 0) return entries;
    entries.push(...some);
  }
}

function settled(object, method) {
  return new Promise((resolve, reject) => object[method](resolve, reject));
}
