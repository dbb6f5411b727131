// Brings photos from this computer to the store: the server signs a PUT for each, and the bytes go there directly.
const batchLength = 12;
const parallelUploads = 3;
const longestWait = 60_000;
const attempts = 8;

/** Of one photo on its way. */
class Upload {
  constructor(file, path, list) {
    this.file = file;
    this.path = path;
    this.sent = 0;
    this.failures = 0;
    this.line = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = path;
    this.word = document.createElement("small");
    this.line.append(name, " ", this.word);
    list.append(this.line);
  }
}

/** What can be tried again. */
class Passing extends Error {
  constructor(message, wait) {
    super(message);
    this.wait = wait;
  }
}

export class Uploads {
  #section;
  #texts;
  #token;
  #added;
  #worker;
  #reading = new Map();
  #all = [];
  #isRunning = false;

  /** @param added called when photos have come into the library */
  constructor(section, added) {
    this.#section = section;
    this.#texts = JSON.parse(section.dataset.texts);
    this.#token = section.dataset.token;
    this.#added = added;
    section.hidden = false;
    const input = section.querySelector("#files");
    input.addEventListener("change", () => {
      this.#take(Array.from(input.files, file => [file, file.webkitRelativePath || file.name]));
      input.value = "";
    });
    section.querySelector("#upload-again").addEventListener("click", () => this.#again());
    this.#listenToDrops();
    addEventListener("beforeunload", event => {
      if (this.#isRunning) event.preventDefault();
    });
  }

  #listenToDrops() {
    const body = document.body;
    body.addEventListener("dragover", event => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      body.classList.add("drop");
    });
    body.addEventListener("dragleave", event => {
      if (!event.relatedTarget) body.classList.remove("drop");
    });
    body.addEventListener("drop", async event => {
      event.preventDefault();
      body.classList.remove("drop");
      // Entries are only there while the event is.
      const entries = Array.from(event.dataTransfer.items, item => item.webkitGetAsEntry?.()).filter(Boolean);
      const files = entries.length > 0 ? await filesIn(entries) : Array.from(event.dataTransfer.files, f => [f, f.name]);
      this.#take(files);
    });
  }

  #take(files) {
    const list = this.#section.querySelector("#upload-files");
    for (const [file, path] of files) {
      if (path.split("/").some(name => name.startsWith("."))) continue;
      this.#all.push(new Upload(file, path.normalize("NFC"), list));
    }
    this.#run();
  }

  #again() {
    for (const upload of this.#all.filter(upload => upload.state === "failed")) {
      // The file may be another one by now.
      Object.assign(upload, { state: undefined, read: undefined, failures: 0, sent: 0, isSent: false });
    }
    this.#run();
  }

  async #run() {
    if (this.#isRunning) return;
    this.#isRunning = true;
    let wait = 1000;
    for (;;) {
      const batch = this.#all.filter(upload => !upload.state).slice(0, batchLength);
      if (batch.length === 0) break;
      try {
        await this.#bring(batch);
        wait = 1000;
      } catch (error) {
        if (!(error instanceof Passing)) {
          for (const upload of batch) if (!upload.state) this.#end(upload, "failed", error.message);
          continue;
        }
        for (const upload of batch.filter(upload => !upload.state)) {
          upload.failures += 1;
          if (upload.failures >= attempts) this.#end(upload, "failed", error.message || this.#texts.offline);
        }
        this.#tell(error.message || this.#texts.offline);
        await pause(error.wait ?? wait);
        wait = Math.min(wait * 2, longestWait);
      }
    }
    this.#isRunning = false;
    this.#tell();
  }

  /** Each step leaves out what is done, so that a batch that broke off goes on where it was. */
  async #bring(batch) {
    for (const upload of batch) {
      if (upload.read) continue;
      this.#show(upload, this.#texts.reading);
      try {
        upload.read = await this.#readFile(upload);
      } catch {
        this.#end(upload, "failed", this.#texts.unreadable);
      }
    }
    const offered = batch.filter(upload => !upload.state);
    if (offered.length === 0) return;
    const plans = await this.#call("/library/uploads", offered.map(({ path, file, read }) => ({
      path, md5: read.md5, size: file.size, head: read.head,
      thumbnail: read.thumbnail && { md5: read.thumbnail.md5, size: read.thumbnail.size },
    })));
    const toSend = [];
    offered.forEach((upload, index) => {
      upload.plan = plans[index];
      if (upload.plan.state === "send") toSend.push(upload);
      else this.#end(upload, upload.plan.state === "there" ? "done" : "refused", this.#texts[upload.plan.state]);
    });
    let failure;
    const queue = [...toSend];
    await Promise.all(Array.from({ length: parallelUploads }, async () => {
      for (let upload; (upload = queue.shift());) {
        try {
          await this.#send(upload);
        } catch (error) {
          failure ??= error;
          queue.length = 0;
        }
      }
    }));
    const sent = toSend.filter(upload => upload.isSent);
    if (sent.length > 0) await this.#finish(sent);
    if (failure) throw failure;
  }

  #readFile(upload) {
    this.#worker ??= this.#makeWorker();
    return new Promise((resolve, reject) => {
      this.#reading.set(upload.path + "\n" + upload.file.size, { resolve, reject });
      this.#worker.postMessage({ id: upload.path + "\n" + upload.file.size, file: upload.file });
    });
  }

  #makeWorker() {
    const worker = new Worker(new URL("./upload_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, done, error } }) => {
      if (done) this.#reading.get(id)?.resolve(done);
      if (error) this.#reading.get(id)?.reject(new Error(error));
    };
    worker.onerror = () => {
      for (const { reject } of this.#reading.values()) reject(new Error());
    };
    return worker;
  }

  async #send(upload) {
    this.#show(upload, this.#texts.sending);
    const { thumbnail } = upload.read;
    if (upload.plan.thumbnail) await put(upload.plan.thumbnail, thumbnail.blob);
    if (upload.plan.photo) {
      await put(upload.plan.photo, upload.file, sent => {
        upload.sent = sent;
        this.#tell();
      });
    }
    upload.sent = upload.file.size;
    upload.isSent = true;
  }

  async #finish(sent) {
    const outcomes = await this.#call("/library/uploads/finish", sent.map(({ path, file, read }) => ({
      path, md5: read.md5, modified: file.lastModified,
    })));
    sent.forEach((upload, index) => {
      if (outcomes[index] === "added") this.#end(upload, "done", this.#texts.added);
      else if (outcomes[index] === "foreign") this.#end(upload, "refused", this.#texts.foreign);
      else upload.isSent = false;
    });
    this.#added();
  }

  async #call(path, photos) {
    let response;
    try {
      response = await fetch(path, {
        method: "POST", redirect: "error", headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ formToken: this.#token, photos }),
      });
    } catch {
      throw new Passing();
    }
    if (response.ok) return (await response.json()).photos;
    const { message } = await response.json().catch(() => ({}));
    if (response.status === 429 || response.status >= 500) {
      throw new Passing(message, Number(response.headers.get("retry-after")) * 1000 || undefined);
    }
    throw new Error(message);
  }

  #end(upload, state, word) {
    upload.state = state;
    this.#show(upload, word);
    this.#tell();
  }

  #show(upload, word) {
    upload.word.textContent = word ?? "";
  }

  #tell(message) {
    const ended = this.#all.filter(upload => upload.state);
    const failed = ended.some(upload => upload.state === "failed");
    const [progress, state] = ["#upload-progress", "#upload-state"].map(id => this.#section.querySelector(id));
    progress.hidden = !this.#isRunning;
    progress.max = this.#all.reduce((sum, upload) => sum + upload.file.size, 0);
    progress.value = this.#all.reduce((sum, upload) => sum + (upload.state ? upload.file.size : upload.sent), 0);
    const words = this.#texts.summary.replace("{count}", ended.length).replace("{total}", this.#all.length);
    const text = message ? `${words} ${message}` : words;
    if (state.textContent !== text) state.textContent = text;
    this.#section.querySelector("#upload-again").hidden = this.#isRunning || !failed;
  }
}

/** Sends bytes by an address that was signed for them; XMLHttpRequest tells how many have gone. */
function put({ url, headers }, body, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = event => progress?.(event.loaded);
    // Whatever the store says, a new address is asked for and it is tried again: bytes that changed are read anew.
    request.onload = () => (request.status < 300 ? resolve() : reject(new Passing()));
    request.onerror = () => reject(new Passing());
    request.send(body);
  });
}

/** All files below what was dropped, with their paths. */
async function filesIn(entries) {
  const files = [];
  const queue = [...entries];
  for (let entry; (entry = queue.shift());) {
    if (entry.isFile) {
      files.push([await new Promise((resolve, reject) => entry.file(resolve, reject)), entry.fullPath.slice(1)]);
    } else {
      const reader = entry.createReader();
      // A reader gives at most a hundred at a time.
      for (;;) {
        const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (some.length === 0) break;
        queue.push(...some);
      }
    }
  }
  return files;
}

/** Waits so long, or until the network is back. */
function pause(milliseconds) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, milliseconds);
    addEventListener("online", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
