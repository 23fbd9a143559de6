"""The glossary: one word for one concept, and words that gave way stay away."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("approvals", "deid_portal", "projects", "techniques", "tests", "benchmarks", "scripts")
STORED = {"asked", "asked_at", "asked_by", "mend", "ways"}
"""Fields of the database and of the API that keep a word that gave way."""
OTHER_SENSES = {
    "way_back": ("techniques/",),
    "WayBack": ("techniques/", "projects/reversal/"),
    "way_of": ("projects/reversal/",),
    "way": (
        "projects/reversal/", "techniques/recipe/reversibility.py", "tests/projects/reversal/test_several_tables.py",
        "projects/processing/recipes/scenes/api.py", "techniques/recipe/scenes.py", "tests/access/",
    ),
    "WAYS": ("tests/projects/reversal/",),
}  # fmt: skip
"""Name → where it is right, as its word gave way in one sense only: a job under way, the way back from a result, how a
scene treats its data, how a visit signs in."""
GLOSSARY = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")


def section(title: str) -> list[list[str]]:
    """The rows of the table under a heading, without its head."""
    text = GLOSSARY.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("|---")
    ][1:]


def words(name: str) -> set[str]:
    """The words of an identifier: ``RecipeDraft`` and ``recipe_draft`` are recipe and draft."""
    return {part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def names() -> Iterator[tuple[str, str]]:
    """Each module, class, function, parameter, variable and attribute of product and tests, with its place."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            place = str(path.relative_to(ROOT))
            for part in path.relative_to(ROOT).with_suffix("").parts:
                yield part, place
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if name := given_name(node):
                    yield name, f"{place}:{getattr(node, 'lineno', 0)}"


def given_name(node: ast.AST) -> str | None:
    """The name that a node gives to something; None of one that gives none, and of tests, which are sentences."""
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return None if name.startswith("test_") else name
        case (
            ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store())
        ):
            return name
        case ast.alias(asname=name):
            return name
    return None


def banned_words() -> set[str]:
    """The words that are gone; the senses that stand in brackets beside them are left out. A word may stand as a plural."""
    return {
        word.strip() + plural
        for entry, _, state in section("Words that give way")
        if state.startswith("gone")
        for word in re.sub(r"\(.*?\)", "", entry).split(",")
        for plural in ("", "s")
    }


def in_another_sense(name: str, place: str) -> bool:
    """Whether the name is right in this place, though its word gave way elsewhere."""
    return "under_way" in name.lower() or place.startswith(OTHER_SENSES.get(name, ("/",)))


def test_a_name_is_read_as_its_words() -> None:
    assert words("RecipeDraft_v") == {"recipe", "draft", "v"}
    assert words("HTTPAnswer") == {"http", "answer"}
    assert "fix" not in words("prefixed")


def test_words_that_gave_way_stay_away() -> None:
    banned = banned_words()
    assert {"asked", "told", "mend", "way", "ways"} <= banned
    assert [
        f"{place}: {name}"
        for name, place in names()
        if words(name) & banned and name not in STORED and not in_another_sense(name, place)
    ] == []


def test_a_word_in_another_sense_is_still_said() -> None:
    said = list(names())
    unused = [
        (name, start)
        for name, starts in OTHER_SENSES.items()
        for start in starts
        if not any(one == name and place.startswith(start) for one, place in said)
    ]
    assert unused == []


def test_a_word_stands_once_and_in_its_place() -> None:
    listed = [row[0] for row in section("Words of the code")]
    assert len(listed) > 40
    assert listed == sorted(listed, key=str.lower)
    single = [word.strip() for entry in listed for word in entry.split(",")]
    assert len(single) == len(set(single))


def test_no_word_of_the_code_is_one_that_gives_way() -> None:
    old = {
        word.strip()
        for entry, *_ in section("Words that give way")
        for word in re.sub(r"\(.*?\)", "", entry).split(",")
    }
    assert old
    assert old & {word for row in section("Words of the code") for word in row[0].split(", ")} == set()


def test_every_package_that_the_glossary_names_exists() -> None:
    for package in re.findall(r"`((?:approvals|techniques|projects|deid_portal)[\w.]*)`", GLOSSARY):
        assert (ROOT / package.replace(".", "/")).exists() or (
            ROOT / (package.replace(".", "/") + ".py")
        ).exists()
