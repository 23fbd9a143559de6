"""How much of the detail of each column is left, whatever was done to it: one number that two results can be compared by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from techniques.data_utility.whole import STAR
from techniques.tables.dictionary import MISSING, EncodedColumn, encode_columns


def detail_kept(
    source: Iterable[pa.RecordBatch], result: Iterable[pa.RecordBatch], columns: Sequence[str]
) -> dict[str, float]:
    """For each column the entropy of the result / that of the source, times the share of cells still there: 0 to 1.

    For generalisation and suppression this is the share of the information (in bits) that the result still
    gives about the source; the rows need not correspond. A missing value is a value of its own; a cell ``*``,
    a record that is not there and a column that was removed count as lost. A technique that draws values
    (noise, permutation, synthesis) keeps the entropy and not the truth: its detail is overstated here.
    """
    before = encode_columns(source, columns)
    batches = iter(result)
    first = next(batches, None)
    left = [] if first is None else [name for name in columns if name in first.schema.names]
    after = encode_columns([] if first is None else _again(first, batches), left)
    return {name: _kept(before[name], after.get(name)) for name in columns}


def _again(first: pa.RecordBatch, rest: Iterable[pa.RecordBatch]) -> Iterable[pa.RecordBatch]:
    yield first
    yield from rest


def _kept(before: EncodedColumn, after: EncodedColumn | None) -> float:
    if after is None or not len(before):
        return 0.0
    counts = _counts(after)
    place = after.values.cast(pa.string()).index(STAR).as_py() if len(after.values) else -1
    own = before.values.cast(pa.string()).index(STAR).as_py() if len(before.values) else -1
    if place >= 0 and own < 0:
        counts[place] = 0
    share = min(float(counts.sum()) / len(before), 1.0)
    whole = _entropy(_counts(before))
    return share if whole == 0 else min(_entropy(counts) / whole, 1.0) * share


def _counts(column: EncodedColumn) -> npt.NDArray[np.int64]:
    """How often each value occurs, missing cells last."""
    return np.append(column.counts(), np.count_nonzero(column.codes == MISSING)).astype(np.int64)


def _entropy(counts: npt.NDArray[np.int64]) -> float:
    total = int(counts.sum())
    if total == 0:
        return 0.0
    # In the order of their size: two tables of the same counts have the same entropy to the last digit.
    shares = np.sort(counts[counts > 0]) / total
    return float(-(shares * np.log2(shares)).sum())
