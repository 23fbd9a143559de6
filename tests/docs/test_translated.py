"""Each sentence of the code that is looked up in a catalogue stands in it: what the collector misses is shown in English."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import polib

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
CODE = ("approvals", "deid_portal", "projects", "techniques")
GETTEXT = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}


def looked_up(tree: ast.AST) -> Iterator[str]:
    """The texts that calls within ``tree`` look up; those in an f-string too, which a collector does not read."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if (
                name in GETTEXT
            ):
                yield text


def test_every_sentence_of_the_code_is_in_the_catalogue():
    known = {entry.msgid for entry in polib.pofile(str(CATALOGUE))}
    missing = {
        (str(path.relative_to(ROOT)), text)
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
        for text in looked_up(ast.parse(path.read_text(encoding="utf-8")))
        if text and text not in known
    }
    assert missing == set()


def test_a_sentence_in_an_f_string_would_be_missed():
    assert list(looked_up(ast.parse("""f"{_('not collected')} {x}" """))) == ["not collected"]
