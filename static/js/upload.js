// Uploads with a progress bar: <form method="post" enctype="multipart/form-data" data-upload>.
// The answer is whatever the server would send to a plain form: a redirect is followed, a page with errors
// replaces <main>. JSON {"redirect": "/…"} works too. Without this script the form is sent as usual.

const texts = () => document.getElementById("ui-texts")?.dataset ?? {};
const say = (message) => document.dispatchEvent(new CustomEvent("ui:announce", { detail: message }));

function panel(form) {
  let box = form.querySelector("[data-upload-progress]");
  if (!box) {
    box = document.createElement("div");
    box.className = "upload-progress";
    box.setAttribute("data-upload-progress", "");
    form.append(box);
  }
  const line = document.createElement("p");
  const bar = document.createElement("progress");
  bar.className = "progress";
  bar.max = 100;
  bar.setAttribute("aria-label", (texts().uploading ?? "").replace(/[:：]?\s*\{percent\}.*$/, ""));
  const cancel = document.createElement("button");
  cancel.type = "button";
  cancel.className = "button button--quiet button--s";
  cancel.textContent = texts().cancel ?? "";
  box.replaceChildren(line, bar, cancel);
  return { box, line, bar, cancel };
}

function finish(request, form, parts) {
  let answer = null;
  if ((request.getResponseHeader("Content-Type") ?? "").includes("json")) {
    try { answer = JSON.parse(request.responseText); } catch { answer = null; }
  }
  if (answer?.redirect) {
    location.assign(answer.redirect);
    return;
  }
  const landed = new URL(request.responseURL || location.href);
  const asked = new URL(form.getAttribute("action") || location.href, location.href);
  if (request.status < 400 && landed.pathname !== asked.pathname && landed.pathname !== location.pathname) {
    location.assign(landed.href);
    return;
  }
  const shown = new CustomEvent("ui:show", { detail: request.responseText, cancelable: true });
  if (!document.dispatchEvent(shown)) fail(form, parts);
}

function fail(form, parts) {
  delete form.dataset.sending;
  const warning = document.createElement("p");
  warning.className = "field__error";
  warning.setAttribute("role", "alert");
  warning.textContent = texts().uploadFailed ?? "";
  parts.box.replaceChildren(warning);
  for (const button of form.querySelectorAll('[type="submit"]')) button.disabled = false;
}

// A form whose only question is the file is sent once that is chosen; its hint says so.
document.addEventListener("change", (event) => {
  const form = event.target.closest?.('form[data-upload="at-once"]');
  if (form && event.target.type === "file" && event.target.files.length) form.requestSubmit();
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-upload]");
  if (!form) return;
  event.preventDefault();
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  const parts = panel(form);
  const body = new FormData(form, event.submitter);
  for (const button of form.querySelectorAll('[type="submit"]')) button.disabled = true;

  const request = new XMLHttpRequest();
  let told = 0;
  request.upload.addEventListener("progress", (progress) => {
    if (!progress.lengthComputable) return;
    const percent = Math.floor((progress.loaded / progress.total) * 100);
    parts.bar.value = percent;
    parts.line.textContent = (texts().uploading ?? "").replace("{percent}", percent);
    if (percent >= told + 25) {
      told = percent - (percent % 25);
      say(parts.line.textContent);
    }
  });
  request.upload.addEventListener("load", () => {
    parts.bar.removeAttribute("value");
    parts.line.textContent = texts().checking ?? "";
    parts.cancel.remove();
    say(texts().checking);
  });
  request.addEventListener("load", () => finish(request, form, parts));
  request.addEventListener("error", () => fail(form, parts));
  request.addEventListener("abort", () => fail(form, parts));
  parts.cancel.addEventListener("click", () => request.abort());
  request.open("POST", form.getAttribute("action") || location.href);
  request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
  request.send(body);
});
