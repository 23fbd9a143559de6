"""Bring ``locale/`` in step with the source: new strings are added untranslated, gone ones removed, and what the portal
reads is compiled anew.

``python scripts/update_translations.py [TRANSLATIONS.json …]`` also takes over translations from JSON
files: a list of {"msgid", "msgctxt"?, "msgid_plural"?, "msgstr"} rows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import polib
from check_translations import CATALOGUE, extract_entries, without_blanks


def main(files: list[str]) -> None:
    known: dict[tuple[str, str], polib.POEntry] = {}
    if CATALOGUE.is_file():
        known = {(e.msgctxt or "", e.msgid): e for e in polib.pofile(str(CATALOGUE))}
    given: dict[tuple[str, str], str] = {}
    for name in files:
        for row in json.loads(Path(name).read_text(encoding="utf-8")):
            given[row.get("msgctxt") or "", row["msgid"]] = row["msgstr"]
    result = polib.POFile(wrapwidth=110)
    result.metadata = {
        "Project-Id-Version": "deid-portal",
        "Language": "zh_Hans",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=1; plural=0;",
    }
    for entry in extract_entries():
        key = (entry.msgctxt or "", entry.msgid)
        old = known.get(key)
        text = without_blanks(given.get(key) or (old and (old.msgstr or old.msgstr_plural.get(0))) or "")
        # No line numbers: they would change with every edit of the source.
        fresh = polib.POEntry(
            msgctxt=entry.msgctxt, msgid=entry.msgid, flags=[f for f in entry.flags if f != "fuzzy"]
        )
        if entry.msgid_plural:
            fresh.msgid_plural, fresh.msgstr_plural = entry.msgid_plural, {0: text}
        else:
            fresh.msgstr = text
        result.append(fresh)
    result.sort(key=lambda e: (e.msgid, e.msgctxt or ""))
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    result.save(str(CATALOGUE))
    result.save_as_mofile(str(CATALOGUE.with_suffix(".mo")))
    print(f"{len(result)} strings, {sum(not e.translated() for e in result)} untranslated")


if __name__ == "__main__":
    main(sys.argv[1:])
