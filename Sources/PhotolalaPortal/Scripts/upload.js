// Uploads photos from this computer: the server signs a PUT for each, and the bytes go directly to the store.
import { Browsing } from "./browsing.js";
import { announceInterrupted } from "./interrupted_uploads.js";
import { objectName, PartSender } from "./part_sender.js";
import { PhotoReader } from "./photo_reader.js";
import { put } from "./signed_put.js";
import { StorageRefresh } from "./storage_refresh.js";
import { CallError, UploadCalls } from "./upload_calls.js";
import { acceptFiles } from "./upload_inputs.js";
import { Upload } from "./upload_item.js";
import { UploadList } from "./upload_list.js";
import { UploadRate } from "./upload_rate.js";
import { UploadReport } from "./upload_report.js";

const parallelUploads = 3;
// In milliseconds.
const longestWait = 60_000;
// Attempts for one photo before the person is asked.
const attempts = 6;
const longestName = 255;
// Bytes of compressed files in a batch beyond the first: they take memory or disk space until the batch ends.
const mostUnpacked = 64 << 20;
// Milliseconds between two updates of the state of many uploads.
const [refresh, many] = [100, 200];
// Milliseconds between two updates of the page while photos are added.
const showing = 10_000;
// Albums in a call, and photos in one that adds them to an album.
const [mostAlbums, mostMembers] = [24, 500];

export class Uploads {
  #section;
  #texts;
  #calls;
  #parts;
  #list;
  #report;
  /** Finds photos in archives. The page does not wait for it. */
  #sources = import("./upload_sources.js").catch(() => null);
  #reader = new PhotoReader();
  #all = [];
  #isRunning = false;
  /** Whether the session ended or the quota is exceeded. */
  #isStopped = false;
  /** Whether the quota is exceeded. */
  #isFull = false;
  #storage = new StorageRefresh();
  #isPaused = false;
  /** Whether a batch ends because its requests were ended here. */
  #isInterrupted = false;
  #rate = new UploadRate();
  #message;
  /** The next update of the state. */
  #timer;
  /** The number of choices whose archives are being opened. */
  #opening = 0;
  /** The percentage of a Takeout's descriptions that was read. */
  #opened = 0;
  /** What was found besides photos to upload: numbers of files, and names of missing parts. */
  #found = { skipped: 0, trashed: 0, missing: [] };
  /** The folders of albums to fill, and of those that were filled. */
  #albums = new Set();
  #filled = new Set();
  /** The photos to add to albums by their ids. */
  #members = new Map();
  /** Ends the requests that are sending photos. */
  #abortion = new AbortController();
  #showChanges;
  #showAdded;
  /** The number of added photos that the page shows, and when it last showed some. */
  #shown = 0;
  #shownAt = 0;
  #interrupted = document.querySelector("#interrupted");

  /**
   * @param showChanges Shows the current photos on the page.
   * @param showAdded Shows them if that disturbs nothing, and returns whether it did.
   */
  constructor(section, showChanges, showAdded) {
    [this.#section, this.#showChanges, this.#showAdded] = [section, showChanges, showAdded];
    this.#texts = JSON.parse(section.dataset.texts);
    this.#report = new UploadReport(section, this.#texts, () => this.#close());
    this.#calls = new UploadCalls(section.dataset.token, section.dataset.account);
    this.#parts = new PartSender(this.#calls, Number(section.dataset.part), Number(section.dataset.parts));
    this.#list = new UploadList(this.#part("files"));
    acceptFiles(document, chosen => this.take(chosen, section.dataset.album));
    new Browsing(section, this);
    announceInterrupted(this.#interrupted, section.dataset.account);
    this.#part("again").addEventListener("click", () => this.#again());
    this.#part("pause").addEventListener("click", () => this.#pause(!this.#isPaused));
    this.#part("cancel").addEventListener("click", () => this.#cancel());
    for (const [target, name] of [[window, "beforeunload"], [document, "leaving"]]) {
      target.addEventListener(name, event => {
        if (this.isOpen) event.preventDefault();
      });
    }
  }

  /** Whether something is left to upload. */
  get isOpen() {
    return this.#opening > 0 || this.#isToFill || this.#all.some(upload => !upload.state);
  }

  get #isToFill() {
    return this.#albums.size + this.#members.size > 0;
  }

  /** Shows what changed while another page covered this one. */
  uncovered() {
    // Selected photos may be gone.
    document.querySelector("#clear")?.click();
    this.#showChanges().catch(() => {});
  }

  #part(name) {
    return this.#report.part(name);
  }

  /** Removes the results of the previous upload, which have been seen. */
  #forgetResults() {
    const isOpen = upload => !upload.state || upload.state === "failed";
    for (const upload of this.#all) if (!isOpen(upload)) this.#list.remove(upload);
    this.#all = this.#all.filter(isOpen);
    this.#found = { skipped: 0, trashed: 0, missing: [] };
    this.#filled.clear();
    this.#shown = 0;
  }

  /** Removes all results, when the panel is closed. */
  #close() {
    for (const upload of this.#all) this.#list.remove(upload);
    this.#all = [];
    this.#forgetResults();
    [this.#isStopped, this.#isFull, this.#message] = [false, false, undefined];
  }

  /** Uploads pairs of a file and its path, and adds the photos to an album with an id. */
  async take(chosen, album) {
    this.#interrupted.hidden = true;
    if (!this.#isRunning && this.#opening === 0) {
      this.#forgetResults();
    }
    this.#opening += 1;
    this.#section.hidden = false;
    this.#tell();
    const found = await this.#find(chosen);
    this.#opening -= 1;
    this.#opened = 0;
    this.#found.skipped += found.skipped;
    this.#found.trashed += found.trashed;
    this.#found.missing.push(...found.missing);
    for (const each of found.uploads) this.#add(each, album);
    this.#part("files").hidden = this.#all.length === 0;
    this.#section.hidden = this.#all.length === 0 && this.#found.skipped + this.#found.trashed === 0;
    if (this.#isStopped) this.#again();
    else this.#run();
  }

  async #find(chosen) {
    try {
      const sources = (await this.#sources) ?? (await import("./upload_sources.js"));
      return await sources.findUploads(chosen, percent => {
        this.#opened = percent;
        this.#tell();
      });
    } catch {
      return { uploads: chosen.map(([, path]) => ({ file: null, path })), skipped: 0, trashed: 0, missing: [] };
    }
  }

  #add({ file, path, facts, problem }, album) {
    const upload = Object.assign(new Upload(file, path, facts), { album });
    this.#all.push(upload);
    const isTooLong = upload.path.split("/").some(part => new TextEncoder().encode(part).length > longestName);
    if (problem) this.#end(upload, "refused", this.#texts[problem]);
    else if (!file) this.#end(upload, "failed", this.#texts.unreadable);
    else if (file.size === 0) this.#end(upload, "refused", this.#texts.empty);
    else if (isTooLong) this.#end(upload, "refused", this.#texts.name);
    else if (file.size > Number(this.#section.dataset.longest)) this.#end(upload, "refused", this.#texts.large);
    else this.#list.show(upload, this.#texts.waiting);
  }

  /** Pauses the upload, or resumes it: photos that were being sent are sent again, of long ones the last part. */
  #pause(isPaused) {
    this.#isPaused = isPaused;
    if (isPaused) this.#abort();
    else this.#run();
    this.#tell();
  }

  #cancel() {
    const open = this.#all.filter(upload => !upload.state);
    for (const upload of open) this.#end(upload, "refused", this.#texts.cancelled);
    this.#isPaused = false;
    this.#abort();
    for (const { objectName: name } of open) if (name) this.#parts.abandon(name);
    this.#tell();
  }

  #abort() {
    this.#isInterrupted = this.#isRunning;
    this.#abortion.abort();
    this.#abortion = new AbortController();
    this.#rate.reset();
  }

  async #again() {
    for (const upload of this.#all.filter(upload => upload.state === "failed" && upload.file)) {
      // The file may have changed.
      upload.release();
      Object.assign(upload, { state: undefined, failures: 0, sent: 0, isSent: false, isFull: false });
    }
    this.#part("state").focus();
    await this.#calls.renewToken();
    this.#run();
  }

  async #run() {
    if (this.#isRunning) return;
    [this.#isRunning, this.#isStopped, this.#isFull] = [true, false, false];
    this.#part("show").hidden = true;
    let wait = 1000;
    for (;;) {
      const batch = this.#isPaused ? [] : this.#nextBatch();
      if (batch.length === 0 && (this.#isPaused || !this.#isToFill)) break;
      this.#tell();
      try {
        if (batch.length > 0) {
          await this.#bring(batch);
          this.#storage.refreshSometimes();
        } else await this.#fillAlbums();
        wait = 1000;
      } catch (error) {
        if (error.kind !== "passing") {
          // The person is signed out or the quota is exceeded: the other photos would fail too.
          this.#isRunning = false;
          this.#isStopped = true;
          this.#isFull = error.kind === "full";
          return this.#tell(error.kind === "signedOut" ? this.#texts.signed_out : error.message);
        }
        if (this.#isInterrupted) {
          this.#isInterrupted = false;
          continue;
        }
        this.#tell(error.message || this.#texts.offline);
        await pause(Math.max(error.wait ?? 0, wait));
        wait = Math.min(wait * 2, longestWait);
      }
    }
    this.#isRunning = false;
    this.#storage.refresh();
    this.#tell();
    await this.#showNew();
    if (this.#isRunning) return;
    this.#part("show").hidden = this.#added <= this.#shown;
    const nothing = document.querySelector("#nothing");
    if (nothing) nothing.hidden = this.#added > 0;
  }

  /** The number of photos that are new to the library or were chosen in an album. */
  get #added() {
    return this.#all.filter(
      upload => upload.state === "done" && (!upload.isKnown || upload.album)).length;
  }

  /** Shows the first photos of an empty library, and some times a minute those that follow. */
  async #showSome() {
    const added = this.#added;
    if (added === 0) return;
    if (!document.querySelector("#nothing")) {
      if (Date.now() - this.#shownAt > showing) this.#showNew();
      return;
    }
    await this.#showChanges().catch(() => {});
    if (!document.querySelector("#nothing")) [this.#shown, this.#shownAt] = [added, Date.now()];
  }

  /** Shows added photos in their places. The panel offers those for which that would disturb the person. */
  async #showNew() {
    const added = this.#added;
    this.#shownAt = Date.now();
    const isCovered = document.documentElement.classList.contains("covered");
    if (added <= this.#shown || isCovered) return;
    if (await this.#showAdded().catch(() => false)) this.#shown = added;
  }

  #nextBatch() {
    const batch = [];
    let unpacked = 0;
    for (const upload of this.#all) {
      if (upload.state) continue;
      unpacked += upload.file.isCompressed ? upload.size : 0;
      if (batch.length > 0 && unpacked > mostUnpacked) break;
      batch.push(upload);
      if (batch.length >= Number(this.#section.dataset.batch)) break;
    }
    return batch;
  }

  /** Adds photos to the album in which they were chosen, or fills albums from the folders of an export. */
  async #fillAlbums() {
    for (const [album, photos] of this.#members) return this.#addToAlbum(album, photos);
    const folders = [...this.#albums].slice(0, mostAlbums);
    await this.#calls.list("/library/uploads/albums", { albums: folders });
    for (const folder of folders) {
      this.#albums.delete(folder);
      this.#filled.add(folder);
    }
  }

  async #addToAlbum(album, photos) {
    const some = [...photos].slice(0, mostMembers);
    try {
      await this.#calls.addToAlbum(album, some);
    } catch (error) {
      // The album was deleted.
      if (error.kind === "refused") this.#members.delete(album);
      throw error;
    }
    for (const photo of some) photos.delete(photo);
    if (photos.size === 0) this.#members.delete(album);
    this.#filled.add(album);
    await this.#showSome();
  }

  /** Uploads a batch. Each step skips completed work, so that an interrupted batch resumes. */
  async #bring(batch) {
    for (const upload of batch.filter(upload => !upload.read)) await this.#readFile(upload);
    const ready = batch.filter(upload => !upload.state && upload.read);
    // Files with equal bytes wait: then the library has them.
    const isFirst = ({ read }, index) => ready.findIndex(other => other.read.md5 === read.md5) === index;
    const offered = ready.filter(isFirst);
    const offers = offered.map(upload => upload.offer());
    const plans = offers.length === 0 ? [] : await this.#calls.list("/library/uploads", { photos: offers });
    const [queue, known] = [[], []];
    offered.forEach((upload, index) => {
      const plan = plans[index];
      upload.isKnown = plan.state === "there";
      upload.isVideo = plan.isVideo === true;
      if (upload.isKnown && upload.objectName) this.#parts.abandon(upload.objectName);
      if (plan.state === "send") queue.push([upload, plan]);
      // The photo of an export has its own paths and facts.
      else if (upload.isKnown && upload.facts) known.push(upload);
      else {
        // After more storage was bought, or photos were deleted, it can be tried again.
        upload.isFull = plan.state === "full";
        this.#end(upload, upload.isFull ? "failed" : upload.isKnown ? "done" : "refused", this.#texts[plan.state]);
      }
    });
    const sent = queue.map(([upload]) => upload);
    await Promise.all(Array.from({ length: parallelUploads }, async () => {
      for (let next; (next = queue.shift());) await this.#send(...next);
    }));
    await this.#finish([...known, ...sent.filter(upload => upload.isSent)].filter(upload => !upload.state));
    const waiting = batch.filter(upload => !upload.state && (!upload.read || offered.includes(upload)));
    for (const upload of waiting.filter(upload => upload.failures >= attempts)) {
      this.#end(upload, "failed", this.#texts.failed);
    }
    await this.#showSome();
    if (waiting.some(upload => !upload.state)) throw new CallError("passing");
  }

  async #readFile(upload) {
    this.#list.show(upload, this.#texts.reading);
    try {
      const { inParts, part } = this.#section.dataset;
      const partSize = upload.size > Number(inParts) ? Number(part) : 0;
      upload.take(await this.#reader.read(upload.file, partSize, read => {
        const percentage = Math.floor((read / upload.size) * 100);
        if (!upload.state) this.#list.show(upload, `${this.#texts.reading} ${percentage} %`);
      }));
      if (upload.read.thumbnail) this.#list.draw(upload, upload.read.thumbnail.blob);
      if (upload.state) upload.release();
      else this.#list.show(upload, this.#texts.waiting);
    } catch (error) {
      if (upload.state) return;
      if (error.isPassing && upload.failures < attempts) upload.fail();
      else if (error.kind) this.#end(upload, "refused", this.#texts[error.kind]);
      else this.#end(upload, "failed", this.#texts.unreadable);
    }
  }

  async #send(upload, plan) {
    if (this.#isPaused || upload.state) return;
    const { signal } = this.#abortion;
    this.#list.show(upload, this.#texts.sending);
    try {
      for (const kind of ["thumbnail", "preview"]) {
        if (plan[kind]) await put(plan[kind], upload.read[kind].blob, signal);
      }
      if (plan.photo) {
        const progress = (sent, isEarlier = false) => {
          if (!isEarlier) this.#rate.add(sent - upload.sent);
          upload.sent = sent;
          this.#tell();
        };
        if (upload.read.parts) {
          upload.objectName = objectName(plan.photo);
          await this.#parts.send(upload.objectName, upload.offer(), upload.read, signal, progress);
        } else {
          await put(plan.photo, upload.read.file, signal, progress);
        }
      }
      upload.isSent = true;
    } catch (error) {
      if (!upload.state) this.#list.show(upload, this.#texts.waiting);
      if (signal.aborted) {
        upload.sent = 0;
        return;
      }
      upload.fail();
      // The bytes did not match the signature or the URL had expired: read the file again. Of a file in parts, a lost
      // connection is likelier than a changed file.
      const isLostConnection = error.isUnclear && upload.read?.parts && upload.failures < 3;
      if (error.isRefused && !isLostConnection) upload.release();
    }
  }

  async #finish(sent) {
    const entries = sent.flatMap(upload => upload.entries().map(entry => [upload, entry]));
    const outcomes = new Map(sent.map(upload => [upload, []]));
    const most = Number(this.#section.dataset.batch);
    for (let at = 0; at < entries.length; at += most) {
      const some = entries.slice(at, at + most);
      const found = await this.#calls.list("/library/uploads/finish", { photos: some.map(([, entry]) => entry) });
      for (const [index, [upload]] of some.entries()) outcomes.get(upload).push(found[index]);
    }
    for (const [upload, states] of outcomes) {
      if (upload.objectName) this.#parts.forget(upload.objectName);
      const isAdded = states.every(state => state === "added");
      if (isAdded) this.#end(upload, "done", this.#texts[upload.isKnown ? "there" : "added"]);
      else if (states.includes("foreign")) this.#end(upload, "refused", this.#texts.foreign);
      else upload.fail();
    }
  }

  #end(upload, state, word) {
    upload.state = state;
    if (state === "done" && upload.album) {
      if (!this.#members.has(upload.album)) this.#members.set(upload.album, new Set());
      this.#members.get(upload.album).add(upload.read.md5);
    }
    upload.release();
    if (state === "done") for (const folder of upload.albums) this.#albums.add(folder);
    this.#list.show(upload, word, state !== "done" && word !== this.#texts.cancelled);
    this.#tell();
  }

  /** Updates the state, with a message that stays until the next call; of many uploads some times a second. */
  #tell(message) {
    this.#message = message;
    if (this.#all.length < many) return this.#showState();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#showState();
    }, refresh);
  }

  #showState() {
    const counts = { done: 0, refused: 0, failed: 0, open: 0, known: 0, plain: 0, videos: 0 };
    const progress = this.#part("progress");
    let [size, ended, isRepeatable] = [0, 0, false];
    for (const upload of this.#all) {
      counts[upload.state ?? "open"] += 1;
      if (upload.state === "done" && upload.isKnown) counts.known += 1;
      else if (upload.state === "done" && upload.isVideo) counts.videos += 1;
      if (upload.state === "done" && !upload.isKnown && upload.lacksPictures) counts.plain += 1;
      size += upload.size;
      ended += upload.state ? upload.size : upload.sent;
      isRepeatable ||= upload.state === "failed" && Boolean(upload.file);
    }
    progress.hidden = !this.#isRunning;
    progress.max = size || 1;
    progress.value = ended;
    this.#report.show({
      counts, total: this.#all.length, found: this.#found, albums: this.#filled.size, message: this.#message,
      isFull: this.#isFull || this.#all.some(upload => upload.isFull), isOpening: this.#opening > 0, opened: this.#opened, isPaused: this.#isPaused,
      isActive: this.#isRunning || this.#isPaused || this.#opening > 0,
    });
    const isSending = this.#isRunning && !this.#isPaused;
    const rate = isSending ? this.#rate.text(progress.max - progress.value, this.#texts.left) : "";
    if (this.#part("rate").textContent !== rate) this.#part("rate").textContent = rate;
    this.#part("pause").textContent = this.#isPaused ? this.#texts.resume : this.#texts.pause;
    this.#part("pause").hidden = this.#part("cancel").hidden = counts.open === 0 || this.#isStopped;
    this.#part("again").hidden = this.#isRunning || !(isRepeatable || this.#isStopped);
    this.#part("sign-in").hidden = this.#message !== this.#texts.signed_out;
  }
}

/** Waits for a time in milliseconds or until the network is back. */
function pause(milliseconds) {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
  });
}
