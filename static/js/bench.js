// The panels of the workbench: opened by a link to what stands in them, closed by Escape or their button; undo and redo by key.
// Without it a browser opens the panel of a link by itself, and the buttons do the rest.

const panelOf = (element) => element?.closest?.("[data-panel]");

function open(hash) {
  const target = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  const panel = panelOf(target);
  if (!panel) return;
  for (const other of document.querySelectorAll("[data-panel][open]")) if (other !== panel) other.open = false;
  panel.open = true;
  target.focus();
}

function close(panel) {
  panel.open = false;
  panel.querySelector("summary").focus();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link) open(link.hash);
  const button = event.target.closest?.("[data-panel-close]");
  if (!button) return;
  event.preventDefault();
  close(panelOf(button));
});

window.addEventListener("hashchange", () => open(window.location.hash));
open(window.location.hash);

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const panel = document.querySelector("[data-panel][open]");
    if (panel) close(panel);
    return;
  }
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input:not([type=checkbox]), textarea")) return;
  const key = event.key.toLowerCase();
  const wanted = key === "y" || (key === "z" && event.shiftKey) ? "[data-redo]" : key === "z" ? "[data-undo]" : "";
  const button = wanted && document.querySelector(wanted);
  if (!button) return;
  event.preventDefault();
  button.click();
});
