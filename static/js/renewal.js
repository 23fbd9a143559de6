// A page renewed where it stands: when its job has ended, and when an act leads back to it. Nobody loses their place, and nothing is
// loaded that is there already. Without this script the browser loads the page anew; nothing here decides anything.

const texts = () => document.getElementById("ui-texts")?.dataset ?? {};
const say = (message) => document.dispatchEvent(new CustomEvent("ui:announce", { detail: message }));

// Put the page that ``text`` holds in the place of this one; false where it is no page of the portal.
function show(text, isAct = false) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const fresh = page.querySelector("main#main");
  const old = document.querySelector("main#main");
  if (!fresh || !old) return false;
  const top = window.scrollY;
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  old.replaceWith(fresh);
  window.scrollTo({ top, behavior: "instant" });
  document.title = page.title;
  // What is due to a person stands in the navigation.
  const navigation = page.getElementById("mainnav-list");
  if (navigation) document.getElementById("mainnav-list")?.replaceWith(navigation);
  window.htmx?.process(fresh);
  document.dispatchEvent(new CustomEvent("ui:renewed"));
  const wanted = isAct && fresh.querySelector("[data-autofocus]");
  if (wanted) wanted.focus();
  else if (held) ((held.id && document.getElementById(held.id)) || fresh).focus({ preventScroll: true });
  say(fresh.querySelector("#messages")?.textContent.trim());
  return true;
}

// ---- an upload has been answered ----
document.addEventListener("ui:show", (event) => {
  if (!show(event.detail, true)) event.preventDefault();
});

// ---- a job has ended: its page is read anew, but not under the hands of somebody who writes on it ----
let writing = false;
let reading = false;
document.addEventListener("input", (event) => { if (event.target.closest?.('form[method="post"]:not([data-search])')) writing = true; });
document.addEventListener("ui:renewed", () => { writing = false; });

function hint() {
  for (const job of document.querySelectorAll("[data-job-state]:not([hx-get])")) {
    if (job.querySelector("[data-hint]")) continue;
    const line = document.createElement("p");
    line.setAttribute("role", "status");
    line.setAttribute("data-hint", "");
    line.className = "job__message";
    line.textContent = texts().ended ?? "";
    job.append(line);
  }
}

async function readAnew() {
  if (reading) return;
  reading = true;
  const answer = await fetch(window.location.href).catch(() => null);
  const here = answer?.ok && new URL(answer.url).pathname === window.location.pathname;
  const text = here ? await answer.text() : "";
  reading = false;
  if (writing) hint();
  else if (!text || !show(text)) window.location.reload();
}

document.body.addEventListener("htmx:beforeOnLoad", (event) => {
  const { elt, xhr } = event.detail;
  if (!xhr.getResponseHeader("HX-Refresh")) return;
  event.preventDefault();
  const ended = document.createElement("template");
  ended.innerHTML = xhr.responseText;
  say(ended.content.querySelector(".badge")?.textContent.trim());
  elt.replaceWith(ended.content);
  if (writing) hint();
  else readAnew();
});

// ---- an act whose form or button says that it leads back here ----
// The server names the address in place of leading to it, where that is another page (StayingMiddleware).
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !(form.matches("[data-stays]") || submitter?.matches("[data-stays]"))) return;
  event.preventDefault();
  const action = submitter?.getAttribute("formaction") || form.getAttribute("action") || window.location.href;
  const sent = {
    method: "POST",
    body: new URLSearchParams(new FormData(form, submitter)),
    headers: { "X-Stays": window.location.pathname },
  };
  const answer = await fetch(action, sent).catch(() => null);
  if (!answer) {
    document.dispatchEvent(new CustomEvent("ui:unsent", { detail: form }));
    say(texts().unsent);
    return;
  }
  document.dispatchEvent(new CustomEvent("ui:sent"));
  const led = answer.headers.get("X-Location");
  if (led) {
    window.location.assign(led);
    return;
  }
  const landed = new URL(answer.url);
  if (answer.redirected && landed.pathname !== window.location.pathname) window.location.assign(landed.href);
  else if (!show(await answer.text(), true)) window.location.reload();
  else {
    if (answer.redirected) window.history.replaceState(null, "", landed.href);
    if (!document.querySelector("[data-autofocus]")) window.scrollTo({ top: 0, behavior: "instant" });
  }
});

// ---- work that a page asks for as soon as it is opened: its button stands there for who has no script ----
document.querySelector("button[data-begins]")?.click();

// ---- a file that its reader has asked for and that is ready now comes by itself ----
document.addEventListener("ui:renewed", () => document.querySelector("a[data-comes]")?.click());
