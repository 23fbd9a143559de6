"""What the sheet of levels shows: one page of values, the groups of each level, and where to go on."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


def sheet(
    rows: Rows, *, page: str, wanted: str, typed: Mapping[str, str], picked: Sequence[str]
) -> dict[str, Any]:
    """The context: the ``wanted`` values (those with a cell that has the text) on one page, and the groups of each level.

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
    lines = [
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
    return {
        "page": shown,
        "lines": lines,
        "levels": levels,
        "values": count(len(rows)),
        "found": count(len(found)),
        "wanted": wanted,
        "typed": typed,
    }
