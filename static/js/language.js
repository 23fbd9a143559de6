// The language changes without losing what has been typed: the entries of the page's forms wait in
// sessionStorage for one reload and are then removed. Files, passwords, one-time codes, hidden fields
// and everything marked data-forget are never stored.

const KEY = "deid-portal:language-switch";
const FORGET = 'input[type="file"], input[type="password"], input[type="hidden"], [autocomplete="one-time-code"], [data-forget], [data-forget] *';

const forms = () => [...document.querySelectorAll("main form")].filter((form) => form.method === "post" || form.hasAttribute("data-keep"));
const nameOf = (form, index) => form.id || `${form.getAttribute("action") ?? ""}#${index}`;

function entries(form) {
  const kept = [];
  const seen = new Map();
  for (const control of form.elements) {
    if (!control.name || control.disabled || control.matches(FORGET) || control.tagName === "BUTTON") continue;
    const ordinal = seen.get(control.name) ?? 0;
    seen.set(control.name, ordinal + 1);
    if (control.type === "checkbox" || control.type === "radio") {
      kept.push([control.name, ordinal, control.checked]);
    } else if (control.tagName === "SELECT") {
      kept.push([control.name, ordinal, [...control.selectedOptions].map((option) => option.value)]);
    } else {
      kept.push([control.name, ordinal, control.value]);
    }
  }
  return kept;
}

function restore(form, kept) {
  const controls = new Map();
  for (const control of form.elements) {
    if (!control.name || control.disabled || control.matches(FORGET) || control.tagName === "BUTTON") continue;
    const group = controls.get(control.name) ?? [];
    group.push(control);
    controls.set(control.name, group);
  }
  let changed = 0;
  for (const [name, ordinal, value] of kept) {
    const control = controls.get(name)?.[ordinal];
    if (!control) continue;
    if (typeof value === "boolean") {
      if (control.checked !== value) changed += 1;
      control.checked = value;
    } else if (Array.isArray(value)) {
      for (const option of control.options) {
        const selected = value.includes(option.value);
        if (option.selected !== selected) changed += 1;
        option.selected = selected;
      }
    } else {
      if (control.value !== value) changed += 1;
      control.value = value;
    }
  }
  return changed;
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-language-form]")) return;
  const page = { path: location.pathname, forms: {} };
  forms().forEach((form, index) => { page.forms[nameOf(form, index)] = entries(form); });
  try {
    sessionStorage.setItem(KEY, JSON.stringify(page));
  } catch {
    // No storage: the language still changes, as it would without this script.
  }
}, true);

function resume() {
  let page = null;
  try {
    page = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
  } catch {
    return;
  }
  if (!page || page.path !== location.pathname) return;
  let changed = 0;
  forms().forEach((form, index) => {
    const kept = page.forms[nameOf(form, index)];
    if (kept) changed += restore(form, kept);
  });
  if (!changed) return;
  document.dispatchEvent(new CustomEvent("ui:restored"));
  const box = document.getElementById("messages");
  const text = document.getElementById("ui-texts")?.dataset.restored;
  if (box && text) {
    const note = document.createElement("div");
    note.className = "notice notice--info";
    const body = document.createElement("div");
    body.className = "notice__body";
    body.textContent = text;
    note.append(body);
    box.append(note);
  }
}
resume();
