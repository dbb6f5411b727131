// The choice of a theme in the account menu, without leaving the page: its selection and its position stay.

/** Changes the theme of a page with a form for it. If that fails, the browser sends the form. */
export function changeInPlace(form) {
  let isSent = false;
  form.addEventListener("submit", async event => {
    const { submitter } = event;
    if (isSent || submitter?.name !== "theme") return;
    event.preventDefault();
    try {
      const body = new URLSearchParams(new FormData(form, submitter));
      // The answer redirects to this page.
      const { type } = await fetch(form.action, { method: "POST", body, redirect: "manual" });
      if (type !== "opaqueredirect") throw new Error(type);
    } catch {
      isSent = true;
      return form.requestSubmit(submitter);
    }
    show(form, submitter.value);
  });
}

function show(form, theme) {
  const isSystem = theme === "system";
  if (isSystem) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.querySelector("meta[name=color-scheme]").content = isSystem ? "light dark" : theme;
  for (const button of form.elements.theme) button.setAttribute("aria-pressed", button.value === theme);
}
