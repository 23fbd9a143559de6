"""What a measurement found column by column, as the numbers of its pictures; page and paper draw them by the same code."""

from __future__ import annotations

from typing import Any

from .presentation import columns_lost
from .reports.gate import TableReport


def by_column(report: TableReport) -> dict[str, list[tuple[str, Any]]]:
    """``causes``: (quasi-identifier, classes left without it), the fewest first; ``moved``: (column, share of its values that moved).

    A column that is ``*`` throughout has not moved, it is lost, and stands in the table alone.
    """
    dropped = report.risk.drop_one if report.risk else {}
    lost = columns_lost(report)
    return {
        "causes": sorted(((name, one.classes) for name, one in dropped.items()), key=lambda found: found[1]),
        "moved": [
            (one.column, one.total_variation)
            for one in report.columns
            if one.total_variation is not None and one.column not in lost
        ],
    }
