// Finds the photos to upload among chosen files: opens ZIP archives, and recognizes a Google Takeout.
import { readTakeout } from "./takeout.js";
import { isOfSystem, missingParts, yearOf } from "./takeout_names.js";
import { entriesOf } from "./zip_reader.js";

const lastOf = path => path.slice(path.lastIndexOf("/") + 1);
const parentOf = path => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const isJSON = path => /\.json$/i.test(path);
// Hidden files belong to the operating system.
const isHidden = path => path.split("/").some(part => part.startsWith(".") && part !== "..");

/**
 * Takes pairs of a file and its path, and returns the uploads: each with its file, its path, and the `problem` that
 * prevents it. Those of a Takeout have `facts`, which are what Google Photos says about the photo. Calls `progress`
 * with the percentage of a Takeout's descriptions that was read.
 */
export async function findUploads(chosen, progress) {
  const found = { uploads: [], skipped: 0, trashed: 0, missing: missingParts(chosen.map(([, path]) => lastOf(path))) };
  const [folders, sources] = [new Map(), []];
  for (const [file, path] of chosen) {
    if (file?.size > 0 && /\.zip$/i.test(path)) {
      await open(file, path, sources, found);
    } else if (/\.(tgz|tar\.gz)$/i.test(path)) {
      found.uploads.push({ file, path, problem: "tgz" });
    } else if (file && path.includes("/")) {
      const top = path.slice(0, path.indexOf("/"));
      if (!folders.has(top)) folders.set(top, []);
      folders.get(top).push({ file, path, place: path });
    } else if (!isHidden(path)) {
      found.uploads.push({ file, path });
    }
  }
  for (const files of folders.values()) sources.push({ isArchive: false, files });
  await addTakeout(sources, found, progress);
  for (const source of sources) addPlain(source, found);
  return found;
}

async function open(archive, path, sources, found) {
  let entries;
  try {
    entries = await entriesOf(archive);
  } catch (error) {
    found.uploads.push({ file: null, path, problem: error.kind ?? "unreadable" });
    return;
  }
  if (isOwn(entries)) {
    found.uploads.push({ file: null, path, problem: "own" });
    return;
  }
  const name = path.slice(0, -".zip".length);
  const parent = parentOf(name) && `${parentOf(name)}/`;
  // Programs that unpack an archive add no folder around one of the same name.
  const isAround = entries.every(entry => `${parent}${entry.path}`.startsWith(`${name}/`));
  const prefix = isAround ? parent : `${name}/`;
  const files = [];
  for (const entry of entries) {
    const place = prefix + entry.path.split("/").filter(part => part && part !== ".").join("/");
    if (isOfSystem(lastOf(entry.path), parentOf(entry.path))) continue;
    if (entry.refusal) found.uploads.push({ file: null, path: place, problem: entry.refusal });
    else files.push({ file: entry, path: parent + entry.path, place });
  }
  const isEmpty = files.every(({ place }) => isHidden(place)) && !entries.some(entry => entry.refusal);
  if (isEmpty) found.uploads.push({ file: null, path, problem: "nothing" });
  sources.push({ isArchive: true, files });
}

/** Returns whether files are those of an export of Photolala, whose descriptions have the form of Google's. */
function isOwn(files) {
  const foldersOf = name => files.filter(({ path }) => lastOf(path) === name).map(({ path }) => parentOf(path));
  const folders = foldersOf("export.json");
  return foldersOf("catalog.csv").some(folder => folders.includes(folder));
}

/** Returns whether files may belong to a Takeout. */
function isExport({ files }) {
  const isPart = ({ path }) => isJSON(path) || /(^|\/)takeout\//i.test(path) || yearOf(lastOf(parentOf(path)));
  return !isOwn(files) && files.some(isPart);
}

/** Adds the photos of a Takeout, and removes its files from the sources. */
async function addTakeout(sources, found, progress) {
  const parts = sources.filter(isExport);
  const files = parts.flatMap(({ files: some }) => some);
  if (files.length === 0) return;
  const listed = files.map(({ file, path }) => ({ path, size: file.size, crc32: file.crc32 }));
  const takeout = await readTakeout(listed, index => textOf(files[index].file), progress);
  if (!takeout) return;
  for (const { file, path, alsoAt, taken, location, isFavorite, isHidden } of takeout.items) {
    found.uploads.push({ file: files[file].file, path, facts: { alsoAt, taken, location, isFavorite, isHidden } });
  }
  const known = new Set([...takeout.files].map(index => files[index]));
  let count = 0;
  for (const part of parts.filter(({ files: some }) => some.some(file => known.has(file)))) {
    count += part.files.length;
    part.files = [];
  }
  found.trashed += takeout.trashed;
  found.skipped += count - takeout.items.length - takeout.trashed - takeout.repeated;
}

async function textOf(file) {
  return file instanceof Blob ? file.text() : new TextDecoder().decode(await file.bytes());
}

function addPlain({ isArchive, files }, found) {
  for (const { file, place } of files) {
    if (isHidden(place)) continue;
    if (isArchive && isJSON(place)) found.skipped += 1;
    else found.uploads.push({ file, path: place, problem: place.split("/").includes("..") ? "name" : undefined });
  }
}
