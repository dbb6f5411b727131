// Shows pages that ask something in a dialog over the library. Forms and links with `data-dialog` are requested here, and
// so are the forms within the dialog; the answer decides what follows. Only a click opens a dialog: no address does.
// If an answer is not as expected, the browser opens the page itself.
import { arrangeAlbums } from "./album_choice.js";
import { offerCopies } from "./copying.js";
import { follow } from "./framed_page.js";

// Milliseconds that the server has for an answer.
const patience = 30_000;
// What a page that asks something consists of. A page with anything else is not shown in a dialog.
const expected = `a, bdi, button, fieldset, form, h1, input, label, legend, li, option, p, progress, select, small, span,
  ul`;

class Dialogs {
  #dialog = document.querySelector("#question");
  #isSending = false;
  /** Whether the person pressed Escape before the server answered with a question. */
  #isDismissed = false;
  /** Shows the page at an address in place of this one. Returns whether it did: another list needs another page. */
  show = async () => false;

  constructor() {
    if (!this.#dialog) return;
    document.addEventListener("submit", event => this.#submit(event));
    document.addEventListener("click", event => this.#click(event));
    document.addEventListener("keydown", event => {
      if (event.key === "Escape" && !this.#dialog.open) this.#isDismissed = true;
    });
    // The keys of the page are not for the dialog.
    this.#dialog.addEventListener("keydown", event => event.stopPropagation());
    this.#dialog.addEventListener("cancel", event => {
      if (this.#isSending) event.preventDefault();
    });
    this.#dialog.addEventListener("close", () => {
      // The selection was shared.
      if (this.#body.querySelector("#address")) this.#endSelection();
      this.#body.replaceChildren();
    });
    this.#dialog.querySelector(".tool").addEventListener("click", () => this.#close());
  }

  get #body() {
    return this.#dialog.lastElementChild;
  }

  /** Opens the page that follows a form: in place of this one if a dialog sent it. */
  async follow(href) {
    const answer = this.#dialog?.open ? await ask(href, {}) : undefined;
    if (answer?.response.ok) return this.#finish(answer);
    this.#dialog?.close();
    follow(href);
  }

  #submit(event) {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !(form.hasAttribute("data-dialog") || this.#dialog.contains(form))) return;
    event.preventDefault();
    const path = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    this.#request(form, submitter, path, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
  }

  #click(event) {
    const link = event.target.closest?.("a[data-dialog]");
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented) return;
    event.preventDefault();
    this.#request(link, link, link.href, {});
  }

  async #request(source, button, path, options) {
    if (this.#isSending) return;
    [this.#isSending, this.#isDismissed] = [true, false];
    button?.setAttribute("aria-busy", "true");
    const answer = await ask(path, options);
    button?.removeAttribute("aria-busy");
    this.#isSending = false;
    if (!answer) return this.#retry(source, button);
    const { response, page } = answer;
    const question = questionOf(response, page);
    if (question && this.#isDismissed) return;
    if (question) this.#open(question);
    // No address shows the answer to a form that does not redirect.
    else if (response.ok && (response.redirected || !options.method)) await this.#finish(answer);
    else this.#leave(source, button);
  }

  /** Without a connection the page keeps the change, or says that it needs one. */
  #retry(source, button) {
    const isTold = !document.dispatchEvent(new Event("unreachable", { cancelable: true }));
    if (!isTold) this.#leave(source, button);
    else if (source.localName === "a") source.click();
    else source.requestSubmit(button);
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

  /** Shows the page that follows: after a dialog in place, otherwise by opening it. */
  async #finish({ response, page }) {
    const wasOpen = this.#dialog.open;
    this.#dialog.close();
    // The list is shown again before the selection ends: the photos that stay keep their place.
    if (!wasOpen || !(await this.show(page, new URL(response.url)))) return follow(response.url);
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
    this.#dialog.querySelector("#question-offline").textContent = "";
    for (const link of body.querySelectorAll("a[data-close]")) this.#makeClosing(link);
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
    button.addEventListener("click", () => this.#close());
    link.replaceWith(button);
  }

  #close() {
    if (!this.#isSending) this.#dialog.close();
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

/** Folds the options of a link that was created below its address. */
function foldOptions(body) {
  const form = body.querySelector("form[data-options]");
  if (!form) return;
  const details = document.createElement("details");
  details.append(Object.assign(document.createElement("summary"), { textContent: form.dataset.options }));
  details.append(...body.querySelectorAll(":scope > form"));
  details.open = body.querySelector("[role=alert]") !== null;
  body.append(details);
}

/** Returns the part of a page that asks something or says what failed, or `undefined` if the page is another one. */
function questionOf(response, page) {
  const main = page.querySelector("main:not([class])");
  const isInside = new URL(response.url).pathname.startsWith("/library/");
  const isQuestion = !response.ok || main?.querySelector("form[method=post]");
  if (!isInside || !isQuestion || !main?.querySelector("h1")) return undefined;
  return [...main.querySelectorAll("*")].every(each => each.matches(expected)) ? main : undefined;
}

/** Returns the answer of the server with its page, or `undefined` without a connection. */
async function ask(path, options) {
  try {
    const response = await fetch(path, {
      ...options, headers: { accept: "text/html" }, signal: AbortSignal.timeout(patience),
    });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Without a connection the worker answers with an earlier page.
    return "kept" in page.documentElement.dataset ? undefined : { response, page };
  } catch {
    return undefined;
  }
}

export const dialogs = new Dialogs();
