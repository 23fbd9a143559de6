"""Checking utility targets on the written result, and comparing it column by column (5.5.3)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.data_utility.covering import Hierarchy, Spread, spread, total_variation
from techniques.data_utility.distribution import Distribution, distribution
from techniques.data_utility.numbers import values_of
from techniques.data_utility.profile import (
    ColumnProfile,
    TableProfile,
    numeric_summary,
    profile,
    too_many_values,
)
from techniques.data_utility.targets import (
    AssociationChange,
    CategoriesKept,
    MeanChange,
    MissingChange,
    RowsRetained,
    SuppressedCells,
    UtilityTarget,
)
from techniques.data_utility.transport import column_distance

_NUMERIC_SHARE = 0.95
_MAX_CELLS = 4_000_000


class TargetResult(Frozen):
    """A target with what was measured. ``passed`` is true only for a check that ran and kept its bound.

    ``reason`` and ``params`` say, untranslated, why a check could not run; then ``measured`` is None.
    ``source`` and ``result`` are the two values behind a difference, where there are two.
    """

    target: UtilityTarget
    measured: float | None
    passed: bool
    source: float | None = None
    result: float | None = None
    reason: str = ""
    params: dict[str, str | int | float] = {}


class ColumnComparison(Frozen):
    """A column in the source and in the result; None where a figure does not exist.

    ``unresolved`` cells of the result have labels that cover no source value; ``total_variation`` counts them as moved
    altogether, ``wasserstein`` (of numbers, as a share of the source's range) leaves them out. ``distribution`` is None
    unless it was asked for.
    """

    column: str
    missing: tuple[float, float]
    suppressed: tuple[float, float]
    distinct: tuple[int | None, int | None]
    mean: tuple[float | None, float | None]
    standard_deviation: tuple[float | None, float | None]
    quantiles: tuple[dict[str, float], dict[str, float]]
    total_variation: float | None
    unresolved: int = 0
    wasserstein: float | None = None
    distribution: Distribution | None = None


def assess(
    targets: Sequence[UtilityTarget],
    source: Iterable[pa.RecordBatch],
    result: Iterable[pa.RecordBatch],
    *,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    least: int | None = None,
    known: tuple[Mapping[str, ColumnProfile], Mapping[str, ColumnProfile]] = ({}, {}),
    columns: Sequence[str] | None = None,
    tick: Callable[[int], None] | None = None,
) -> tuple[list[TargetResult], list[ColumnComparison]]:
    """Measure every target, in order, and compare each column that both tables have, in the result's order; in one pass
    over each table.

    ``hierarchies`` tell, for a column, which labels stand above a source value. A check that cannot run, for a missing
    column as for any other reason, is not passed and says why. With ``least`` each comparison has the distribution of its column,
    in bars of so many rows or more. ``known`` are columns of source and result that were profiled already: their batches need not have
    them, but for the pairs of targets; then ``columns`` are those of the result in their order. ``tick`` is called with the rows read so far, of both tables together.
    """
    batches = iter(result)
    first = next(batches, None)
    columns = [] if first is None else list(columns or first.schema.names)
    again = itertools.chain([] if first is None else [first], batches)
    needed = {*columns, *(column for target in targets for column in target.needed_columns())}
    pairs = sorted({target.columns for target in targets if isinstance(target, AssociationChange)})
    before = profile(source, sorted(needed), pairs, tick, known[0])
    ticking = None if tick is None else lambda rows: tick(before.rows + rows)
    after = profile(again, None, pairs, ticking, known[1])
    above = hierarchies or {}
    return (
        [check_target(target, before, after, above) for target in targets],
        [
            _comparison(column, before.columns[column], after.columns[column], above.get(column), least)
            for column in columns
            if column in before.columns and column in after.columns
        ],
    )


def check_target(
    target: UtilityTarget, before: TableProfile, after: TableProfile, hierarchies: Mapping[str, Hierarchy]
) -> TargetResult:
    """One target on the profiles of both tables, with the columns and pairs that it needs."""
    try:
        measured, source, result = _measure(target, before, after, hierarchies)
    except EngineError as error:
        params = {key: value for key, value in error.params.items() if isinstance(value, str | int | float)}
        return TargetResult(target=target, measured=None, passed=False, reason=error.message, params=params)
    return TargetResult(
        target=target, measured=measured, passed=target.passes(measured), source=source, result=result
    )


Measured = tuple[float, float | None, float | None]


def _measure(
    target: UtilityTarget, before: TableProfile, after: TableProfile, hierarchies: Mapping[str, Hierarchy]
) -> Measured:
    if before.rows == 0:
        raise EngineError("source_empty", _("The source has no rows to compare with."))
    if isinstance(target, RowsRetained):
        return after.rows / before.rows, before.rows, after.rows
    if after.rows == 0:
        raise EngineError("result_empty", _("The result has no rows to compare."))
    for column in target.needed_columns():
        in_source = column in before.columns or isinstance(target, SuppressedCells)
        if not in_source or column not in after.columns:
            raise faults.column_missing(column)
    if isinstance(target, SuppressedCells):
        columns = target.columns or tuple(after.columns)
        stars = sum(after.columns[column].suppressed for column in columns)
        return stars / (after.rows * max(len(columns), 1)), None, None
    if isinstance(target, AssociationChange):
        return _association_change(target, before, after)
    source, result = before.columns[target.column], after.columns[target.column]
    if isinstance(target, MissingChange):
        shares = source.missing / source.rows, result.missing / result.rows
        return abs(shares[0] - shares[1]), *shares
    if isinstance(target, MeanChange):
        return _mean_change(source, result)
    if isinstance(target, CategoriesKept):
        return _categories_kept(source, result)
    return total_variation(*_spread(source, result, hierarchies.get(target.column))), None, None


def _mean_change(source: ColumnProfile, result: ColumnProfile) -> Measured:
    before, after = numeric_summary(source), numeric_summary(result)
    if before is None or after is None or min(before.share, after.share) < _NUMERIC_SHARE:
        raise EngineError("not_numeric", _("The column is not numeric in both the source and the result."))
    if before.mean == 0:
        raise EngineError("mean_zero", _("The mean of the source is zero, so there is no relative change."))
    return abs(after.mean - before.mean) / abs(before.mean), before.mean, after.mean


def _categories_kept(source: ColumnProfile, result: ColumnProfile) -> Measured:
    if source.values is None or result.values is None:
        raise too_many_values()
    before, after = set(source.values.to_pylist()), set(result.values.to_pylist())
    if not before:
        raise EngineError("column_empty", _("The column has no values in the source."))
    return len(before & after) / len(before), len(before), len(before & after)


def _spread(
    source: ColumnProfile, result: ColumnProfile, hierarchy: Hierarchy | None
) -> tuple[npt.NDArray[np.int64], Spread]:
    """The source's counts, and the result spread over the same values."""
    if source.values is None or source.counts is None or result.values is None or result.counts is None:
        raise too_many_values()
    if source.present == 0:
        raise EngineError("column_empty", _("The column has no values in the source."))
    found = spread(source.values, result.values, result.counts, result.suppressed, hierarchy)
    return source.counts, found


def _association_change(target: AssociationChange, before: TableProfile, after: TableProfile) -> Measured:
    in_source, in_result = before.pairs.get(target.columns), after.pairs.get(target.columns)
    if in_source is None or in_result is None:
        raise too_many_values()
    source_columns, source_counts = in_source
    result_columns, result_counts = in_result
    numeric = all(
        _numeric_share(values_of(column), counts) >= _NUMERIC_SHARE
        for columns, counts in ((source_columns, source_counts), (result_columns, result_counts))
        for column in columns
    )
    measure = _correlation if numeric else _cramers_v
    values = measure(source_columns, source_counts), measure(result_columns, result_counts)
    return abs(values[0] - values[1]), *values


def _numeric_share(numbers: npt.NDArray[np.float64], counts: npt.NDArray[np.int64]) -> float:
    total = counts.sum()
    return float(counts[~np.isnan(numbers)].sum() / total) if total else 0.0


def _correlation(columns: list[pa.Array], counts: npt.NDArray[np.int64]) -> float:
    """Pearson's correlation of two columns of counted pairs."""
    x, y = values_of(columns[0]), values_of(columns[1])
    known = ~(np.isnan(x) | np.isnan(y))
    x, y, weights = x[known], y[known], counts[known].astype(np.float64)
    x, y = x - np.average(x, weights=weights), y - np.average(y, weights=weights)
    spread_x, spread_y = (weights * x * x).sum(), (weights * y * y).sum()
    if spread_x == 0 or spread_y == 0:
        raise _constant()
    return float((weights * x * y).sum() / np.sqrt(spread_x * spread_y))


def _cramers_v(columns: list[pa.Array], counts: npt.NDArray[np.int64]) -> float:
    """Cramér's V of two columns of counted pairs, without bias correction."""
    codes = [column.dictionary_encode() for column in columns]
    rows, across = (len(code.dictionary) for code in codes)
    if rows < 2 or across < 2:
        raise _constant()
    if rows * across > _MAX_CELLS:
        raise EngineError(
            "too_many_categories", _("The columns have too many categories for a measure of association.")
        )
    observed = np.zeros((rows, across))
    np.add.at(observed, (codes[0].indices.to_numpy(), codes[1].indices.to_numpy()), counts)
    total = observed.sum()
    expected = observed.sum(axis=1, keepdims=True) * observed.sum(axis=0, keepdims=True) / total
    chi_squared = ((observed - expected) ** 2 / expected).sum()
    return float(np.sqrt(chi_squared / (total * (min(rows, across) - 1))))


def _constant() -> EngineError:
    return EngineError("column_constant", _("A column that is the same in every row has no association."))


def _comparison(
    column: str,
    source: ColumnProfile,
    result: ColumnProfile,
    hierarchy: Hierarchy | None,
    least: int | None,
) -> ColumnComparison:
    numbers = []
    for side in (source, result):
        summary = numeric_summary(side)
        numbers.append(summary if summary is not None and summary.share >= _NUMERIC_SHARE else None)
    distance: float | None = None
    moved: float | None = None
    bars: Distribution | None = None
    unresolved = 0
    with suppress(EngineError):  # too many values, or none
        counts, found = _spread(source, result, hierarchy)
        distance, unresolved = total_variation(counts, found), round(found.unresolved)
        if least is not None:
            bars = distribution(source, result, found, least)
        if numbers[0] is not None:
            moved = column_distance(source, result, hierarchy)
    before, after = numbers
    return ColumnComparison(
        column=column,
        missing=(source.missing / max(source.rows, 1), result.missing / max(result.rows, 1)),
        suppressed=(source.suppressed / max(source.rows, 1), result.suppressed / max(result.rows, 1)),
        distinct=(
            None if source.values is None else len(source.values),
            None if result.values is None else len(result.values),
        ),
        mean=(before.mean if before else None, after.mean if after else None),
        standard_deviation=(
            before.standard_deviation if before else None,
            after.standard_deviation if after else None,
        ),
        quantiles=(before.quantiles if before else {}, after.quantiles if after else {}),
        total_variation=distance,
        unresolved=unresolved,
        wasserstein=moved,
        distribution=bars,
    )
