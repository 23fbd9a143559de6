"""What a later release of a growing data set tells of the rows that came in between (GB/T 37964 D.5).

Who has both releases sees which rows are new. They have to be as hard to tell apart as the rows of the first: among
themselves, where nothing else is known, and among all rows for who does not know when a person came in. A value that is far
from all others, such as the age of one very old patient, stays so after noise: within what noise can have done, nobody else
has it. Rows that were there before ought to read as they did, or else two generalisations of one row are at hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.subjects import Subjects, persons, persons_of_groups
from techniques.data_utility.numbers import values_of
from techniques.disclosure_risk.releases.covers import Combinations
from techniques.disclosure_risk.releases.findings import Increment

Numbers = NDArray[np.int64]
PAIRS = 4_000_000
"""Pairs of rows that are looked at together."""


def increment(
    before: pa.Table,
    after: pa.Table,
    quasi: Sequence[str],
    *,
    k: int,
    noise: Mapping[str, float] | None = None,
    subjects: Subjects | None = None,
) -> Increment:
    """Compare two releases, tables of texts; rows that say the same in all columns of both are the same row.

    ``noise``: column → how far at most its numbers were moved; rows whose numbers noise can have made of one number are alike.
    ``subjects`` say whose the rows of ``after`` are. Raises EngineError ``unknown_column``, ``noise_no_number``,
    ``noise_not_positive``.
    """
    for name in (*quasi, *(noise or {})):
        if name not in before.column_names or name not in after.column_names:
            raise faults.column_missing(name)
    columns = [name for name in after.column_names if name in before.column_names]
    old, new, kept = _matched(before.select(columns), after.select(columns))
    units = np.arange(after.num_rows, dtype=np.int32) if subjects is None else persons(subjects)[0]
    moved = {name: by for name, by in (noise or {}).items() if name in quasi}
    alike_all = _alike(after, quasi, moved, units)
    alike_new = _alike(after.filter(pa.array(new)), quasi, moved, units[new])
    return Increment(
        k=k,
        kept=kept,
        gone=int(old.sum()),
        new=int(new.sum()),
        k_new=int(alike_new.min(initial=np.iinfo(np.int64).max)) if new.any() else 0,
        k_all=int(alike_all[new].min()) if new.any() else 0,
        below=len(np.unique(units[new][alike_all[new] < k])),
        below_new=len(np.unique(units[new][alike_new < k])),
        outside={name: count for name in quasi if (count := _outside(before, after, name, new, units))},
    )


def _matched(before: pa.Table, after: pa.Table) -> tuple[NDArray[np.bool_], NDArray[np.bool_], int]:
    """(rows of ``before`` without a counterpart, rows of ``after`` without one, how many have one)."""
    together = Combinations.of(pa.concat_tables([before, after]), before.column_names).of_row
    first, second = together[: before.num_rows], together[before.num_rows :]
    kept = np.minimum(
        *(np.bincount(one, minlength=int(together.max(initial=-1)) + 1) for one in (first, second))
    )
    return _rank(first) >= kept[first], _rank(second) >= kept[second], int(kept.sum())


def _rank(codes: Numbers) -> Numbers:
    """Of each row, how many rows before it have its code."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    start = np.searchsorted(ordered, ordered)
    found = np.empty(len(codes), np.int64)
    found[order] = np.arange(len(codes)) - start
    return found


def _alike(
    table: pa.Table, quasi: Sequence[str], noise: Mapping[str, float], units: NDArray[np.int32]
) -> Numbers:
    """(n,): how many units a row can be of, by what is equal and by what noise can have moved so far."""
    classes = Combinations.of(table, [name for name in quasi if name not in noise])
    if not noise:
        return persons_of_groups(classes.of_row, classes.number, units)[classes.of_row]
    # Two numbers that were one differ by at most twice the noise.
    reach = [2 * _positive(name, by) * (1 + 1e-9) for name, by in noise.items()]
    first, *others = (_numbers(table, name) for name in noise)
    order = np.lexsort((first, classes.of_row))
    of_class, first, whose = classes.of_row[order], first[order], units[order].astype(np.int64)
    others = [one[order] for one in others]
    low, high = _stretch(first, reach[0], of_class)
    counts = high - low
    if not others and len(np.unique(units)) == len(units):
        found = counts
    else:
        found = np.empty(len(order), np.int64)
        people = int(units.max(initial=0)) + 1
        for start, stop in _blocks(counts):
            row = np.repeat(np.arange(start, stop), counts[start:stop])
            ends = np.cumsum(counts[start:stop])
            near = np.arange(len(row)) - np.repeat(ends - counts[start:stop], counts[start:stop]) + low[row]
            fits = np.ones(len(row), np.bool_)
            for one, far in zip(others, reach[1:], strict=True):
                fits &= np.abs(one[row] - one[near]) <= far
            pairs = np.unique((row[fits] - start) * people + whose[near[fits]])
            found[start:stop] = np.bincount(pairs // people, minlength=stop - start)
    back = np.empty(len(order), np.int64)
    back[order] = found
    return back


def _stretch(values: NDArray[np.float64], reach: float, groups: Numbers) -> tuple[Numbers, Numbers]:
    """(first, behind the last) place in ``reach`` of each of n ``values`` (n,), which ascend within each of the ascending ``groups``."""
    if len(values) == 0:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    # One after the other on one line, so far apart that no stretch meets another group.
    width = float(values.max() - values.min()) + 2 * reach + 1
    line = values - values.min() + groups * width
    low = np.searchsorted(line, line - reach, side="left").astype(np.int64)
    return low, np.searchsorted(line, line + reach, side="right").astype(np.int64)


def _blocks(counts: Numbers) -> Iterator[tuple[int, int]]:
    """Stretches of rows with some ``PAIRS`` pairs each."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + PAIRS, side="right")))
        yield start, stop
        start = stop


def _positive(column: str, by: float) -> float:
    if not 0 < by < np.inf:
        text = _("Column %(column)s: how far noise moves a number is a number above 0.")
        raise EngineError("noise_not_positive", text, column=column)
    return by


def _numbers(table: pa.Table, column: str) -> NDArray[np.float64]:
    texts = table.column(column).combine_chunks().cast(pa.string()).fill_null("")
    found = values_of(texts)
    if np.isnan(found).any():
        text = _("Column %(column)s has cells that are no numbers, so noise cannot have moved them.")
        raise EngineError("noise_no_number", text, column=column)
    return found


def _outside(
    before: pa.Table, after: pa.Table, column: str, new: NDArray[np.bool_], units: NDArray[np.int32]
) -> int:
    earlier, later = (
        values_of(one.column(column).combine_chunks().cast(pa.string()).fill_null(""))
        for one in (before, after)
    )
    if np.isnan(earlier).all():
        return 0
    beyond = (later < np.nanmin(earlier)) | (later > np.nanmax(earlier))
    return len(np.unique(units[beyond & new]))
