"""The coverage of the standards: paths and tests that exist, states that something bears out, ids that stand nowhere else."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

from scripts.clause_coverage import ROOT, STANDARDS, STATES, coverage, faults, rows
from techniques import catalogue

ROWS = rows()
ID = re.compile(r"\b[GT]-\d{3}\b")


def test_every_clause_names_what_is_there() -> None:
    assert list(faults(ROWS)) == []
    assert {row.state for row in ROWS} <= set(STATES)


def test_what_is_not_there_is_a_fault() -> None:
    served = next(row for row in ROWS if row.state == "full")
    part = replace(served, state="part", missing="A page for it.")
    assert list(faults([served, part])) == []
    for wrong in (
        replace(served, code=("techniques/magic.py",)),
        replace(served, tests=("tests/techniques/test_magic.py",)),
        replace(served, tests=("tests/techniques/test_catalogue.py::test_magic",)),
        replace(served, tests=("techniques/catalogue/technique.py",)),
        replace(served, tests=()),
        replace(served, state="none"),
        replace(served, state="nearly"),
        replace(served, id="A.3.2"),
        replace(served, missing="A page for it."),
        replace(part, missing=""),
        replace(part, missing="a page, somehow"),
    ):
        assert list(faults([wrong])), wrong


def test_what_is_missing_stands_under_its_standard() -> None:
    first, second = coverage().split(f"## {STANDARDS['T']}")
    for row in ROWS:
        shown = f"| {row.clause} | {row.id} | {row.about} | {row.missing} |"
        assert (shown in (first if row.id[0] == "G" else second)) == (row.state != "full"), row.id


def test_every_clause_of_a_technique_is_in_the_table() -> None:
    table = {(row.id[0], clause) for row in ROWS for clause in row.clause.split(", ")}
    for spec in catalogue.techniques():
        for clause in spec.clauses:
            key, number = ("T", clause.removeprefix("T/ISC 0078 ")) if "T/ISC" in clause else ("G", clause)
            assert any(key == k and (c == number or c.startswith(f"{number}.")) for k, c in table), clause


def test_ids_stand_nowhere_else() -> None:
    """Everywhere else a clause is named as its standard names it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    allowed = {"docs/reference/clauses.yaml", "docs/reference/coverage.md"}
    named = [
        name
        for name in listed.stdout.splitlines()
        if name.endswith((".py", ".md", ".html", ".yaml", ".txt", ".po")) and name not in allowed
        if (ROOT / name).is_file() and ID.search((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert named == []


Signposts = dict[tuple[str, ...], list[str]]
"""The folders to which each beginning of a clause leads; a beginning is the parts of its number."""


def parts(clause: str) -> tuple[str, ...]:
    """``B.1.4.2 b 1`` as ("B", "1", "4", "2", "b", "1")."""
    return tuple(re.split(r"[. ]", clause))


def signposts(page: str) -> dict[str, Signposts]:
    """The architecture's tables from a clause to its folder, by the letter of the standard."""
    found: dict[str, Signposts] = {}
    section = page.split("## From a clause to its folder")[1].split("\n## ")[0]
    for table in section.split("\n\n"):
        if not table.startswith("| "):
            continue
        head, _rule, *lines = (
            [cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()
        )
        (letter,) = (key for key, name in STANDARDS.items() if name.startswith(head[0].strip("| ")))
        for clauses, _about, folders in lines:
            for clause in clauses.split(", "):
                assert parts(clause) not in found.setdefault(letter, {}), clause
                found[letter][parts(clause)] = re.findall(r"`([\w/]+/)`", folders)
    return found


def led_to(clause: str, of: Signposts) -> list[str]:
    """The folders of the longest beginning of ``clause`` that has a row; none where no row has one."""
    number = parts(clause)
    return next((of[number[:end]] for end in range(len(number), 0, -1) if number[:end] in of), [])


SIGNPOSTS = signposts((ROOT / "docs/explanation/architecture.md").read_text(encoding="utf-8"))


def test_the_architecture_leads_from_every_served_clause_to_its_code() -> None:
    astray = [
        f"{row.id} {clause}: {folders}"
        for row in ROWS
        if row.state != "none"
        for clause in row.clause.split(", ")
        if not any(
            path.startswith(tuple(folders := led_to(clause, SIGNPOSTS[row.id[0]]))) for path in row.code
        )
    ]
    assert astray == []


def test_the_architecture_leads_into_rooms_not_onto_floors() -> None:
    """Every row serves a clause, and names folders that say something: none is a whole floor."""
    for letter, of in SIGNPOSTS.items():
        numbers = [parts(clause) for row in ROWS if row.id[0] == letter for clause in row.clause.split(", ")]
        for beginning, folders in of.items():
            assert any(number[: len(beginning)] == beginning for number in numbers), beginning
            assert folders
            assert all(len(Path(folder).parts) > 1 and (ROOT / folder).is_dir() for folder in folders), (
                beginning
            )


def test_a_clause_that_leads_astray_is_seen() -> None:
    of: Signposts = {("A",): ["techniques/catalogue/"], ("A", "4"): ["techniques/advice/"]}
    assert led_to("A.4 b", of) == ["techniques/advice/"]
    assert led_to("A.40", of) == ["techniques/catalogue/"]
    assert led_to("B.1", of) == []
