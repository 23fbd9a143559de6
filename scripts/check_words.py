"""Fail where Chinese text has a word that gave way, a mark of Latin script between Chinese characters, or a blank beside a figure or a letter.

One place says which words gave way: the table “Chinese words that give way” of docs/glossary.md. Catalogue, templates and documents are read.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

import polib
from check_translations import CATALOGUE, ROOT, blanks, latin_marks

GLOSSARY = ROOT / "docs" / "glossary.md"
TITLE = "## Chinese words that give way\n"
_HAN = r"[\u4e00-\u9fff]"


def words() -> dict[str, tuple[str, list[str]]]:
    """Word that gave way → what is said instead, and in which longer words it is right."""
    table = GLOSSARY.read_text(encoding="utf-8").partition(TITLE)[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in table.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ][1:]
    return {
        word: (instead, [one for one in right.split("、") if one not in ("", "–")])
        for gone, instead, right in rows
        for word in gone.split("、")
    }


def word_faults(text: str, gone: dict[str, tuple[str, list[str]]]) -> list[str]:
    """Each word of ``text`` that gave way, with what to say instead."""
    found = []
    for word, (instead, right) in gone.items():
        rest = text
        for longer in right:
            rest = rest.replace(longer, "")
        if word in rest:
            found.append(f"“{word}” gave way to “{instead}”: {text.strip()[:60]}")
    return found


def faults_in(text: str, gone: dict[str, tuple[str, list[str]]]) -> list[str]:
    """What is wrong with one text, in words."""
    found = word_faults(text, gone)
    found += [f"Latin punctuation in Chinese: {part!r}" for part in latin_marks(text)]
    found += [f"blank beside a figure or a letter: {part!r}" for part in blanks(text)]
    return found


def texts() -> Iterator[tuple[str, str]]:
    """Place and text of what is read in Chinese: each entry of the catalogue, each line of templates and documents."""
    for entry in polib.pofile(str(CATALOGUE)):
        if not entry.obsolete:
            for text in [entry.msgstr, *entry.msgstr_plural.values()]:
                yield f"{CATALOGUE.name}: {entry.msgid[:40]!r}", text
    pages = [*(ROOT / "templates").rglob("*.html"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")]
    for path in sorted(pages):
        content = path.read_text(encoding="utf-8")
        if path == GLOSSARY:
            before, _title, rest = content.partition(TITLE)
            content = before + rest.partition("\n## ")[2]
        for number, line in enumerate(content.splitlines(), 1):
            if re.search(_HAN, line) and "msgstr" not in line:
                yield f"{path.relative_to(ROOT)}:{number}", line


def main() -> int:
    gone = words()
    count, found = 0, []
    for place, text in texts():
        count += 1
        # Lines of documents are Markdown in English with Chinese words in them: their marks are those of English.
        said = faults_in(text, gone) if place.startswith(CATALOGUE.name) else word_faults(text, gone)
        found += [f"{place}: {fault}" for fault in said]
    for fault in found:
        print(fault)
    print(f"{count} texts, {len(gone)} words that gave way, {len(found)} faults")
    return 1 if found or not gone else 0


if __name__ == "__main__":
    sys.exit(main())
