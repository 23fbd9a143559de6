"""Cells of two tables compared by their hashes: as they come, by a key, or as heaps of values whose order says nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.identification.distinct import Hashes, hash_texts

Batches = Callable[[], Iterator[Any]]
Counts = dict[str, dict[str, int]]
_MISSING = np.uint64(0)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MERGED = 1 << 20


def hashed(column: pa.Array) -> Hashes:
    """A hash of each cell; 0 for a missing one."""
    texts = pc.cast(column, pa.string())
    found = hash_texts(pc.fill_null(texts, ""))
    found = np.where(found == _MISSING, np.uint64(1), found)
    found[np.asarray(pc.is_null(texts))] = _MISSING
    return found


def in_order(before: Batches, after: Batches, columns: list[str]) -> Counts:
    """Cells that differ in rows of the same place. Both have the same number of rows."""
    counts = _none(columns)
    for old, new in _aligned(before(), after()):
        for name in columns:
            _count(counts[name], hashed(old.column(name)), hashed(new.column(name)))
    return counts


def by_key(
    before: Batches, after: Batches, key: list[str], columns: list[str]
) -> tuple[Counts, tuple[int, int]]:
    """(cells that differ in rows of the same key, rows whose key only the first, or only the second has).

    EngineError ``key_not_unique``. Eight bytes a cell are held.
    """
    wanted = [name for name in columns if name not in key]
    old, new = (_held(batches(), key, wanted) for batches in (before, after))
    _same, here, there = np.intersect1d(old[0], new[0], assume_unique=True, return_indices=True)
    counts = _none(wanted)
    for number, name in enumerate(wanted):
        _count(counts[name], old[1][number][here], new[1][number][there])
    return counts, (len(old[0]) - len(here), len(new[0]) - len(here))


def as_heaps(before: Batches, after: Batches, columns: list[str]) -> Counts:
    """Cells of the second table, and of the first, beyond those that have an equal one in the same column of the other."""
    heaps = [_Heaps(columns), _Heaps(columns)]
    for heap, batches in zip(heaps, (before, after), strict=True):
        for batch in batches():
            heap.add(batch)
    counts = {}
    for name in columns:
        (old, many), (new, more) = (heap.of(name) for heap in heaps)
        _same, here, there = np.intersect1d(old, new, assume_unique=True, return_indices=True)
        kept = int(np.minimum(many[here], more[there]).sum())
        counts[name] = {"gone": int(many.sum()) - kept, "new": int(more.sum()) - kept}
    return counts


def _none(columns: list[str]) -> Counts:
    return {name: {"changed": 0, "became_missing": 0, "were_missing": 0} for name in columns}


def _count(counts: dict[str, int], old: Hashes, new: Hashes) -> None:
    changed = old != new
    counts["changed"] += int(changed.sum())
    counts["became_missing"] += int((changed & (new == _MISSING)).sum())
    counts["were_missing"] += int((changed & (old == _MISSING)).sum())


def _aligned(before: Iterator[Any], after: Iterator[Any]) -> Iterator[tuple[Any, Any]]:
    """Batches of the same rows: either side may cut where it likes."""
    old, new = next(before, None), next(after, None)
    while old is not None and new is not None:
        rows = min(old.num_rows, new.num_rows)
        yield old.slice(0, rows), new.slice(0, rows)
        old = old.slice(rows) if rows < old.num_rows else next(before, None)
        new = new.slice(rows) if rows < new.num_rows else next(after, None)


def _held(batches: Iterator[Any], key: list[str], columns: list[str]) -> tuple[Hashes, list[Hashes]]:
    keys: list[Hashes] = []
    cells: list[list[Hashes]] = [[] for _column in columns]
    for batch in batches:
        whole: NDArray[np.uint64] = np.zeros(batch.num_rows, np.uint64)
        for name in key:
            whole = (whole ^ hashed(batch.column(name))) * _FACTOR
            whole ^= whole >> np.uint64(29)
        keys.append(whole)
        for held, name in zip(cells, columns, strict=True):
            held.append(hashed(batch.column(name)))
    none = np.zeros(0, np.uint64)
    found = np.concatenate([none, *keys])
    if len(np.unique(found)) < len(found):
        text = _("The key %(columns)s is not unique in one of the tables: name more columns with --key.")
        raise EngineError("key_not_unique", text, columns=", ".join(key))
    return found, [np.concatenate([none, *held]) for held in cells]


class _Heaps:
    """How often each value of each column occurs, by hash."""

    def __init__(self, columns: list[str]) -> None:
        self._waiting: dict[str, list[tuple[Hashes, NDArray[np.int64]]]] = {name: [] for name in columns}

    def add(self, batch: Any) -> None:
        for name, waiting in self._waiting.items():
            waiting.append(np.unique(hashed(batch.column(name)), return_counts=True))
            if len(waiting) > 1 and sum(len(values) for values, _counts in waiting[1:]) > _MERGED:
                self._waiting[name] = [self.of(name)]

    def of(self, name: str) -> tuple[Hashes, NDArray[np.int64]]:
        """(distinct values, how often each occurs)."""
        waiting = self._waiting[name]
        if not waiting:
            return np.zeros(0, np.uint64), np.zeros(0, np.int64)
        values, place = np.unique(np.concatenate([one[0] for one in waiting]), return_inverse=True)
        counts = np.zeros(len(values), np.int64)
        np.add.at(counts, place, np.concatenate([one[1] for one in waiting]))
        return values, counts
