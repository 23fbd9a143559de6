"""The table of clauses in docs/reference/coverage.md, made from docs/reference/clauses.yaml and checked against the code."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "docs" / "reference" / "clauses.yaml"
STANDARDS = {"G": "GB/T 37964-2019", "T": "T/ISC 0078-2025"}
STATES = {"full": "served", "part": "in part", "none": "not yet"}


@dataclass(frozen=True)
class Row:
    """One clause: what it is about in our own words, how far it is served, by which code, shown by which tests.

    ``missing`` says what an auditor of the clause would not find; of what is served in full it is empty.
    """

    id: str
    clause: str
    about: str
    state: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    missing: str = ""


def rows() -> list[Row]:
    """All clauses in the order of the file."""
    read = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    return [
        Row(
            key,
            one["clause"],
            one["about"],
            one["state"],
            tuple(one["code"]),
            tuple(one["tests"]),
            one.get("missing", ""),
        )
        for key, one in read.items()
    ]


def faults(found: list[Row], root: Path = ROOT) -> Iterator[str]:
    """What is wrong with the table: paths and tests that do not exist, and states that nothing bears out."""
    for row in found:
        if not re.fullmatch(r"[GT]-\d{3}", row.id):
            yield f"{row.id}: not an id"
        if row.state not in STATES:
            yield f"{row.id}: no such state: {row.state}"
        if (row.state == "none") != (not row.code) or (row.state == "none") != (not row.tests):
            yield f"{row.id}: what is served names code and tests, what is not names none"
        if (row.state == "full") != (not row.missing):
            yield f"{row.id}: what is not served in full says what is missing, what is says nothing of it"
        if row.missing and (not row.missing.endswith(".") or "|" in row.missing):
            yield f"{row.id}: what is missing is a sentence without a bar"
        yield from (f"{row.id}: no such path: {path}" for path in row.code if not (root / path).exists())
        yield from (f"{row.id}: no such test: {test}" for test in row.tests if not _is_test(root, test))


def coverage() -> str:
    """The tables of both standards; SystemExit with every fault."""
    found = rows()
    wrong = list(faults(found))
    if wrong:
        raise SystemExit("docs/reference/clauses.yaml:\n" + "\n".join(wrong))
    return "\n".join(
        _standard(name, [row for row in found if row.id[0] == key]) for key, name in STANDARDS.items()
    )


def _standard(name: str, found: list[Row]) -> str:
    counts = Counter(row.state for row in found)
    counted = ", ".join(f"{counts[state]} {word}" for state, word in STATES.items())
    lines = [
        f"## {name}",
        "",
        f"{len(found)} clauses: {counted}.",
        "",
        "| Clause | Id | About | State | Served by | Shown by |",
        "|---|---|---|---|---|---|",
    ]
    for row in found:
        code, tests = ("<br>".join(f"`{item}`" for item in items) or "–" for items in (row.code, row.tests))
        lines.append(f"| {row.clause} | {row.id} | {row.about} | {STATES[row.state]} | {code} | {tests} |")
    lines += [
        "",
        "### What is missing",
        "",
        "| Clause | Id | About | What an auditor would not find |",
        "|---|---|---|---|",
    ]
    lines += [f"| {row.clause} | {row.id} | {row.about} | {row.missing} |" for row in found if row.missing]
    return "\n".join(lines) + "\n"


def _is_test(root: Path, test: str) -> bool:
    """Whether ``tests/…/test_x.py`` or ``tests/…/test_x.py::test_name`` is there and holds a test."""
    path, _, name = test.partition("::")
    file = root / path
    if not (path.startswith("tests/") and file.name.startswith("test_") and file.is_file()):
        return False
    names = _tests_of(file)
    return name in names if name else bool(names)


@cache
def _tests_of(file: Path) -> frozenset[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )
