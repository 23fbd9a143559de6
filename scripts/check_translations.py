"""Fail when a string of the source is missing from a catalogue, untranslated, fuzzy or badly formatted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
_HAN, _NEXT = r"[\u3400-\u9fff\u3001\u3002\uff08\uff09]", r"(?=\s?[\u3400-\u9fff]|\s*$)"
# A mark of Latin script between Chinese characters or behind the last: “、” “，” “；” “：” “（” “）” “。” stand there.
LATIN_MARK = re.compile(
    rf"(?<={_HAN})\s?[,;:!?]{_NEXT}|(?<={_HAN})\.(?=\s|$)|(?<={_HAN})\s?\((?![A-Za-z])|\((?={_HAN})|(?<={_HAN})\)"
)
# What is not prose: code, marks that are the subject of the sentence, addresses.
_QUOTED = re.compile(r"`[^`]*`|“.”|“[^”]*=[^”]*”|\S+://\S+|<[^>]*>")


_HANZI, _LETTER = "[\u4e00-\u9fff]", "[A-Za-zαβδελτ]"
_PLACE = r"%\(\w+\)(?:\.\d+)?[sdgf](?:%%)?"
_BLANK = re.compile(
    rf"(?<={_HANZI}) (?={_PLACE}|\{{|\d|{_LETTER})|(?<={_LETTER}) (?={_HANZI})|(?<=\d) (?={_HANZI})"
    rf"|({_PLACE}|\}}) (?={_HANZI})"
)
# Of what is typed the blanks are part.
_TYPED = re.compile(r"--|steps\[")


def blanks(text: str) -> list[str]:
    """Each blank between a Chinese character and a figure or letter, with what is around it."""
    if _TYPED.search(text):
        return []
    return [text[max(0, m.start() - 6) : m.end() + 10] for m in _BLANK.finditer(text)]


def without_blanks(text: str) -> str:
    """Chinese stands beside figures and letters without a blank; the type takes care of the space."""
    return text if _TYPED.search(text) else _BLANK.sub(r"\1", text)


def latin_marks(text: str) -> list[str]:
    """The marks of Latin script that stand beside Chinese characters in ``text``, each with what is around it."""
    prose = _QUOTED.sub("", text)
    return [prose[max(0, m.start() - 8) : m.end() + 8].strip() for m in LATIN_MARK.finditer(prose)]


def extract_entries() -> polib.POFile:
    """Every translatable string that the source has now, untranslated."""
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for name in ("approvals", "deid_portal", "projects", "techniques", "templates"):
            os.symlink(ROOT / name, scratch / name)
        (scratch / "locale").mkdir()
        subprocess.run(
            [
                sys.executable, "-m", "django", "makemessages", "--locale", "zh_Hans", "--symlinks",
                "--extension", "py,html,txt", "--verbosity", "0", "--keep-pot",
            ],
            cwd=scratch,
            check=True,
            env={k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"},
        )  # fmt: skip
        return polib.pofile(str(scratch / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"))


def extract() -> set[tuple[str, str]]:
    """(context, msgid) of every translatable string."""
    return {(entry.msgctxt or "", entry.msgid) for entry in extract_entries()}


def main() -> int:
    wanted = extract()
    have = {(e.msgctxt or "", e.msgid): e for e in polib.pofile(str(CATALOGUE)) if not e.obsolete}
    faults = [f"missing: {msgid!r}" for key in sorted(wanted - set(have)) for msgid in [key[1]]]
    faults += [f"no longer in the source: {msgid!r}" for _, msgid in sorted(set(have) - wanted)]
    for key in sorted(wanted & set(have)):
        entry = have[key]
        texts = list(entry.msgstr_plural.values()) or [entry.msgstr]
        if "fuzzy" in entry.flags or not all(texts):
            faults.append(f"untranslated: {entry.msgid!r}")
            continue
        for text in texts:
            faults += [f"Latin punctuation in Chinese: {part!r}" for part in latin_marks(text)]
            source = set(PLACEHOLDER.findall(entry.msgid)) | set(
                PLACEHOLDER.findall(entry.msgid_plural or "")
            )
            if not set(PLACEHOLDER.findall(text)) <= source or (
                not entry.msgid_plural and set(PLACEHOLDER.findall(text)) != source
            ):
                faults.append(f"placeholders differ: {entry.msgid!r}")
    for fault in faults:
        print(fault)
    print(f"{len(wanted)} strings, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
