"""Texts that count one thing say so: “1 row is”, never “1 rows are”."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from techniques.core.messages import EngineError, filled, of_one

ROOT = Path(__file__).parents[3]
TEXT = re.compile(r"%\((\w+)\)d ")
# What may follow a 1: words that end in s and are no plural, and that of which one is counted.
NO_PLURALS = {
    "contains",
    "as", "class", "differs", "does", "follows", "has", "holds", "is", "its", "less", "lies", "names", "occurs", "remains", "says",
    "shares", "stands", "tells", "this", "was",
}  # fmt: skip
ONE_AND_PLURAL = re.compile(r"(?<![\w.])1 (?:(?!of\b|and\b|or\b)[a-z-]+ )?([a-z-]+s|people)\b")
ONE_AND_VERB = re.compile(
    r"(?:^|[.;:,] )1 (?:[a-z-]+ )?(?:of (?:them|the [a-z]+ [a-z]+) )?(are|have|were|do)\b"
)


def texts() -> list[str]:
    """Every text of the engine, and of the portal, that counts something."""
    found = {
        node.value
        for folder in ("techniques", "projects", "approvals", "deid_portal")
        for path in (ROOT / folder).rglob("*.py")
        if TEXT.search(source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and TEXT.search(node.value)
    }
    return sorted(found)


def of_each_count(text: str) -> list[str]:
    """The text with 1 for each of its counts by itself, other parameters as 7."""
    names = set(re.findall(r"%\((\w+)\)", text))
    found = []
    for name in sorted(set(TEXT.findall(text))):
        params = {one: 1 if one == name else 7 for one in names}
        found.append(re.sub(r"%\(\w+\)\.?\d*[dsfg]", "7", of_one(text, params).replace(f"%({name})d", "1")))
    return found


def test_no_text_says_one_rows_or_one_are() -> None:
    said = [one for text in texts() for one in of_each_count(text)]
    assert len(said) > 250
    wrong = [
        one
        for one in said
        if any(noun not in NO_PLURALS for noun in ONE_AND_PLURAL.findall(one)) or ONE_AND_VERB.search(one)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "params", "said"),
    [
        ("%(n)d rows hold no date.", {"n": 1}, "1 row holds no date."),
        ("%(n)d rows hold no date.", {"n": 2}, "2 rows hold no date."),
        ("%(n)d rows hold no date.", {"n": 0}, "0 rows hold no date."),
        ("%(a)d of %(b)d persons are left.", {"a": 1, "b": 7}, "1 of 7 persons is left."),
        ("%(a)d of %(b)d persons are left.", {"a": 0, "b": 1}, "0 of 1 person are left."),
        ("%(a)d of them have one; the %(b)d people have none.", {"a": 1, "b": 1}, "1 of them has one; the 1 person has none."),
        ("In %(n)d classes values are missing.", {"n": 1}, "In 1 class values are missing."),
        ("%(n)d values of “%(column)s” do not fit.", {"n": 1, "column": "c"}, "1 value of “c” does not fit."),
        ("These are %(n)d groups.", {"n": 1}, "This is 1 group."),
        ("%(n)d records can be recognised: their classes have fewer.", {"n": 1}, "1 record can be recognised: its class has fewer."),
        ("%(n)d records were drawn; for them it is nothing.", {"n": 1}, "1 record was drawn; for it it is nothing."),
        ("%(n)d persons were drawn; for them it is nothing.", {"n": 1}, "1 person was drawn; for them it is nothing."),
        ("有 %(n)d 行。", {"n": 1}, "有 1 行。"),
        ("%(share).1f %% of %(n)d rows are.", {"share": 50.0, "n": 1}, "50.0 % of 1 row are."),
    ],
)  # fmt: skip
def test_what_is_said_of_one(text: str, params: dict[str, object], said: str) -> None:
    assert filled(text, params) == said
    assert str(EngineError("code", text, **params)) == said
