// The names of files and folders in a Google Takeout. The rules are those of `photolala import takeout`.

// The longest name of a description and of a photo, without `(1)` and `.json`, in UTF-16 code units.
export const [descriptionLimit, mediaLimit] = [46, 51];
// Longer names have a `(1)` that was added after the truncation.
const longestUnnumbered = 52;
/** Appended to the photo's name since 2024, before the truncation. */
export const supplement = ".supplemental-metadata";
/** What Google Photos appends to the name of an edited version, by the account's language. */
export const edited = [
  "-edited", "-bearbeitet", "-modifié", "-modificato", "-editat", "-ha editado", "-edytowane", "-bewerkt", "-編集済み",
  "-düzenlendi", "-editado", "-editada", "-отредактировано", "-编辑", "-已编辑", "-편집됨", "-muokattu", "-відредаговано",
  "-redigeret", "-upravené", "-đã chỉnh sửa", "-redigerad", "-redigert", "-upraveno", "-수정됨", "-已編輯",
  "-effects", "-smile", "-mix",
].map(mark => mark.normalize("NFC"));
export const photoEndings = [
  "jpg", "jpeg", "heic", "heif", "png", "gif", "webp", "dng", "avif", "jxl", "tif", "tiff", "bmp", "raf", "arw", "cr2",
  "cr3", "nef", "orf", "rw2",
];
export const videoEndings = [
  "mp4", "mov", "m4v", "mp", "mv", "cover", "avi", "3gp", "mkv", "mts", "m2ts", "mpg", "webm", "wmv",
];
// The moving pictures of a still photo, MP4 files.
const motions = ["mp", "mv", "cover"];
// Formats between which Google Photos converts.
const stills = ["jpg", "jpeg", "heic", "heif", "png", "webp", "dng"];
// Folders that are no albums: the trash, and those of videos that were not processed.
const trash = new Set([
  "trash", "bin", "papierkorb", "corbeille", "papelera", "lixeira", "cestino", "prullenbak", "корзина", "kosz", "回收站",
  "ゴミ箱", "paperera", "휴지통", "垃圾桶", "回收桶", "papperskorgen", "papirkurv", "roskakori", "koš", "kôš", "çöp kutusu",
  "кошик", "thùng rác",
]);
const failedVideos = "failed videos";
// The archive and the locked folder, which are none either.
const hidden = new Set([
  "archive", "archiv", "archivo", "arquivo", "archivio", "archief", "архив", "archiwum", "档案", "アーカイブ", "arxiu",
  "locked folder", "carpeta privada",
]);
// What follows the year where it comes first.
const afterYear = new Set(["년의 사진", "年の写真", "年的照片", "年的相片"]);
const year = "(?:1[89]|2[01])\\d\\d";

/** Splits the extension, with its dot, from a name. `.MP~2` counts as one. */
export function split(name) {
  const found = name.match(/^(.+)(\.[0-9a-z]{1,5}(?:~\d+)?)$/is);
  return found ? [found[1], found[2]] : [name, ""];
}

/** Returns the beginning of a text, without half a character. */
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? limit - 1 : limit);
}

/** Returns how a stem can be read: with the number at its end, if it has one, and as a whole. */
export function readings(stem) {
  const found = stem.match(/^(.*)\((\d+)\)$/s);
  const whole = { base: stem, number: null };
  return found ? [{ base: found[1], number: found[2] }, whole] : [whole];
}

/** Returns a title with the characters replaced that Google replaces in file names. */
export function sanitized(title) {
  return title.replace(/[\0-\x1f/\\:*?"<>|%&#']/g, "_");
}

/** Returns whether a name can be truncated: Google makes longer ones only by adding a number. */
export function isCut(name) {
  return name.length <= longestUnnumbered;
}

/** Returns an extension in lower case, without its dot and number. */
export function plain(ending) {
  return ending.slice(1).split("~")[0].toLowerCase();
}

export function isVideo(ending) {
  return videoEndings.includes(plain(ending));
}

export function isMotion(ending) {
  return motions.includes(plain(ending));
}

/** Returns whether a file with one extension can be that of a title with another one. */
export function areConvertible(one, other) {
  const [first, second] = [plain(one), plain(other)];
  if (first === second || !first || !second) return true;
  return [stills, videoEndings].some(formats => formats.includes(first) && formats.includes(second));
}

/** Returns the year of a folder such as `Photos from 2023` or, in exports until 2020, `2023-07-01`. */
export function yearOf(name) {
  const words = name.split(" ").filter(Boolean);
  if (words.length > 1 && new RegExp(`^${year}$`).test(words.at(-1)) && !/^\p{N}/u.test(name)) return words.at(-1);
  const first = name.match(new RegExp(`^${year}`))?.[0];
  if (first && afterYear.has(name.slice(4).trimStart())) return first;
  return isDate(name) ? name.slice(0, 4) : undefined;
}

/** Returns whether a name is that of a day. */
export function isDate(name) {
  return new RegExp(`^${year}-\\d\\d-\\d\\d$`).test(name.split(" ")[0]);
}

export function isSpecial(name) {
  return isTrash(name) || isHidden(name) || name.toLowerCase() === failedVideos;
}

/** Returns whether a folder has the photos that the person deleted. */
export function isTrash(name) {
  return trash.has(name.toLowerCase());
}

/** Returns whether a folder has photos that the person keeps out of the others. */
export function isHidden(name) {
  return hidden.has(name.toLowerCase());
}

/** Returns whether systems add files with this name beside photos. */
export function isOfSystem(name, folder) {
  // A photo's name can begin with a dot too.
  return name.startsWith("._") || (name.startsWith(".") && !split(name)[1])
    || ["thumbs.db", "desktop.ini"].includes(name.toLowerCase()) || folder.startsWith("__MACOSX")
    || folder.endsWith("@eaDir") || folder.includes("@eaDir/");
}

/**
 * Returns the names of the parts before the last given one that were not given, such as
 * `takeout-20230720T065335Z-002.zip`. Nothing says how many there are.
 */
export function missingParts(names) {
  const given = new Map();
  for (const name of names) {
    const found = name.match(/^(takeout-(?:.*-)?)(\d{1,4})(\.[0-9a-z]{1,5})$/i);
    if (!found || Number(found[2]) < 1 || Number(found[2]) > 2000) continue;
    const [, prefix, digits, ending] = found;
    if (!given.has(prefix)) given.set(prefix, { digits: digits.length, ending, numbers: new Set() });
    given.get(prefix).numbers.add(Number(digits));
  }
  return [...given].sort().flatMap(([prefix, { digits, ending, numbers }]) =>
    Array.from({ length: Math.max(...numbers) - 1 }, (_, index) => index + 1).filter(number => !numbers.has(number))
      .map(number => prefix + String(number).padStart(digits, "0") + ending));
}
