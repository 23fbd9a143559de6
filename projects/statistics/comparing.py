"""What a table of statistics tells together with one that is signed already (D.1): a cell that only one of them hides, and cells whose
numbers differ by few between two versions. Works in the job, on reports alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .models import Tabulation
from .selectors import report_of, signed_beside

LEAST = 5
"""A difference of fewer tells of single persons (D.1: 20 and then 21)."""
KEPT = 20
"""Cells that are named of each kind; all are counted."""
Address = frozenset[tuple[str, str]]
_Cell = Mapping[str, Any]


def beside(
    table: Tabulation, report: Mapping[str, Any], without: Iterable[Tabulation] = ()
) -> list[dict[str, Any]]:
    """Of each signed table that can be compared with the one of ``report``, but for those ``without`` that were read together with it: its ``number``, its ``source`` (the ``same`` data, ``other`` data,
    or ``unknown``), and what was ``found``: the cells that are ``opened``, one table hiding what the other tells, and where the data are not
    the same those that stand few ``apart``. Of each kind how many cells were ``compared``, the ``number`` found, and the ``cells`` as labels
    and what stands in both.

    What one table hides and another tells is looked for whatever the data: the same persons may stand in two files.
    """
    own, found = _cells(report), []
    for other in signed_beside(table).exclude(pk__in=[one.pk for one in without]):
        theirs, source = report_of(other), _source(table, other)
        if theirs is None or not _same_kind(table, other, source) or report["rounded"] or theirs["rounded"]:
            continue
        cells = _cells(theirs)
        pairs = [(one, cells[address]) for address, one in own.items() if address in cells]
        if len(pairs) < 2:
            continue
        telling = [(one, two) for one, two in pairs if not (one["hidden"] or two["hidden"])]
        row = {"number": other.number, "source": source, "opened": _matching(_opened, pairs)}
        if source != "same":
            row["apart"] = _matching(_few_apart, telling)
        found.append(row)
    return found


def _matching(matches: Callable[[_Cell, _Cell], bool], pairs: list[tuple[_Cell, _Cell]]) -> dict[str, Any]:
    cells = [[one["labels"], two["shown"], one["shown"]] for one, two in pairs if matches(one, two)]
    return {"compared": len(pairs), "number": len(cells), "cells": cells[:KEPT]}


def _source(table: Tabulation, other: Tabulation) -> str:
    """Whether both are made from the same data, by the contents; of cells that were brought in nobody knows from what they were counted."""
    one, two = (made.dataset or made.imported for made in (table, other))
    assert one is not None
    assert two is not None
    if type(one) is type(two) and one.sha256 == two.sha256 and table.run_table_id == other.run_table_id:
        return "same"
    return "unknown" if table.imported or other.imported else "other"


def _same_kind(table: Tabulation, other: Tabulation, source: str) -> bool:
    """Whether a cell of both says the same of the same persons."""
    if table.measured != other.measured:
        return False
    return source != "same" or table.person_key == other.person_key


def _cells(report: Mapping[str, Any]) -> dict[Address, _Cell]:
    """The cells by what they are about: the labels that are no total, with their columns."""
    names = [(one["name"], one["labels"][0]) for one in report["dimensions"]]
    return {
        frozenset(
            (name, label) for (name, total), label in zip(names, one["labels"], strict=True) if label != total
        ): one
        for one in report["cells"]
    }


def _opened(one: _Cell, two: _Cell) -> bool:
    """Whether what one table hides stands in the other."""
    return bool(one["hidden"] != two["hidden"])


def _few_apart(one: _Cell, two: _Cell) -> bool:
    """Whether the numbers that both say differ by few."""
    return 0 < abs(float(one["shown"]) - float(two["shown"])) < LEAST
