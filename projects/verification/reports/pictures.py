"""What a measurement found column by column, as the numbers of its pictures; page and paper draw them by the same code."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.passages import passage
from projects.core.numbers import count
from projects.datasets.tables.names import titled
from projects.identification.profiles import bound_text, span_text

from .gate import Bar, Column, Distribution, Report, TableReport

MOST_DRAWN = 12
"""Columns whose distribution is drawn: of more than these, those that moved most."""


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


@dataclass(frozen=True)
class DistributionPicture:
    """A column's rows in source and result by part: (label under the bar, what the part is, source, result)."""

    title: str
    data: list[tuple[str, str, int, int]]
    caption: str


@dataclass(frozen=True)
class DistributionPictures:
    """The columns that are drawn, and the names of those whose distribution was counted and is not drawn."""

    drawn: list[DistributionPicture]
    others: str

    @property
    def in_pairs(self) -> list[list[DistributionPicture]]:
        """Two beside each other, as on paper."""
        return [self.drawn[place : place + 2] for place in range(0, len(self.drawn), 2)]


def distributions(report: Report) -> DistributionPictures | None:
    """Source and result of each column side by side, in the columns' order; None where nothing was counted."""
    found = list(_counted(report))
    if not found:
        return None
    moved = sorted(found, key=lambda one: -(one[1].total_variation or 0.0))[:MOST_DRAWN]
    return DistributionPictures(
        drawn=[
            _picture(table, column, bars) for table, column, bars in found if (table, column, bars) in moved
        ],
        others=_(", ").join(
            titled(table, one.column) for table, one, bars in found if (table, one, bars) not in moved
        ),
    )


def _counted(report: Report) -> Iterator[tuple[str, Column, Distribution]]:
    several = bool(report.tables)
    for table, of_table in report.by_table():
        for column in of_table.columns:
            if column.distribution is not None:
                yield (table if several else ""), column, column.distribution


def _picture(table: str, column: Column, found: Distribution) -> DistributionPicture:
    caption = (
        _("Values are shown by their rank in the source, not by name.")
        if found.sort == "text"
        else _("The first and the last bar are open.")
    )
    least = _("Each bar covers at least %(minimum)s rows.") % {"minimum": count(found.minimum)}
    return DistributionPicture(
        titled(table, column.column),
        [(*_labels(found.sort, bar), bar.source, bar.result) for bar in found.bars],
        passage((least, caption)),
    )


def _labels(sort: str, bar: Bar) -> tuple[str, str]:
    """What stands under a bar, where there is little room, and what the part is."""
    if bar.part == "line":
        short = f"< {bound_text(sort, bar.high)}" if bar.low is None else f"≥ {bound_text(sort, bar.low)}"
        return short, span_text(sort, bar.low, bar.high)
    if bar.part == "rank":
        assert bar.rank is not None
        return str(bar.rank), _("Value %(rank)s") % {"rank": bar.rank}
    said = {"others": _("Others"), "suppressed": "*", "unresolved": _("Not understood")}[bar.part]
    return said, said
