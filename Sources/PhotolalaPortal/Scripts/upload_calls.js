// The calls of the server for uploads.

/** A failed call, with its kind and the wait in milliseconds before a retry. */
export class CallError extends Error {
  constructor(kind, message, wait) {
    super(message ?? "");
    // `passing`, `signedOut`, `full`, or `refused`.
    [this.kind, this.wait] = [kind, wait];
  }
}

export class UploadCalls {
  #token;
  #account;

  constructor(token, account) {
    [this.#token, this.#account] = [token, account];
  }

  /** Replaces the form token after a new sign-in to the same account: the page's belongs to the previous session. */
  async renewToken() {
    const response = await fetch("/library", { redirect: "manual" }).catch(() => null);
    if (!response?.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const { token, account } = page.querySelector("#upload")?.dataset ?? {};
    if (account === this.#account) this.#token = token || this.#token;
  }

  /** Sends the only list of a body, and returns the answer's list of that name. */
  async list(path, body) {
    const [[name, list]] = Object.entries(body);
    const answer = await this.post(path, body);
    if (answer[name]?.length !== list.length) throw new CallError("passing");
    return answer[name];
  }

  /** Adds photos of the library to an album. */
  async addToAlbum(album, photos) {
    await this.#send("/library/albums/add", "application/x-www-form-urlencoded", `${new URLSearchParams(
      [["form_token", this.#token], ["target", album], ...photos.map(photo => [photo, "1"])])}`);
  }

  /** Sends a body and returns the answer. */
  async post(path, body) {
    return this.#send(path, "application/json", JSON.stringify({ formToken: this.#token, ...body }));
  }

  async #send(path, type, body) {
    let response, answer;
    try {
      response = await fetch(path, {
        method: "POST", redirect: "error", headers: { "content-type": type, accept: "application/json" }, body,
      });
      answer = await response.json().catch(() => ({}));
    } catch {
      throw new CallError("passing");
    }
    if (response.ok) return answer;
    if (response.status === 429 || response.status >= 500) {
      throw new CallError("passing", answer.message, Number(response.headers.get("retry-after")) * 1000 || undefined);
    }
    const isSignedOut = response.status === 401 || answer.code === "not_allowed";
    const isFull = answer.code === "quota_exceeded";
    throw new CallError(isSignedOut ? "signedOut" : isFull ? "full" : "refused", answer.message);
  }
}
