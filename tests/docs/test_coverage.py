"""The coverage of the standards: paths and tests that exist, states that something bears out, ids that stand nowhere else."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace

from scripts.clause_coverage import ROOT, STATES, faults, rows
from techniques import catalogue

ROWS = rows()
ID = re.compile(r"\b[GT]-\d{3}\b")


def test_every_clause_names_what_is_there() -> None:
    assert list(faults(ROWS)) == []
    assert {row.state for row in ROWS} <= set(STATES)


def test_what_is_not_there_is_a_fault() -> None:
    served = next(row for row in ROWS if row.state == "full")
    for wrong in (
        replace(served, code=("techniques/magic.py",)),
        replace(served, tests=("tests/techniques/test_magic.py",)),
        replace(served, tests=("tests/techniques/test_catalogue.py::test_magic",)),
        replace(served, tests=("techniques/catalogue/technique.py",)),
        replace(served, tests=()),
        replace(served, state="none"),
        replace(served, state="nearly"),
        replace(served, id="A.3.2"),
    ):
        assert list(faults([wrong])), wrong


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
