// A sheet is a table whose lines are worked on. Its keys work while a line has the focus, so that they take nothing from
// who reads with other programs; the page works without any of it, and nothing here decides anything.

const lineOf = (element) => element.closest("[data-line]");
const rowOf = (line) => line.querySelector("[data-row]");
const said = (element) => {
  for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true }));
};

function fill(select) {
  const source = document.getElementById(select.dataset.options);
  if (!source) return;
  const chosen = select.value;
  const known = select.options[0];
  const all = [...source.options].slice(1).map((option) => new Option(option.text, option.value));
  select.replaceChildren(known, ...all);
  select.value = chosen;
}

function go(sheet, line, step) {
  const lines = [...sheet.querySelectorAll("[data-line]")];
  const next = lines[lines.indexOf(line) + step];
  if (next) focus(sheet, next);
}

function focus(sheet, line) {
  for (const row of sheet.querySelectorAll("[data-row]")) row.tabIndex = row === rowOf(line) ? 0 : -1;
  rowOf(line).focus();
}

// The lines that a key is about: the one with the focus, and with it every other that is ticked if this one is.
function meant(sheet, line) {
  const ticked = (one) => one.querySelector("[data-pick]")?.checked;
  return ticked(line) ? [...sheet.querySelectorAll("[data-line]")].filter(ticked) : [line];
}

function choose(sheet, line, number) {
  for (const one of meant(sheet, line)) {
    const select = one.querySelector("[data-role]");
    if (!select) continue;
    select.selectedIndex = number;
    said(select);
  }
}

const KEYS = {
  j: (sheet, line) => go(sheet, line, 1),
  k: (sheet, line) => go(sheet, line, -1),
  ArrowDown: (sheet, line) => go(sheet, line, 1),
  ArrowUp: (sheet, line) => go(sheet, line, -1),
  x: (sheet, line) => {
    const box = line.querySelector("[data-pick]");
    if (box) box.click();
  },
  Enter: (sheet, line) => {
    const drawer = line.querySelector("[data-drawer]");
    if (drawer) drawer.open = !drawer.open;
    else line.querySelector("[data-enter]")?.click();
  },
};
for (const number of [1, 2, 3, 4]) KEYS[number] = (sheet, line) => choose(sheet, line, number);

function wire(sheet) {
  for (const row of sheet.querySelectorAll("[data-row]")) row.tabIndex = -1;
  const first = sheet.querySelector("[data-row]");
  if (first) first.tabIndex = 0;
  for (const select of sheet.querySelectorAll("[data-options]")) fill(select);

  sheet.addEventListener("keydown", (event) => {
    const line = lineOf(event.target);
    if (!line || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && !event.target.matches("[data-row]")) {
      focus(sheet, line);
      return;
    }
    const act = event.target.matches("[data-row]") ? KEYS[event.key] : null;
    if (!act) return;
    event.preventDefault();
    act(sheet, line);
  });

  // The buttons of a line whose role is open say what the keys 1 to 4 do.
  sheet.addEventListener("click", (event) => {
    const give = event.target.closest("[data-give]");
    const select = give && lineOf(give).querySelector("[data-role]");
    if (!select) return;
    select.value = give.dataset.give;
    said(select);
  });

  // One box for all: here it ticks the lines that are seen; without this script it is sent in their place.
  const all = sheet.querySelector("[data-pick-open]");
  if (!all) return;
  all.removeAttribute("name");
  all.addEventListener("change", () => {
    for (const line of sheet.querySelectorAll("[data-line]")) {
      const box = line.querySelector("[data-pick]");
      const open = line.classList.contains("sheet__line--open");
      if (box && (open || !all.checked)) box.checked = all.checked;
    }
  });
}

function wireAll() {
  for (const sheet of document.querySelectorAll("[data-sheet]")) wire(sheet);
}
document.addEventListener("ui:renewed", wireAll);
wireAll();
