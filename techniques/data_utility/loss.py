"""What generalisation and suppression have cost the cells of a table, from original and released table alone.

The figures are those of the report of ``deid anonymize``: the share of a cell is the leaves under its value / the N leaves
of its hierarchy, or without one the different source values that it covers / all N of them; a missing value is a leaf more.
NCP (normalised certainty penalty) of a cell is 0 for a value kept, else its share, of an interval without a hierarchy its
width / that of the column; granularity is 1 - (mean share - 1/N) / (1 - 1/N); precision 1 - levels climbed / levels there
are (Sweeney). A suppressed cell, and one that is missing where the source is not, has lost everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.settings import Frozen
from techniques.data_utility.covering import coverings
from techniques.data_utility.numbers import interval, values_of
from techniques.data_utility.whole import comparable_rows, star_of
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.tables.dictionary import MISSING, EncodedColumn

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
_NOWHERE = -2


class ColumnLoss(Frozen):
    """Figures of one column between 0 and 1; ``precision`` is None without a hierarchy that has all of its labels.

    ``unresolved`` cells have labels that cover nothing in the source; they count as lost.
    """

    ncp: float
    granularity: float
    precision: float | None
    unresolved: int


class InformationLoss(Frozen):
    """The same over all cells of the columns that were compared; ``granularity`` weighs a column by what it can lose."""

    ncp: float
    granularity: float
    precision: float | None
    unresolved: int
    columns: dict[str, ColumnLoss]


def information_loss(
    original: Mapping[str, EncodedColumn],
    released: Mapping[str, EncodedColumn],
    qi: Sequence[str],
    hierarchies: Mapping[str, Table] | None = None,
) -> InformationLoss:
    """Compare two tables of the same rows in the same order. Raises EngineError ``column_missing``, ``rows_differ``,
    ``source_empty``."""
    rows = comparable_rows(original, released, qi)
    known = hierarchies or {}
    columns: dict[str, ColumnLoss] = {}
    lost = room = 0.0
    for name in qi:
        found = _Cells(original[name], released[name], known.get(name))
        columns[name], share = found.loss(rows), found.mean(found.share, rows)
        lost += share - 1 / found.leaves
        room += 1 - 1 / found.leaves
    precisions = [one.precision for one in columns.values() if one.precision is not None]
    return InformationLoss(
        ncp=sum(one.ncp for one in columns.values()) / len(columns),
        granularity=_left(lost, room),
        precision=sum(precisions) / len(columns) if len(precisions) == len(columns) else None,
        unresolved=sum(one.unresolved for one in columns.values()),
        columns=columns,
    )


def _left(lost: float, room: float) -> float:
    """1 - lost / room, rounding aside between 0 and 1; 1 where there is nothing to lose."""
    return min(max(1 - lost / room, 0.0), 1.0) if room > 0 else 1.0


class _Cells:
    """The different pairs of a source value and its released label, with how often they occur and what each has lost."""

    def __init__(self, before: EncodedColumn, after: EncodedColumn, hierarchy: Table | None) -> None:
        width = len(after.values) + 1
        pairs, self.counts = np.unique(
            (before.codes.astype(np.int64) + 1) * width + after.codes + 1, return_counts=True
        )
        self.old: Codes = pairs // width - 1
        self.new: Codes = pairs % width - 1
        self.before, self.after = before, after
        self.climbed: Floats = np.zeros(len(pairs))
        """Levels climbed / levels there are; NaN where the label is at no level."""
        if hierarchy is None:
            self.leaves = max(len(before.values) + (before.missing > 0), 1)
            self.share = np.full(len(pairs), np.nan)
            self.climbed[:] = np.nan
        else:
            self._by_levels(hierarchy)
        starred = (self.new == star_of(after)) & (self.old != star_of(before))
        self._by_covering(~starred)
        same = (self.old == MISSING) & (self.new == MISSING)
        gone = ~same & ((self.new == MISSING) | (np.isnan(self.share) & starred))
        for mask, share, climbed in ((same, 1 / self.leaves, 0.0), (gone, 1.0, 1.0)):
            self.share[mask], self.penalty[mask] = share, float(climbed)
            if hierarchy is not None:
                self.climbed[mask] = climbed
        self.unresolved = np.isnan(self.share)
        self.share[self.unresolved] = self.penalty[self.unresolved] = 1.0

    def loss(self, rows: int) -> ColumnLoss:
        """The figures of the column."""
        climbed = self.mean(self.climbed, rows)
        return ColumnLoss(
            ncp=self.mean(self.penalty, rows),
            granularity=_left(self.mean(self.share, rows) - 1 / self.leaves, 1 - 1 / self.leaves),
            precision=None if np.isnan(climbed) else 1 - climbed,
            unresolved=int(self.counts[self.unresolved].sum()),
        )

    def mean(self, figures: Floats, rows: int) -> float:
        """Mean of a figure over the cells."""
        return float((figures * self.counts).sum() / rows)

    def _by_levels(self, definition: Table) -> None:
        """Shares of labels that stand above their values; the lowest level that has the label counts."""
        built = build(definition, self.before.values.cast(pa.string()))
        self.leaves = max(built.size + bool(self.before.missing or built.unfit.any()), 1)
        self.share = np.full(len(self.old), np.nan)
        self.climbed = np.full(len(self.old), np.nan)
        present = self.old != MISSING
        top = built.levels - 1
        for level in range(top, -1, -1):
            codes = built.codes[level].astype(np.int64)
            labels = pc.fill_null(pc.index_in(built.labels[level], value_set=self.after.values), _NOWHERE)
            written = np.append(labels.to_numpy().astype(np.int64)[codes], _NOWHERE)
            here = present & (written[self.old] == self.new)
            under = np.append(built.leaves[level][codes], 1)[self.old[here]]
            self.share[here] = 1.0 if level == top > 0 else np.maximum(under, 1) / self.leaves
            self.climbed[here] = level / max(top, 1)

    def _by_covering(self, among: npt.NDArray[np.bool_]) -> None:
        """Penalties of all labels, and shares of those that no level has, by the source values that they cover."""
        values, labels = self.before.values.cast(pa.string()), self.after.values.cast(pa.string())
        rest = among & np.isnan(self.share) & (self.old != MISSING) & (self.new != MISSING)
        wanted = np.unique(self.new[rest])
        named = labels.take(pa.array(wanted))
        covers, width = np.full((2, len(labels)), np.nan)
        own, foreign = coverings(values, named)
        covers[wanted[own >= 0]] = 1
        for place, covered in foreign:
            covers[wanted[place]] = len(covered) or np.nan
        width[wanted] = _widths(values, named)
        self.share[rest] = covers[self.new[rest]] / self.leaves
        kept = self.share * self.leaves <= 1 + 1e-9
        self.penalty: Floats = np.where(kept, 0.0, self.share)
        wide = width[self.new[rest]]
        self.penalty[rest] = np.where(np.isnan(wide), self.penalty[rest], wide)
        # An interval that stood in the source is a value kept, whatever its width.
        unchanged = pc.fill_null(pc.index_in(labels, value_set=values), _NOWHERE).to_numpy()
        self.penalty[rest & (np.append(unchanged, _NOWHERE)[self.new] == self.old)] = 0.0


def _widths(values: pa.Array, labels: pa.Array) -> Floats:
    """Width of each label that is an interval / that of the column; NaN for others and where these are no numbers."""
    found: Floats = np.full(len(labels), np.nan)
    numbers = values_of(values)
    if len(numbers) == 0 or np.isnan(numbers).any() or numbers.max() == numbers.min():
        return found
    lowest, highest = float(numbers.min()), float(numbers.max())
    for place, text in enumerate(labels.to_pylist()):
        bounds = interval(text)
        if bounds is not None:
            inside = min(bounds[1], highest) - max(bounds[0], lowest)
            found[place] = max(inside, 0.0) / (highest - lowest)
    return found
