"""What a risk measurement says, as data that can be stored, compared and shown."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from techniques.core.settings import Frozen
from techniques.disclosure_risk.attackers import at_risk, threshold_key
from techniques.disclosure_risk.sizes import THRESHOLDS

SuppressedRows = Literal["own_class", "left_out"]
_TABLES = {"size_table", "smallest_table"}
_BOUNDS = (1, 2, 3, 4, 5, 10, 15, 20, 50, 100, 1000)


Sizes = np.typing.NDArray[np.int64]


def _not_counted(value: object) -> bool:
    return value is None


class HistogramBar(Frozen):
    """Classes whose size lies from ``size_from`` to ``size_to`` (None: no upper end); ``records`` are persons where those
    are counted, each with the smallest of its classes."""

    size_from: int
    size_to: int | None
    classes: int
    records: int


class Figures(Frozen):
    """The figures of one way of counting, all from ``size_table``: (class size, number of classes)
    in rising order of size. Empty tables have k = 0 and no risk.

    Where persons are counted, ``persons`` is their number and a class has the size of the different persons in it; a person
    weighs one, with the risk of the smallest class that it has rows in. ``smallest_table`` then has (size of that class,
    persons); ``unique_persons`` is the share of persons whose rows lie in classes, and as many in each, as nobody else's.
    """

    rows: int
    classes: int
    k: int
    max_risk: float
    average_risk: float
    at_risk: dict[str, float]
    size_table: tuple[tuple[int, int], ...]
    persons: int | None = Field(default=None, exclude_if=_not_counted)
    unique_persons: float | None = Field(default=None, exclude_if=_not_counted)
    smallest_table: tuple[tuple[int, int], ...] | None = Field(default=None, exclude_if=_not_counted)

    @classmethod
    def of_persons(
        cls,
        sizes: Sizes,
        smallest: Sizes,
        rows: int,
        unique: float,
        thresholds: tuple[float, ...] = THRESHOLDS,
    ) -> Figures:
        """The figures of ``rows`` rows in classes of so many persons (``sizes``), by the size of the ``smallest`` class of
        each person who has one: k, 1/k, the mean of 1/smallest, persons with 1/smallest above τ."""
        k = int(sizes.min()) if len(sizes) else 0
        distinct, number = np.unique(sizes, return_counts=True)
        least, whose = np.unique(smallest, return_counts=True)
        return cls(
            rows=rows,
            classes=len(sizes),
            k=k,
            max_risk=1 / k if k else 0.0,
            average_risk=float((whose / least).sum() / len(smallest)) if len(smallest) else 0.0,
            at_risk=at_risk(whose, least, thresholds),
            size_table=tuple(zip(distinct.tolist(), number.tolist(), strict=True)),
            persons=len(smallest),
            unique_persons=unique,
            smallest_table=tuple(zip(least.tolist(), whose.tolist(), strict=True)),
        )

    @classmethod
    def of(cls, sizes: Sizes, thresholds: tuple[float, ...] = THRESHOLDS) -> Figures:
        """The figures of classes of the given ``sizes``: k, 1/k, J/n, records with 1/f above τ."""
        rows = int(sizes.sum())
        k = int(sizes.min()) if len(sizes) else 0
        distinct, number = np.unique(sizes, return_counts=True)
        return cls(
            rows=rows,
            classes=len(sizes),
            k=k,
            max_risk=1 / k if k else 0.0,
            average_risk=len(sizes) / rows if rows else 0.0,
            at_risk=at_risk(sizes, sizes, thresholds)
            if rows
            else {threshold_key(t): 0.0 for t in thresholds},
            size_table=tuple(zip(distinct.tolist(), number.tolist(), strict=True)),
        )

    @classmethod
    def of_matches(cls, sizes: Sizes, alike: Sizes, thresholds: tuple[float, ...] = THRESHOLDS) -> Figures:
        """The figures of rows that are the same ``sizes`` times and could each be taken for ``alike`` rows."""
        rows, k = int(sizes.sum()), int(alike.min())
        distinct, number = np.unique(alike, return_counts=True)
        whose = np.bincount(np.searchsorted(distinct, alike), weights=sizes).astype(np.int64)
        return cls(
            rows=rows,
            classes=len(sizes),
            k=k,
            max_risk=1 / k,
            average_risk=float((sizes / alike).sum() / rows),
            at_risk=at_risk(sizes, alike, thresholds),
            size_table=tuple(zip(distinct.tolist(), number.tolist(), strict=True)),
            smallest_table=tuple(zip(distinct.tolist(), whose.tolist(), strict=True)),
        )

    @property
    def counted(self) -> int:
        """What shares are of: persons where those are counted, else rows."""
        return self.rows if self.persons is None else self.persons

    @property
    def records_table(self) -> list[tuple[int, int]]:
        """(class size, records or persons whose risk it is) in rising order of size."""
        if self.smallest_table is not None:
            return list(self.smallest_table)
        return [(size, size * number) for size, number in self.size_table]

    def below(self, k: int) -> tuple[int, int]:
        """(classes, records or persons) of the classes smaller than ``k``."""
        return sum(number for size, number in self.size_table if size < k), sum(
            number for size, number in self.records_table if size < k
        )

    def histogram(self) -> list[HistogramBar]:
        """Classes by size in the bars 1, 2, 3, 4, 5–9, 10–14, 15–19, 20–49, 50–99, 100–999, from 1000."""
        bars = []
        for place, low in enumerate(_BOUNDS):
            high = _BOUNDS[place + 1] - 1 if place + 1 < len(_BOUNDS) else None
            classes, records = (
                sum(n for s, n in table if s >= low and (high is None or s <= high))
                for table in (self.size_table, self.records_table)
            )
            bars.append(HistogramBar(size_from=low, size_to=high, classes=classes, records=records))
        return bars


class DropOne(Frozen):
    """What would be left if one quasi-identifier were not there; ``records_below`` a class size (persons where counted)."""

    classes: int
    k: int
    records_below: dict[int, int]


class MissingFigures(Frozen):
    """The figures if a missing value may be anything: ``k`` is the fewest rows that a row could be taken for; ``figures``
    are the same in full."""

    rows_with_missing: int
    k: int
    max_risk: float
    average_risk: float
    at_risk: dict[str, float]
    figures: Figures = Field(exclude=True)


class RiskReport(Frozen):
    """Prosecutor risk of a table by its quasi-identifiers (GB/T 37964 B.1.4.1).

    Rows whose quasi-identifiers are all ``*`` are counted both ways: ``own_class`` has them as a class
    of their own, ``left_out`` not at all; ``suppressed_option`` says which the figures at the top are.
    A missing value is a value of its own. That is the stricter reading: read as “may be anything”,
    a record could only match more others, never fewer; ``missing`` has the figures of that reading where a value is
    missing. The same holds for a single ``*``. Where persons are counted that reading has no figures: rows that look
    alike may be of one person.
    """

    columns: tuple[str, ...]
    suppressed_rows: int
    suppressed_option: SuppressedRows
    own_class: Figures
    left_out: Figures
    distinct_values: dict[str, int]
    drop_one: dict[str, DropOne]
    missing: MissingFigures | None = None
    k_as_values: int | None = None
    """Where emptied cells are read as anything: k with each of them as a value of its own, the stricter reading."""

    @property
    def figures(self) -> Figures:
        """The figures of the chosen way of counting suppressed rows."""
        return self.own_class if self.suppressed_option == "own_class" else self.left_out

    @property
    def rows(self) -> int:
        return self.figures.rows

    @property
    def classes(self) -> int:
        """Number of equivalence classes, J."""
        return self.figures.classes

    @property
    def k(self) -> int:
        """Size of the smallest class."""
        return self.figures.k

    @property
    def max_risk(self) -> float:
        """1/k."""
        return self.figures.max_risk

    @property
    def average_risk(self) -> float:
        """J/n."""
        return self.figures.average_risk

    @property
    def at_risk(self) -> dict[str, float]:
        """Share of records whose probability lies above each threshold."""
        return self.figures.at_risk

    def with_missing_as_anything(self) -> RiskReport:
        """The report by the looser reading, in which an emptied cell may be anything (A.3.3); itself where no cell is
        missing."""
        if self.missing is None:
            return self
        read = self.missing.figures
        return self.model_copy(
            update={
                "own_class": read, "left_out": read, "missing": None, "drop_one": {}, "suppressed_rows": 0,
                "k_as_values": self.k,
            }
        )  # fmt: skip

    def summary(self) -> dict[str, object]:
        """The six figures, and those of persons where they are counted, that ``deid risk --json`` always prints."""
        return self.figures.model_dump(exclude=_TABLES)

    def both_readings(self) -> dict[str, object]:
        """The figures counted both ways, where rows are suppressed or cells missing."""
        found: dict[str, object] = {}
        if self.suppressed_rows:
            found["suppressed_rows"] = self.suppressed_rows
            for name, figures in (("own_class", self.own_class), ("left_out", self.left_out)):
                found[name] = figures.model_dump(exclude=_TABLES)
        if self.missing is not None:
            found["missing_as_anything"] = self.missing.model_dump()
        return found
