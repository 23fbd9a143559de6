// The filter box above a table: rows whose text lacks one of the words are hidden, and the count is told.

const texts = () => document.getElementById("ui-texts")?.dataset ?? {};
const fold = (text) => text.normalize("NFKC").toLowerCase();

document.addEventListener("input", (event) => {
  const box = event.target.closest("[data-table-filter]");
  if (!box) return;
  const table = document.getElementById(box.dataset.tableFilter);
  if (!table) return;
  const words = fold(box.value).split(/\s+/).filter(Boolean);
  let shown = 0;
  let total = 0;
  for (const row of table.querySelectorAll("tbody > tr")) {
    const text = fold(row.textContent);
    row.hidden = !words.every((word) => text.includes(word));
    total += 1;
    if (!row.hidden) shown += 1;
  }
  const count = box.parentElement.querySelector("[data-filter-count]");
  if (count) {
    count.textContent = words.length
      ? (texts().rows ?? "").replace("{shown}", shown).replace("{total}", total)
      : "";
  }
});
