// What every page needs: menus, dialogs, explanations in place, copy buttons, focus on the error summary.
// The page works without any of it; nothing here decides anything.

const texts = () => document.getElementById("ui-texts")?.dataset ?? {};

function announce(message) {
  const target = document.getElementById("ui-announcer");
  if (!target || !message) return;
  target.textContent = "";
  window.setTimeout(() => { target.textContent = message; }, 60);
}
document.addEventListener("ui:announce", (event) => announce(event.detail));

// ---- main navigation on a phone ----
document.addEventListener("click", (event) => {
  const toggle = event.target.closest("[data-mainnav-toggle]");
  if (!toggle) return;
  const open = toggle.closest("[data-mainnav]").classList.toggle("is-open");
  toggle.setAttribute("aria-expanded", String(open));
});

// ---- user menu: closes on Escape and on a click elsewhere ----
function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) menu.open = false;
  }
}
document.addEventListener("click", (event) => closeMenus(event.target.closest("details[data-menu]")));

// ---- dialogs ----
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog-open]");
  if (opener) {
    const dialog = document.getElementById(opener.dataset.dialogOpen);
    if (dialog instanceof HTMLDialogElement && !dialog.open) dialog.showModal();
    return;
  }
  const closer = event.target.closest("[data-dialog-close]");
  if (closer) closer.closest("dialog")?.close();
});

// ---- the search opens over the page; without this, its link leads to its own page ----
function openSearch(event) {
  const dialog = document.getElementById("search-dialog");
  // No dialog lies over another one.
  if (!(dialog instanceof HTMLDialogElement) || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  dialog.showModal();
  dialog.querySelector("input[type=search]").select();
}
document.addEventListener("click", (event) => {
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (plain && event.target.closest("[data-search-open]")) openSearch(event);
});
document.addEventListener("keydown", (event) => {
  const alone = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
  if (alone && event.key.toLowerCase() === "k") openSearch(event);
});

// ---- explanations in place: clause chips and terms ----
function place(button, panel) {
  const edge = 16;
  const box = button.getBoundingClientRect();
  panel.style.bottom = "auto";
  panel.style.left = `${Math.max(edge, Math.min(box.left, window.innerWidth - panel.offsetWidth - edge))}px`;
  const below = box.bottom + 6;
  const fits = below + panel.offsetHeight <= window.innerHeight - edge;
  panel.style.top = `${fits ? below : Math.max(edge, box.top - panel.offsetHeight - 6)}px`;
}

function closeReveal(button, returnFocus = false) {
  const panel = document.getElementById(button.getAttribute("aria-controls"));
  if (panel) panel.hidden = true;
  button.setAttribute("aria-expanded", "false");
  const wasNear = "near" in button.dataset;
  delete button.dataset.near;
  if (returnFocus && !wasNear) button.focus();
}

function openReveal(button) {
  const panel = document.getElementById(button.getAttribute("aria-controls"));
  if (!panel) return;
  panel.hidden = false;
  button.setAttribute("aria-expanded", "true");
  place(button, panel);
}

const openReveals = () => document.querySelectorAll('[data-reveal][aria-expanded="true"]');

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-reveal]");
  for (const other of openReveals()) {
    const inside = event.target.closest(".reveal__panel")?.id === other.getAttribute("aria-controls");
    if (other !== button && !inside) closeReveal(other);
  }
  if (!button) return;
  if (button.getAttribute("aria-expanded") !== "true") openReveal(button);
  // What came with the pointer or the focus stays once it is clicked.
  else if ("near" in button.dataset) delete button.dataset.near;
  else closeReveal(button);
});

// A term explains itself while the pointer or the keyboard's focus is on it (WCAG 1.4.13): Escape takes the explanation away, the
// pointer may go over it, and it stays until pointer and focus have left.
let leaving;
const termOf = (element) => element.closest?.(".reveal")?.querySelector("[data-reveal-near]");

function comeNear(button) {
  window.clearTimeout(leaving);
  if (button.getAttribute("aria-expanded") === "true") return;
  for (const other of openReveals()) closeReveal(other);
  openReveal(button);
  button.dataset.near = "";
}

document.addEventListener("pointerover", (event) => {
  const button = termOf(event.target);
  if (button && event.pointerType === "mouse") comeNear(button);
});
document.addEventListener("pointerout", (event) => {
  const button = termOf(event.target);
  if (!button || event.pointerType !== "mouse" || termOf(event.relatedTarget ?? document.body) === button) return;
  window.clearTimeout(leaving);
  leaving = window.setTimeout(() => {
    if ("near" in button.dataset && document.activeElement !== button) closeReveal(button);
  }, 400);
});
document.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-reveal-near]:focus-visible")) comeNear(event.target);
});
document.addEventListener("focusout", (event) => {
  if (event.target.matches("[data-reveal-near]") && "near" in event.target.dataset) closeReveal(event.target);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const button of openReveals()) closeReveal(button, true);
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

// An explanation goes with its button; it closes once the button has left the window. (Closing at any scroll would
// also take away what was opened just now by a click that brought the button into view.)
let following = false;
function follow() {
  following = false;
  for (const button of openReveals()) {
    const box = button.getBoundingClientRect();
    if (box.bottom < 0 || box.top > window.innerHeight) closeReveal(button);
    else place(button, document.getElementById(button.getAttribute("aria-controls")));
  }
}
for (const happening of ["scroll", "resize"]) {
  window.addEventListener(happening, () => {
    if (following) return;
    following = true;
    window.requestAnimationFrame(follow);
  }, { passive: true });
}

// ---- copy ----
async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Plain HTTP in an intranet has no clipboard API.
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  if (!source) return;
  try {
    await copy(source.textContent);
    announce(texts().copied);
    button.dataset.done = texts().copied ?? "";
    button.classList.add("is-copied");
    window.setTimeout(() => button.classList.remove("is-copied"), 1500);
  } catch {
    source.closest("details")?.setAttribute("open", "");
  }
});

// ---- after a refused form the focus goes to its summary ----
document.querySelector("[data-autofocus]")?.focus();

// ---- what may have changed while its window lay behind others is read anew, but not under the keyboard's focus ----
// Where another page has it, its address is named: data-fresh="/". That is read at once, too.
async function freshen(selector) {
  for (const part of document.querySelectorAll(selector)) {
    if (part.contains(document.activeElement)) continue;
    const address = part.dataset.fresh || window.location.href;
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok || answer.redirected) continue;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById(part.id);
    if (fresh) part.replaceChildren(...fresh.childNodes);
  }
}
window.addEventListener("focus", () => freshen("[data-fresh]"));
document.addEventListener("ui:renewed", () => freshen("[data-fresh]:not([data-fresh=''])"));
freshen("[data-fresh]:not([data-fresh=''])");

// ---- a job that ended while its page was open: tell it once ----
document.body.addEventListener("htmx:afterSwap", (event) => {
  const job = event.detail.elt?.closest?.("[data-job-state]") ?? event.detail.elt;
  const state = job?.dataset?.jobState;
  if (state && !["queued", "waiting", "running", "started", "cancelling"].includes(state)) {
    announce(job.querySelector(".badge")?.textContent.trim());
    document.dispatchEvent(new CustomEvent("ui:job-ended", { detail: { state } }));
  }
});
