// Forms: one submission per press, a warning before unsaved entries are lost, drag and drop for files.

const texts = () => document.getElementById("ui-texts")?.dataset ?? {};
const say = (message) => document.dispatchEvent(new CustomEvent("ui:announce", { detail: message }));

// ---- double-click guard ----
// The second submission of a form is dropped; the buttons say that they are busy. A page that comes back from
// the browser's cache is made usable again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method === "get" || form.hasAttribute("data-upload")) return;
  if (form.dataset.sending) {
    event.preventDefault();
    return;
  }
  form.dataset.sending = "1";
  const button = event.submitter;
  if (button) button.setAttribute("aria-busy", "true");
  say(texts().sending);
  // A response that is a file leaves the page in place, so the guard opens again by itself.
  window.setTimeout(() => release(form), 15000);
});

function release(form) {
  delete form.dataset.sending;
  for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
}

window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.forms) release(form);
});
document.body.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt?.closest?.("form");
  if (form) release(form);
});
document.addEventListener("ui:unsent", (event) => release(event.detail));

// ---- a closed action explains itself and does nothing ----
document.addEventListener("click", (event) => {
  const button = event.target.closest('[aria-disabled="true"]');
  if (!button) return;
  event.preventDefault();
  const reason = document.getElementById(button.getAttribute("aria-describedby"));
  if (reason) say(reason.textContent);
});

// ---- unsaved changes ----
// Forms with data-guard are watched. Language switching and submitting are allowed ways out.
let unsaved = false;
const guarded = (element) => element.closest?.("form[data-guard]");

document.addEventListener("input", (event) => { if (guarded(event.target)) unsaved = true; });
for (const done of ["ui:renewed", "ui:sent"]) document.addEventListener(done, () => { unsaved = false; });
document.addEventListener("ui:restored", () => { unsaved = Boolean(document.querySelector("form[data-guard]")); });
// Who searches meanwhile leaves what they have written.
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented && !event.target.hasAttribute("data-search")) unsaved = false;
});
window.addEventListener("beforeunload", (event) => {
  if (!unsaved) return;
  event.preventDefault();
  event.returnValue = texts().unsaved ?? "";
});

// ---- drafts that keep themselves ----
// A form with a place that says when it was kept is sent to the server some seconds after the last key, under its own address and
// rules; nothing is left in the browser (ADR 16). What is sent for good stops a draft that is still on its way.
let quiet;
let waiting;
let keeping;

async function keep(form) {
  const entries = new FormData(form);
  for (const [name, value] of [...entries]) if (value instanceof File) entries.delete(name);
  entries.set("then", "keep");
  keeping = new AbortController();
  const sent = { method: "POST", body: entries, signal: keeping.signal };
  const answer = await fetch(form.getAttribute("action") || window.location.href, sent).catch(() => null);
  const said = form.querySelector("[data-draft-said]");
  if (answer?.status === 409 && said) said.textContent = texts().late ?? "";
  if (answer?.status !== 204 || quiet) return;
  unsaved = false;
  const now = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  if (said) said.textContent = `${texts().kept ?? ""} ${now}`;
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form");
  if (!form?.querySelector("[data-draft-said]")) return;
  window.clearTimeout(quiet);
  // Who goes on in another form of the page leaves this one as it is.
  if (quiet && waiting !== form) keep(waiting);
  waiting = form;
  quiet = window.setTimeout(() => {
    quiet = undefined;
    keep(form);
  }, 2500);
});
document.addEventListener("submit", () => {
  window.clearTimeout(quiet);
  quiet = undefined;
  keeping?.abort();
}, true);

// ---- file drop zones ----
function size(bytes) {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let step = 0;
  while (value >= 1024 && step < units.length - 1) {
    value /= 1024;
    step += 1;
  }
  return `${value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: step ? 1 : 0 })} ${units[step]}`;
}

function show(zone, input) {
  const list = zone.querySelector("[data-dropzone-files]");
  const limit = Number(input.closest("form")?.dataset.maxBytes ?? 0);
  list.replaceChildren();
  for (const file of input.files) {
    const line = document.createElement("p");
    line.textContent = `${file.name} · ${size(file.size)}`;
    list.append(line);
    if (limit && file.size > limit) {
      const warning = document.createElement("p");
      warning.className = "field__error";
      warning.textContent = texts().tooBig ?? "";
      list.append(warning);
    }
  }
}

// Delegated, so that zones in a swapped page work as well.
const zoneOf = (event) => event.target.closest?.("[data-dropzone]");
const inputOf = (zone) => zone?.querySelector('input[type="file"]');

document.addEventListener("change", (event) => {
  const zone = zoneOf(event);
  if (zone && event.target === inputOf(zone)) show(zone, event.target);
});

for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    const zone = zoneOf(event);
    if (!zone) return;
    event.preventDefault();
    zone.classList.add("is-over");
  });
}

document.addEventListener("dragleave", (event) => {
  const zone = zoneOf(event);
  if (zone && !zone.contains(event.relatedTarget)) zone.classList.remove("is-over");
});

document.addEventListener("drop", (event) => {
  const zone = zoneOf(event);
  const input = inputOf(zone);
  if (!input) return;
  event.preventDefault();
  zone.classList.remove("is-over");
  if (!event.dataTransfer?.files.length) return;
  const accepted = new DataTransfer();
  for (const file of [...event.dataTransfer.files].slice(0, input.multiple ? undefined : 1)) accepted.items.add(file);
  input.files = accepted.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

// ---- requirements and prohibitions answered one by one: a key is the answer to the one that has the focus, and leads to the next ----
document.addEventListener("keydown", (event) => {
  const tick = event.target;
  const group = tick.closest?.("[data-requirements]");
  if (!group || tick.type !== "checkbox" || event.ctrlKey || event.altKey || event.metaKey) return;
  const answer = { 1: true, 0: false }[event.key];
  const step = answer === undefined ? { j: 1, k: -1 }[event.key] : 1;
  if (!step) return;
  event.preventDefault();
  if (answer !== undefined && tick.checked !== answer) tick.click();
  const ticks = [...group.querySelectorAll('input[type="checkbox"]')];
  const next = ticks[ticks.indexOf(tick) + step];
  const after = step > 0 ? group.nextElementSibling?.querySelector("input, textarea, button") : null;
  (next ?? after)?.focus();
});
