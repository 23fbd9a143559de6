"""What the sheet of levels shows: one page of values, the groups of each level, and where to go on."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Paginator
from django.utils.translation import gettext as _

from projects.core.numbers import count

from ..drafts import StepDraft, table_text
from .levels import Rows, groups

PAGE_ROWS = 50
MOST_GROUPS = 200
"""Groups of a level that a list offers; any other is typed."""


@dataclass(frozen=True)
class Slot:
    """Where a table of levels stands in the entries of a step: ``h-``, ``h3-`` or ``c3-h-``."""

    step: StepDraft
    prefix: str

    @property
    def is_table(self) -> bool:
        return self.step.values.get(f"{self.prefix}kind", [""])[0] == "table"

    def read(self) -> Rows:
        """The rows as they were entered; :class:`csv.Error` where the text is no table."""
        text = self.step.values.get(f"{self.prefix}rows", [""])[0].replace("\r\n", "\n")
        first = text.split("\n", 1)[0]
        mark = next((one for one in ";\t," if one in first), ";")
        return [
            [cell.strip() for cell in row]
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark)
            if row
        ]

    def write(self, rows: Rows) -> None:
        self.step.values[f"{self.prefix}rows"] = [table_text(rows)]


MOST_LEAVES = 100
"""Values of a group that the tree shows; of more it says how many there are."""
OPEN_LINES = 60
"""A tree of so many lines stands open; of a larger one its first level does."""


@dataclass
class Branch:
    """A group in the tree: its level, the number of a row that stands in it, and what is below it."""

    name: str
    level: int
    row: int
    typed: str
    size: int = 0
    branches: list[Branch] = field(default_factory=list)
    leaves: list[tuple[int, str, bool]] = field(default_factory=list)
    is_open: bool = False

    @property
    def key(self) -> str:
        return f"{self.level}-{self.row}"

    @property
    def said(self) -> str:
        return count(self.size)

    @property
    def more(self) -> str:
        """How many values are not shown; empty where all are."""
        hidden = 0 if self.branches else self.size - len(self.leaves)
        return count(hidden) if hidden else ""


def tree(
    found: Sequence[tuple[int, list[str]]], *, typed: Mapping[str, str], picked: Sequence[str]
) -> list[Branch]:
    """The rows, each with its number, as groups within groups: the highest level outermost."""
    roots: list[Branch] = []
    known: dict[tuple[str, ...], Branch] = {}
    for number, row in found:
        above = roots
        for level in range(len(row) - 1, 0, -1):
            path = tuple(row[level:])
            branch = known.get(path)
            if branch is None:
                shown = typed.get(f"name-{level}-{number}", row[level])
                branch = known[path] = Branch(row[level], level, number, shown)
                above.append(branch)
            branch.size += 1
            above = branch.branches
            if level == 1 and branch.size <= MOST_LEAVES:
                branch.leaves.append((number, row[0], str(number) in picked))
    lines = len(known) + min(len(found), MOST_LEAVES * len(known))
    for branch in known.values():
        branch.is_open = lines <= OPEN_LINES or branch in roots
    return roots


def sheet(
    rows: Rows,
    *,
    page: str,
    wanted: str,
    typed: Mapping[str, str],
    picked: Sequence[str],
    as_tree: bool = False,
) -> dict[str, Any]:
    """The context: the ``wanted`` values (those with a cell that has the text) on one page, or all of them as a tree, and the
    groups of each level.

    ``typed`` and ``picked``: what was sent and refused; it stays in the fields.
    """
    found = [
        (number, row) for number, row in enumerate(rows) if not wanted or any(wanted in cell for cell in row)
    ]
    shown = Paginator(found, PAGE_ROWS).get_page(page)
    width = max((len(row) for row in rows), default=1)
    levels = []
    for level in range(1, width):
        known = groups([row for row in rows if len(row) > level], level)
        levels.append(
            {
                "number": level,
                "text": str(level),
                "groups": [(name, count(size)) for name, size in known[:MOST_GROUPS]],
                "said": _("%(groups)s groups") % {"groups": count(len(known))},
                "removable": width > 2,
            }
        )
    lines = (
        []
        if as_tree and levels
        else [
            {
                "number": number,
                "value": row[0],
                "is_picked": str(number) in picked,
                "cells": [
                    (level, typed.get(f"cell-{number}-{level}", row[level])) for level in range(1, len(row))
                ],
            }
            for number, row in shown.object_list
        ]
    )
    return {
        "page": shown,
        "lines": lines,
        "tree": tree(found, typed=typed, picked=picked) if as_tree and levels else None,
        "levels": levels,
        "values": count(len(rows)),
        "found": count(len(found)),
        "wanted": wanted,
        "typed": typed,
    }
