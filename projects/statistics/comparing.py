"""What a table of statistics tells together with one that is signed already (D.1): a cell that only one of them hides, and cells whose
numbers differ by few between two versions. Works in the job, on reports alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .models import Tabulation
from .selectors import report_of, signed_beside

LEAST = 5
"""A difference of fewer tells of single persons (D.1: 20 and then 21)."""
KEPT = 20
"""Cells that are named of each kind; all are counted."""
Address = frozenset[tuple[str, str]]


def beside(table: Tabulation, report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of each signed table that can be compared with the one of ``report``: its ``number``, whether it is of the ``same_data``, how many cells
    were ``compared``, and those that were ``found``, as labels and what stands in both."""
    own, found = _cells(report), []
    for other in signed_beside(table):
        theirs = report_of(other)
        if theirs is None or not _same_kind(table, other) or report["rounded"] or theirs["rounded"]:
            continue
        is_same = table.dataset_id is not None and table.dataset_id == other.dataset_id
        cells = _cells(theirs)
        common = [address for address in own if address in cells]
        pairs = [(own[address], cells[address]) for address in common]
        matching = [pair for pair in pairs if (_opened if is_same else _few_apart)(*pair)]
        if len(common) > 1:
            found.append({
                "number": other.number,
                "same_data": is_same,
                "compared": sum(is_same or not (one["hidden"] or two["hidden"]) for one, two in pairs),
                "number_found": len(matching),
                "found": [[one["labels"], two["shown"], one["shown"]] for one, two in matching[:KEPT]],
            })  # fmt: skip
    return found


def _same_kind(table: Tabulation, other: Tabulation) -> bool:
    """Whether a cell of both says the same of the same persons."""
    one, two = table.defined, other.defined
    if (one.kind, one.column, one.holding) != (two.kind, two.column, two.holding):
        return False
    return table.dataset_id != other.dataset_id or table.person_key == other.person_key


def _cells(report: Mapping[str, Any]) -> dict[Address, dict[str, Any]]:
    """The cells by what they are about: the labels that are no total, with their columns."""
    names = [(one["name"], one["labels"][0]) for one in report["dimensions"]]
    return {
        frozenset(
            (name, label) for (name, total), label in zip(names, one["labels"], strict=True) if label != total
        ): one
        for one in report["cells"]
    }


def _opened(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    """Whether what one table hides stands in the other."""
    return bool(one["hidden"] != two["hidden"])


def _few_apart(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    """Whether both say a number, and the numbers differ by few."""
    if one["hidden"] or two["hidden"]:
        return False
    return 0 < abs(float(one["shown"]) - float(two["shown"])) < LEAST
