"""What a solution does to the utility targets, computed from the search's result before anything is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.data_utility.covering import labels_above
from techniques.data_utility.measure import check_target
from techniques.data_utility.profile import SUPPRESSED, TableProfile, profile
from techniques.data_utility.targets import AssociationChange, RowsRetained, SuppressedCells, UtilityTarget
from techniques.tables.dictionary import EncodedColumn

Columns = Mapping[str, EncodedColumn]
_BATCH = 1 << 18


@dataclass(frozen=True)
class Expected:
    """What one target would measure, and whether that keeps its bound; ``passes`` None: only a run can tell."""

    measured: float | None
    passes: bool | None


UNMEASURED = Expected(None, None)


@dataclass(frozen=True)
class Present:
    """The figures of the recipe's last result that no search changes.

    ``targets`` says what each utility target measured, ``suppressed`` which share of the cells of each of the result's
    columns is ``*``, ``drawn`` which share of the rows the recipe draws.
    """

    targets: Sequence[Expected]
    suppressed: Mapping[str, float]
    drawn: float = 1.0


class Usefulness:
    """The ``targets`` against solutions for the columns ``quasi``.

    ``untouched`` are columns that the recipe leaves as they are. A target about other columns alone stays as it is in
    the ``present`` result; one that joins such a column with a generalised one can only be measured by a run.
    ``hierarchies`` are those that columns are generalised by.
    """

    def __init__(
        self,
        targets: Sequence[UtilityTarget],
        quasi: Columns,
        untouched: Columns,
        present: Present,
        hierarchies: Mapping[str, Any] | None = None,
    ) -> None:
        self.targets = list(targets)
        self.present = present
        self._quasi, self._untouched = quasi, untouched
        self._hierarchies = labels_above(hierarchies or {})
        self._read = [
            target
            for target in targets
            if not isinstance(target, RowsRetained | SuppressedCells)
            and {*target.needed_columns()} <= {*quasi, *untouched}
        ]
        self._before = self._profile({**untouched, **quasi}, None)

    def expected(self, released: Columns, left: NDArray[np.bool_]) -> list[Expected]:
        """The expected outcome of each target in order; ``released`` are the columns still there, ``left`` (n,) the rows that stay."""
        after: TableProfile | None = None
        result = []
        for target, now in zip(self.targets, self.present.targets, strict=True):
            needed = target.needed_columns()
            if isinstance(target, RowsRetained):
                result.append(_figure(target, float(left.mean()) * self.present.drawn if len(left) else 0.0))
            elif any(name in self._quasi and name not in released for name in needed):
                result.append(Expected(None, False))
            elif isinstance(target, SuppressedCells):
                result.append(self._suppressed(target, released, left))
            elif target in self._read:
                after = after or self._profile({**self._untouched, **released}, left)
                found = check_target(target, self._before, after, self._hierarchies)
                result.append(Expected(found.measured, found.passed))
            else:
                result.append(UNMEASURED if any(name in self._quasi for name in needed) else now)
        return result

    def _suppressed(self, target: SuppressedCells, released: Columns, left: NDArray[np.bool_]) -> Expected:
        known = self.present.suppressed
        names = target.columns or [
            *released,
            *(name for name in known if name not in self._quasi and name not in released),
        ]
        shares = [_stars(released[n], left) if n in released else known.get(n) for n in names]
        if not shares or any(share is None for share in shares):
            return UNMEASURED
        return _figure(target, sum(share for share in shares if share is not None) / len(shares))

    def _profile(self, columns: Columns, left: NDArray[np.bool_] | None) -> TableProfile:
        needed = {name for target in self._read for name in target.needed_columns()}
        names = sorted(needed & set(columns))
        pairs = sorted({one.columns for one in self._read if isinstance(one, AssociationChange)})
        rows = len(next(iter(columns.values())))
        return profile(_batches({name: columns[name] for name in names}, rows, left), names, pairs)


def _figure(target: UtilityTarget, measured: float) -> Expected:
    return Expected(measured, target.passes(measured))


def _stars(column: EncodedColumn, left: NDArray[np.bool_]) -> float:
    star = pc.index(column.values, SUPPRESSED).as_py()
    rows = int(left.sum())
    return float(((column.codes == star) & left).sum() / rows) if rows and star >= 0 else 0.0


def _batches(columns: Columns, rows: int, left: NDArray[np.bool_] | None) -> Iterator[pa.RecordBatch]:
    schema = pa.schema([(name, pa.string()) for name in columns])
    for start in range(0, rows, _BATCH):
        part = slice(start, start + _BATCH)
        kept = slice(None) if left is None else left[part]
        cells = [EncodedColumn(one.codes[part][kept], one.values).to_arrow() for one in columns.values()]
        yield pa.record_batch(cells, schema=schema)
