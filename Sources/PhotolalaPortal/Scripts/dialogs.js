// Shows pages that ask something in a dialog over the page. Forms and links with `data-dialog` are requested here, and
// so are the forms within the dialog; the answer decides what follows. Only a click opens a dialog: no address does.
// If an answer is not as expected, the browser opens the page itself.
import { arrangeAlbums } from "./album_choice.js";
import { offerCopies } from "./copying.js";
import { ask, questionOf } from "./dialog_answer.js";
import { follow } from "./framed_page.js";
import { showWaiting } from "./notice.js";
import { currentPage } from "./offline_refresh.js";
import { attempts, waitOf, withDuration } from "./patient_request.js";
import { keepDialog, keptDialog } from "./typed_texts.js";

// Milliseconds after which the page says that it waits.
const soon = 500;
const signInPath = "/sign-in";

class Dialogs {
  #dialog = document.querySelector("#question");
  /** Ends the request whose answer is awaited; `null` without one. */
  #waiting = null;
  /** The forms of acts that are being sent and stay in view. */
  #sending = new WeakSet();
  /** Ends with the acts that are being sent: one follows the other. */
  #acts = Promise.resolve();
  /** The number of acts that the page shows, and that wait for the one before them to be sent. */
  #unsent = 0;
  /** What opened the dialog: the path of a form or a link. */
  #opener;
  /** Fills the next question with what was typed before the person signed in. */
  #fill;
  /** The next attempt of a form of the dialog that was refused because of too many requests, and how often it was. */
  #again;
  #refusals = 0;
  /**
   * Shows the page at an address in place of this one, after an `act`, a `dialog`, or neither. Returns whether it did:
   * another list needs another page.
   */
  show = async () => false;
  /** Shows at once what a form does. Returns the act, or `undefined` for a form that may ask something. */
  begin = () => undefined;
  /** Shows the current state of the page, after a request whose answer is not awaited any more. */
  refresh = async () => {};

  constructor() {
    if (!this.#dialog) return;
    document.addEventListener("submit", event => this.#submit(event));
    document.addEventListener("click", event => this.#click(event));
    for (const name of ["click", "keydown", "pointerdown"]) addEventListener(name, event => this.#hold(event), true);
    addEventListener("beforeunload", event => this.#unsent > 0 && event.preventDefault());
    // The keys of the page are not for the dialog.
    this.#dialog.addEventListener("keydown", event => event.stopPropagation());
    // What is being changed is not sent.
    this.#dialog.addEventListener("input", () => this.#again && this.#endAttempts(this.#texts.later));
    document.addEventListener("ending", ({ detail }) => this.#keep(detail.isLeaving));
    document.addEventListener("returned", () => this.resume());
    this.#dialog.addEventListener("close", () => {
      if (this.#dialog.open) return;
      this.#endAttempts("");
      this.#refusals = 0;
      this.#giveUp();
      // The selection was shared.
      if (this.#body.querySelector("#address")) this.#endSelection();
      this.#body.replaceChildren();
    });
    for (const button of this.#dialog.querySelectorAll(":scope > .tool, #question-waiting button")) {
      button.addEventListener("click", () => this.#dialog.close());
    }
  }

  get #texts() {
    return this.#dialog.querySelector("#question-waiting").dataset;
  }

  get #body() {
    return this.#dialog.querySelector("#question-body");
  }

  /** Opens the page that follows a form, if possible in place of this one. */
  async follow(href) {
    const wasOpen = this.#dialog?.open;
    const answer = this.#dialog ? await ask(href, {}) : {};
    if (answer.response?.ok) return this.#finish(answer, wasOpen);
    this.#dialog?.close();
    follow(href);
  }

  #submit(event) {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !(form.hasAttribute("data-dialog") || this.#dialog.contains(form))) return;
    event.preventDefault();
    if (this.#waiting || this.#sending.has(form)) return;
    const path = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    const body = new URLSearchParams(new FormData(form, submitter));
    const act = this.begin(form, path, body);
    if (!act) return this.#request(form, submitter, path, { method: "POST", body });
    // An undo stays in view until it is answered.
    if (form.id === "undo") this.#sending.add(form);
    this.#unsent += 1;
    this.#acts = this.#acts.then(() => this.#send(act, form, submitter, path, body)).catch(() => act.takeBack())
      .finally(() => this.#sending.delete(form));
  }

  /** Sends an act that the page shows already. Unless the server accepts it, it is taken back. */
  async #send(act, form, button, path, body) {
    const { text } = this.#texts;
    let endWaiting = () => {};
    const timer = setTimeout(() => (endWaiting = showWaiting(text)), soon);
    // Leaving the page does not end it.
    const options = { method: "POST", body, keepalive: true };
    this.#unsent -= 1;
    const { response, page, isLate, next } = await this.#askPatiently(path, options);
    clearTimeout(timer);
    if (isMissing(next, response)) {
      act.remember();
      endWaiting();
      // The page after the next act shows what both did.
      return this.#unsent > 0 ? undefined : follow(next);
    }
    const isSignIn = response && new URL(response.url).pathname === signInPath;
    const question = response && !isSignIn && questionOf(response, page);
    if (response?.ok && next && !isSignIn && !question) {
      act.remember();
      const isShown = await this.show(page, new URL(response.url), "act").catch(() => false);
      // Until the page shows what the act did, it says that it waits.
      endWaiting();
      return isShown ? undefined : follow(response.url);
    }
    endWaiting();
    act.takeBack();
    if (isSignIn) return this.#signIn();
    if (question) {
      // What the notice offers to undo is gone.
      if (form.id === "undo" && response.status === 404) form.closest(".toast")?.remove();
      return this.#open(question);
    }
    // An answer of another server, such as a proxy, says as little as none.
    this.#retry(form, button, { isLate: isLate || response !== undefined, isChange: true });
  }

  #click(event) {
    const link = event.target.closest?.("a[data-dialog]");
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    this.#request(link, link, link.href, {});
  }

  async #request(source, button, path, options) {
    if (this.#waiting) return;
    const wasOpen = this.#dialog.open;
    if (!wasOpen) this.#opener = openerOf(source, button);
    const isChange = options.method !== undefined;
    const isTyped = isChange && this.#dialog.contains(source);
    if (this.#refusals > 0) this.#endAttempts("");
    const { signal } = this.#wait(isChange);
    button?.setAttribute("aria-busy", "true");
    await this.#acts;
    const answer = await this.#askPatiently(path, options, signal, !isTyped);
    button?.removeAttribute("aria-busy");
    if (signal.aborted) return;
    this.#endWait();
    const { response, page, isLate, next } = answer;
    if (isMissing(next, response)) {
      this.#dialog.close();
      return follow(next);
    }
    if (!response) {
      if (!wasOpen) this.#dialog.close();
      return this.#retry(source, button, { isLate: isLate && isChange, isChange });
    }
    if (new URL(response.url).pathname === signInPath) return this.#signIn();
    if (response.status === 429 && isTyped && this.#dialog.open) return this.#postpone(source, button, answer);
    const question = questionOf(response, page);
    if (question) this.#open(question);
    // No address shows the answer to a form that does not redirect.
    else if (response.ok && (next || !isChange)) await this.#finish(answer, wasOpen);
    // An answer of another server, such as a proxy, says as little as none: the form is not sent twice.
    else if (isChange && response.status >= 500) this.#retry(source, button, { isLate: true, isChange });
    else this.#leave(source, button);
  }

  /**
   * Sends a request. After a refusal because of too many requests, the page after a form, which the server has processed, is
   * requested again, and with `isOpening` also what opens a dialog. Returns the answer, and as `next` the address of the page
   * after a form.
   */
  async #askPatiently(path, options, signal, isOpening = false) {
    let next;
    for (let left = attempts; ; left -= 1) {
      const answer = await this.#ask(path, options, signal);
      const { response } = answer;
      if (response?.redirected && options.method) [path, next, options] = [response.url, response.url, {}];
      const wait = response && waitOf(response);
      if (!wait || left <= 1 || !(next || isOpening)) return { ...answer, next };
      if (signal && this.#waiting?.signal === signal) this.#say(withDuration(next ? this.#texts.done : this.#texts.busy, wait));
      await pause(wait, signal);
      if (signal?.aborted) return { next };
    }
  }

  /** Keeps a dialog whose form was refused because of too many requests, and sends it after the time that this names. */
  #postpone(form, button, { response, page }) {
    const wait = this.#refusals < attempts ? waitOf(response) : undefined;
    this.#refusals += 1;
    const { again, later } = this.#texts;
    this.#endAttempts(wait ? withDuration(again, wait) : (page.querySelector("main h1 + p")?.textContent ?? later));
    if (wait) this.#again = setTimeout(() => form.isConnected && form.requestSubmit(button), wait);
  }

  /** Sends a refused form no more by itself, and shows a text in place of when it would have been. */
  #endAttempts(text) {
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#dialog.querySelector("#question-offline").textContent = text;
  }

  /** Sends a request, and once more with the token of a session of the same account that has replaced that of the page. */
  async #ask(path, options, signal) {
    const answer = await ask(path, options, signal);
    const isRefused = answer.response?.status === 403 && !signal?.aborted;
    const body = isRefused && (await this.#renewed(options.body));
    return body ? ask(path, { ...options, body }, signal) : answer;
  }

  /** Waits for an answer; after a moment in the dialog, which ends the wait when it closes. Returns what aborts. */
  #wait(isChange) {
    this.#waiting = Object.assign(new AbortController(), { isChange });
    this.#waiting.timer = setTimeout(() => {
      this.#dialog.classList.add("waiting");
      if (!this.#dialog.open) this.#dialog.showModal();
      this.#say(this.#waiting.text ?? this.#texts.text);
    }, soon);
    return this.#waiting;
  }

  /** Says for what the dialog waits, as soon as it says that it does. */
  #say(text) {
    this.#waiting.text = text;
    if (this.#dialog.matches(".waiting")) this.#dialog.querySelector("#question-waiting p").textContent = text;
  }

  /** Until the dialog says that the page waits, no photo is selected and nothing else is sent. */
  #hold(event) {
    if (!this.#waiting || this.#dialog.open) return;
    if (event.key === "Escape") return this.#giveUp();
    const isKey = event.type === "keydown";
    if ((isKey && ![" ", "Enter"].includes(event.key)) || !event.target.closest?.("main")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #endWait() {
    clearTimeout(this.#waiting.timer);
    this.#waiting = null;
    this.#dialog.classList.remove("waiting");
    this.#dialog.querySelector("#question-waiting p").textContent = "";
  }

  /** Ends the wait for an answer. The server may have made the change: the page shows its current state. */
  #giveUp() {
    const waiting = this.#waiting;
    if (!waiting) return;
    waiting.abort();
    this.#endWait();
    if (waiting.isChange) this.#refresh();
  }

  /** Shows the current state of the page, as soon as the server answers. */
  async #refresh() {
    if ((await this.refresh().catch(() => false)) === false) this.#report({ isLate: true, isChange: true });
  }

  /**
   * Gives all forms of the page the token of a session of the same account that has replaced the page's one. Returns the
   * fields of a form with it, or `undefined` if that is not why they were refused.
   */
  async #renewed(fields) {
    const token = fields?.get("form_token");
    const page = token && (await currentPage(location.href).catch(() => undefined));
    const current = page?.querySelector("[name=form_token]")?.value;
    if (!current || current === token) return undefined;
    for (const field of document.querySelectorAll("[name=form_token]")) field.value = current;
    const renewed = new URLSearchParams(fields);
    renewed.set("form_token", current);
    return renewed;
  }

  /** Leaves for the sign-in, which leads back to this page and its selection. */
  #signIn() {
    this.#keep(false);
    document.dispatchEvent(new Event("reloading"));
    this.#dialog.close();
    follow(`${signInPath}?to=${encodeURIComponent(location.pathname + location.search)}`);
  }

  /** Keeps what was typed until the same account has signed in and, if the page is left for that, the selection. */
  #keep(isLeaving) {
    const isKept = this.#dialog.open && keepDialog(this.#body, this.#opener);
    if (isKept && isLeaving) document.dispatchEvent(new Event("reloading"));
  }

  /** Opens the dialog again that was left for the sign-in, with what was typed in it. */
  resume() {
    const kept = this.#dialog && keptDialog();
    const buttons = kept ? document.querySelectorAll("a[data-dialog], form[data-dialog] button") : [];
    const button = [...buttons].find(each => openerOf(each.form ?? each, each) === kept.opener);
    if (!button) return;
    this.#fill = kept.fill;
    if (button.form) button.form.requestSubmit(button);
    else button.click();
  }

  /**
   * Without a connection the page keeps the change, or says that it needs one. If the server only did not answer, the change
   * may have been made.
   */
  #retry(source, button, missing) {
    if (!this.#report(missing)) this.#leave(source, button);
    else if (missing.isLate) return;
    else if (source.localName === "a") source.click();
    else source.requestSubmit(button);
  }

  /** Reports that there was no answer. Returns whether the page says so. */
  #report(detail) {
    return !document.dispatchEvent(new CustomEvent("unreachable", { cancelable: true, detail }));
  }

  /** Leaves a form or a link to the browser. */
  #leave(source, button) {
    this.#dialog.close();
    if (source.localName === "a") return follow(source.href);
    const { name, value } = button ?? {};
    if (name) source.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    const path = button?.getAttribute("formaction");
    if (path) source.setAttribute("action", path);
    source.submit();
  }

  /** Shows the page that follows, if possible in place. */
  async #finish({ response, page }, wasOpen = true) {
    this.#dialog.close();
    const isShown = await this.show(page, new URL(response.url), wasOpen ? "dialog" : undefined).catch(() => false);
    if (!isShown) return follow(response.url);
    this.#endSelection();
  }

  #endSelection() {
    document.querySelector("#clear:not([hidden])")?.click();
  }

  #open(question) {
    const heading = question.querySelector("h1");
    const title = Object.assign(document.createElement("h2"), { id: "question-title", tabIndex: -1 });
    title.append(...heading.childNodes);
    heading.replaceWith(title);
    const body = this.#body;
    body.replaceChildren(...question.childNodes);
    this.#endAttempts("");
    this.#refusals = 0;
    for (const link of body.querySelectorAll("a[data-close]")) this.#makeClosing(link);
    this.#fill?.(body);
    this.#fill = undefined;
    arrangeAlbums(body);
    foldOptions(body);
    offerCopies(body);
    this.#describe(title.nextElementSibling);
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#dialog.scrollTop = 0;
    this.#focus();
    // Permanent deletion runs in parts: each answer submits the form for the next part.
    body.querySelector("#purge")?.requestSubmit();
  }

  /** Replaces a link to the page before the question, which is behind the dialog. */
  #makeClosing(link) {
    const button = Object.assign(document.createElement("button"), {
      type: "button", className: "quiet closing", textContent: link.textContent,
    });
    button.addEventListener("click", () => this.#dialog.close());
    link.replaceWith(button);
  }

  /** Names the consequence together with the title of the dialog. */
  #describe(text) {
    if (text?.localName !== "p") return this.#dialog.removeAttribute("aria-describedby");
    text.id ||= "question-text";
    this.#dialog.setAttribute("aria-describedby", text.id);
  }

  /** Moves the focus to what is next; on touch screens not to a field, whose keyboard would cover the dialog. */
  #focus() {
    const field = "form:not([hidden]) input:not([type=hidden], [readonly])";
    const places = [
      "[data-copied]:not([hidden])", ".pair:has(.danger) .closing", `:scope > [role=alert] ~ ${field}`,
      ...(matchMedia("(hover: hover)").matches ? [".filter", ".choices button", field] : [".choices button"]), "h2",
    ];
    for (const place of places) {
      const found = this.#body.querySelector(place);
      if (found) return found.focus();
    }
  }
}

/** Returns whether a form was processed, and the page after it is missing: the browser requests it. */
function isMissing(next, response) {
  return next !== undefined && (!response || response.status === 429);
}

/** Waits for some milliseconds, or until a signal. */
function pause(wait, signal) {
  return new Promise(resolve => {
    setTimeout(resolve, wait);
    signal?.addEventListener("abort", resolve, { once: true });
  });
}

/** Returns what identifies a link or the button of a form after the page has loaded again. */
function openerOf(source, button) {
  if (source.localName === "a") return source.getAttribute("href");
  return button?.getAttribute("formaction") ?? source.getAttribute("action");
}

/** Folds the options of a link that was created below its address. */
function foldOptions(body) {
  const form = body.querySelector("form[data-options]");
  if (!form) return;
  const details = document.createElement("details");
  details.append(Object.assign(document.createElement("summary"), { textContent: form.dataset.options }));
  details.append(...body.querySelectorAll(":scope > form"));
  details.open = body.querySelector("[role=alert]") !== null;
  body.append(details, ...body.querySelectorAll(":scope > #another"));
}

export const dialogs = new Dialogs();
