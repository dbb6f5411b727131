// Uploads photos from this computer: the server signs a PUT for each, and the bytes go directly to the store.
import { droppedFiles } from "./dropped_files.js";
import { PhotoReader } from "./photo_reader.js";
import { put } from "./signed_put.js";
import { UploadRate } from "./upload_rate.js";

const parallelUploads = 3;
// In milliseconds.
const longestWait = 60_000;
// Attempts for one photo before the person is asked.
const attempts = 6;
const longestName = 255;

/** The upload of one photo. */
class Upload {
  read = null;
  sent = 0;
  failures = 0;
  isSent = false;
  /** `done`, `refused` or `failed` after the end. */
  state = undefined;

  constructor(file, path, list) {
    this.file = file;
    this.path = path;
    this.size = file?.size ?? 0;
    this.line = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = path;
    this.word = document.createElement("small");
    this.picture = document.createElement("canvas");
    this.picture.width = this.picture.height = 80;
    this.line.append(this.picture, name, " ", this.word);
    list.append(this.line);
  }

  /** Draws the middle of a picture. */
  async draw(blob) {
    const image = await createImageBitmap(blob).catch(() => null);
    if (!image) return;
    const side = Math.min(image.width, image.height);
    this.picture.getContext("2d").drawImage(
      image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, 80, 80);
    image.close();
  }

  fail() {
    this.failures += 1;
    this.isSent = false;
    this.sent = 0;
  }
}

/** A failed call, with its kind and the wait in milliseconds before a retry. */
class CallError extends Error {
  constructor(kind, message, wait) {
    super(message ?? "");
    // `passing`, `signedOut`, or `refused`.
    [this.kind, this.wait] = [kind, wait];
  }
}

export class Uploads {
  #section;
  #texts;
  #token;
  #reader = new PhotoReader();
  #all = [];
  #isRunning = false;
  /** Whether the session ended or the quota is exceeded. */
  #isStopped = false;
  #isPaused = false;
  /** Whether a batch ends because its requests were ended here. */
  #isInterrupted = false;
  #rate = new UploadRate();
  /** Ends the requests that are sending photos. */
  #abortion = new AbortController();

  constructor(section) {
    this.#section = section;
    this.#texts = JSON.parse(section.dataset.texts);
    this.#token = section.dataset.token;
    for (const input of document.querySelectorAll("input[type=file]")) {
      for (const part of [input, ...input.labels]) part.hidden = false;
      input.addEventListener("change", () => {
        this.#take(Array.from(input.files, file => [file, file.webkitRelativePath || file.name]));
        input.value = "";
      });
    }
    this.#part("again").addEventListener("click", () => this.#again());
    this.#part("pause").addEventListener("click", () => this.#pause(!this.#isPaused));
    this.#part("cancel").addEventListener("click", () => this.#cancel());
    this.#listenToDrops();
    addEventListener("beforeunload", event => {
      if (this.#all.some(upload => !upload.state)) event.preventDefault();
    });
  }

  #part(name) {
    return this.#section.querySelector(`#upload-${name}`);
  }

  #listenToDrops() {
    const page = document.documentElement;
    document.addEventListener("dragover", event => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      page.classList.add("drop");
    });
    document.addEventListener("dragleave", event => {
      if (!event.relatedTarget) page.classList.remove("drop");
    });
    document.addEventListener("drop", async event => {
      page.classList.remove("drop");
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      this.#take(await droppedFiles(event.dataTransfer));
    });
  }

  #take(files) {
    const list = this.#part("files");
    if (!this.#isRunning) {
      // Results of the previous upload have been seen.
      const isOpen = upload => !upload.state || upload.state === "failed";
      for (const upload of this.#all) if (!isOpen(upload)) upload.line.remove();
      this.#all = this.#all.filter(isOpen);
    }
    for (const [file, name] of files) {
      // Skip hidden files, which belong to the operating system.
      if (name.split("/").some(part => part.startsWith("."))) continue;
      const path = (name.toWellFormed?.() ?? name).normalize("NFC");
      const upload = new Upload(file, path, list);
      this.#all.push(upload);
      const isTooLong = path.split("/").some(part => new TextEncoder().encode(part).length > longestName);
      if (!file) this.#end(upload, "failed", this.#texts.unreadable);
      else if (file.size === 0) this.#end(upload, "refused", this.#texts.empty);
      else if (isTooLong) this.#end(upload, "refused", this.#texts.name);
      else if (file.size > Number(this.#section.dataset.longest)) this.#end(upload, "refused", this.#texts.large);
    }
    this.#section.hidden = list.hidden = this.#all.length === 0;
    if (this.#isStopped) this.#again();
    else this.#run();
  }

  /** Pauses the upload, or resumes it: photos that were being sent are sent again. */
  #pause(isPaused) {
    this.#isPaused = isPaused;
    if (isPaused) this.#abort();
    else this.#run();
    this.#tell();
  }

  #cancel() {
    for (const upload of this.#all.filter(upload => !upload.state)) this.#end(upload, "refused", this.#texts.cancelled);
    this.#isPaused = false;
    this.#abort();
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
      Object.assign(upload, { state: undefined, read: null, failures: 0, sent: 0, isSent: false });
    }
    this.#part("state").focus();
    await this.#renewToken();
    this.#run();
  }

  /** Replaces the form token: after a new sign-in the page's token belongs to the previous session. */
  async #renewToken() {
    const response = await fetch("/library", { redirect: "manual" }).catch(() => null);
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    this.#token = page.querySelector("#upload")?.dataset.token ?? this.#token;
  }

  async #run() {
    if (this.#isRunning) return;
    [this.#isRunning, this.#isStopped] = [true, false];
    this.#part("show").hidden = true;
    let wait = 1000;
    for (;;) {
      const batch = this.#isPaused ? [] : this.#all.filter(upload => !upload.state).slice(0, Number(this.#section.dataset.batch));
      if (batch.length === 0) break;
      this.#tell();
      try {
        await this.#bring(batch);
        wait = 1000;
      } catch (error) {
        if (error.kind !== "passing") {
          // The person is signed out or the quota is exceeded: the other photos would fail too.
          this.#isRunning = false;
          this.#isStopped = true;
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
    const isAdded = this.#all.some(upload => upload.state === "done");
    this.#part("show").hidden = !isAdded;
    // The page was rendered while the library was empty.
    const nothing = document.getElementById("nothing");
    if (nothing) nothing.hidden = isAdded;
    this.#tell();
  }

  /** Uploads a batch. Each step skips completed work, so that an interrupted batch resumes. */
  async #bring(batch) {
    for (const upload of batch.filter(upload => !upload.read)) await this.#readFile(upload);
    const offered = batch.filter(upload => !upload.state && upload.read);
    const plans = offered.length === 0 ? [] : await this.#call("/library/uploads", offered.map(
      ({ path, size, read: { md5, head, thumbnail, preview } }) => ({
        path, md5, size, head, thumbnail: facts(thumbnail), preview: facts(preview),
      })));
    const queue = [];
    offered.forEach((upload, index) => {
      const plan = plans[index];
      if (plan.state === "send") queue.push([upload, plan]);
      else this.#end(upload, plan.state === "there" ? "done" : "refused", this.#texts[plan.state]);
    });
    const sent = queue.map(([upload]) => upload);
    await Promise.all(Array.from({ length: parallelUploads }, async () => {
      for (let next; (next = queue.shift());) await this.#send(...next);
    }));
    await this.#finish(sent.filter(upload => upload.isSent && !upload.state));
    const waiting = batch.filter(upload => !upload.state);
    for (const upload of waiting.filter(upload => upload.failures >= attempts)) {
      this.#end(upload, "failed", this.#texts.failed);
    }
    if (waiting.some(upload => !upload.state)) throw new CallError("passing");
  }

  async #readFile(upload) {
    this.#show(upload, this.#texts.reading);
    try {
      upload.read = await this.#reader.read(upload.file, read => {
        if (!upload.state) this.#show(upload, `${this.#texts.reading} ${Math.floor((read / upload.size) * 100)} %`);
      });
      if (upload.read.thumbnail) upload.draw(upload.read.thumbnail.blob);
    } catch (error) {
      if (upload.state) return;
      if (error.isPassing && upload.failures < attempts) upload.fail();
      else this.#end(upload, "failed", this.#texts.unreadable);
    }
  }

  async #send(upload, plan) {
    if (this.#isPaused || upload.state) return;
    const { signal } = this.#abortion;
    this.#show(upload, this.#texts.sending);
    try {
      for (const kind of ["thumbnail", "preview"]) if (plan[kind]) await put(plan[kind], upload.read[kind].blob, signal);
      if (plan.photo) {
        await put(plan.photo, upload.file, signal, sent => {
          this.#rate.add(sent - upload.sent);
          upload.sent = sent;
          this.#tell();
        });
      }
      upload.isSent = true;
    } catch (error) {
      if (signal.aborted) {
        upload.sent = 0;
        return;
      }
      upload.fail();
      // The bytes did not match the signature or the URL had expired: read the file again.
      if (error.isRefused) upload.read = null;
    }
  }

  async #finish(sent) {
    if (sent.length === 0) return;
    const outcomes = await this.#call("/library/uploads/finish", sent.map(({ path, file, read }) => ({
      path, md5: read.md5, modified: file.lastModified,
    })));
    sent.forEach((upload, index) => {
      if (outcomes[index] === "added") this.#end(upload, "done", this.#texts.added);
      else if (outcomes[index] === "foreign") this.#end(upload, "refused", this.#texts.foreign);
      else upload.fail();
    });
  }

  async #call(path, photos) {
    let response, answer;
    try {
      response = await fetch(path, {
        method: "POST", redirect: "error", headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ formToken: this.#token, photos }),
      });
      answer = await response.json().catch(() => ({}));
    } catch {
      throw new CallError("passing");
    }
    if (response.ok && answer.photos?.length === photos.length) return answer.photos;
    if (response.status === 429 || response.status >= 500 || response.ok) {
      throw new CallError("passing", answer.message, Number(response.headers.get("retry-after")) * 1000 || undefined);
    }
    const isSignedOut = response.status === 401 || answer.code === "not_allowed";
    throw new CallError(isSignedOut ? "signedOut" : "refused", answer.message);
  }

  #end(upload, state, word) {
    upload.state = state;
    upload.read = null;
    this.#show(upload, word);
    // Failures go to the top of the list.
    if (state !== "done") upload.line.parentElement?.prepend(upload.line);
    this.#tell();
  }

  #show(upload, word) {
    upload.word.textContent = word ?? "";
  }

  #tell(message) {
    const [done, total] = [this.#all.filter(upload => upload.state === "done").length, this.#all.length];
    const isOpen = this.#all.some(upload => !upload.state);
    const others = this.#all.filter(upload => upload.state && upload.state !== "done").length;
    const words = [this.#texts.summary.replace("{count}", done).replace("{total}", total)];
    if (others > 0) words.push(this.#texts.others.replace("{count}", others));
    if (this.#isPaused && isOpen) words.push(this.#texts.paused);
    if (message) words.push(message);
    const [progress, state] = [this.#part("progress"), this.#part("state")];
    progress.hidden = !this.#isRunning;
    progress.max = this.#all.reduce((sum, upload) => sum + upload.size, 0) || 1;
    progress.value = this.#all.reduce((sum, upload) => sum + (upload.state ? upload.size : upload.sent), 0);
    const text = total === 0 ? "" : words.join(" ");
    if (state.textContent !== text) state.textContent = text;
    const rate = this.#isRunning && !this.#isPaused ? this.#rate.text(progress.max - progress.value, this.#texts.left) : "";
    if (this.#part("rate").textContent !== rate) this.#part("rate").textContent = rate;
    this.#part("pause").textContent = this.#isPaused ? this.#texts.resume : this.#texts.pause;
    this.#part("pause").hidden = this.#part("cancel").hidden = !isOpen || this.#isStopped;
    const failed = this.#all.some(upload => upload.state === "failed" && upload.file);
    this.#part("again").hidden = this.#isRunning || !(failed || this.#isStopped);
    this.#part("sign-in").hidden = message !== this.#texts.signed_out;
  }
}

/** Waits for a time in milliseconds or until the network is back. */
/** Returns what the server needs to know of a picture. */
function facts(picture) {
  return picture && { md5: picture.md5, size: picture.size };
}

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
