"""What a measurement found column by column, as the numbers of its pictures; page and paper draw them by the same code."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .gate import TableReport


def by_column(report: TableReport, lost: Collection[str]) -> dict[str, list[tuple[str, Any]]]:
    """``causes``: (quasi-identifier, classes left without it), the fewest first; ``moved``: (column, share of its values that moved).

    A column of ``lost`` is ``*`` throughout: it has not moved, and stands in the table alone.
    """
    dropped = report.risk.drop_one if report.risk else {}
    return {
        "causes": sorted(((name, one.classes) for name, one in dropped.items()), key=lambda found: found[1]),
        "moved": [
            (one.column, one.total_variation)
            for one in report.columns
            if one.total_variation is not None and one.column not in lost
        ],
    }
