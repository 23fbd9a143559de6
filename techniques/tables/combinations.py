"""The different combinations of columns, each once: where they are far fewer than the rows, they are what a measure has to hold."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.compiling import compiled
from techniques.tables.coding import dictionary_of
from techniques.tables.dictionary import MISSING, codes_of

MOST = 1 << 24
"""Combinations that are held, at 32 bytes each at most while they are counted."""
_KEY_BITS = 62
_SPARE_BITS = 2


@dataclass(frozen=True)
class Combinations:
    """``batch`` has each different combination once, in the order of first appearance, its columns as dictionaries of text;
    ``counts`` (n,) are the rows that have it."""

    batch: pa.RecordBatch
    counts: NDArray[np.int64]


def combinations(
    batches: Iterable[pa.RecordBatch], columns: Sequence[str], most: int = MOST
) -> Combinations | None:
    """Count the combinations of these columns, which ``batches`` give as dictionaries of text. None where there are more than ``most``,
    or too many for a key of 64 bits: then the rows have to be held themselves."""
    counter = _Counter(columns)
    for batch in batches:
        if not counter.add(batch) or counter.found > most:
            return None
    return counter.finish()


class _Counter:
    """A table of keys with open addressing; a key has some bits for each column, more of them once its values need them."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.found = 0
        self._columns = list(columns)
        self._values = [pa.array([], pa.string()) for _column in columns]
        # None yet: a column's first value asks for bits, and for all of them to have room in a key.
        self._bits = [0] * len(columns)
        self._known = np.empty(0, np.int64)
        self._counts = np.empty(0, np.int64)
        self._slots = np.empty(0, np.int32)

    def add(self, batch: pa.RecordBatch) -> bool:
        """Count a batch; False where its combinations have no key."""
        codes = [self._codes(place, batch.column(name)) for place, name in enumerate(self._columns)]
        if not self._widen():
            return False
        self._make_room(batch.num_rows)
        self.found = _count(self._keys(codes), self._slots, self._known, self._counts, self.found)
        return True

    def finish(self) -> Combinations:
        """What was counted."""
        codes = self._codes_of_keys()
        arrays = [dictionary_of(column, values) for column, values in zip(codes, self._values, strict=True)]
        return Combinations(
            pa.RecordBatch.from_arrays(arrays, names=self._columns), self._counts[: self.found].copy()
        )

    def _codes(self, place: int, column: pa.DictionaryArray) -> NDArray[np.int32]:
        """The codes of a column (n,) among all its values so far."""
        values = self._values[place]
        at = pc.index_in(column.dictionary, value_set=values).fill_null(MISSING).to_numpy()
        new = at == MISSING
        if new.any():
            at = at.copy()
            at[new] = np.arange(len(values), len(values) + int(new.sum()))
            self._values[place] = pa.concat_arrays([values, column.dictionary.filter(pa.array(new))])
        return np.append(at, MISSING)[codes_of(column)]

    def _widen(self) -> bool:
        """Make keys wide enough for the values; False where they have no room."""
        needed = [len(values).bit_length() for values in self._values]
        if all(need <= bits for need, bits in zip(needed, self._bits, strict=True)):
            return True
        if sum(needed) > _KEY_BITS:
            return False
        codes = self._codes_of_keys()
        spare = min(_SPARE_BITS, (_KEY_BITS - sum(needed)) // len(needed))
        self._bits = [need + spare for need in needed]
        self._known[: self.found] = self._keys(codes)
        self._slots = np.empty(0, np.int32)
        return True

    def _keys(self, codes: Sequence[NDArray[np.int32]]) -> NDArray[np.int64]:
        keys = np.zeros(len(codes[0]), np.int64)
        for column, bits in zip(codes, self._bits, strict=True):
            keys <<= bits
            keys += column
            keys += 1
        return keys

    def _codes_of_keys(self) -> list[NDArray[np.int32]]:
        keys = self._known[: self.found].copy()
        codes = []
        for bits in reversed(self._bits):
            codes.append((keys & ((1 << bits) - 1)).astype(np.int32) - np.int32(1))
            keys >>= bits
        return codes[::-1]

    def _make_room(self, more: int) -> None:
        """Room for so many more keys, with at least every other slot free."""
        needed = self.found + more
        if needed > len(self._known):
            size = max(needed, len(self._known) * 3 // 2)
            for name in ("_known", "_counts"):
                grown = np.zeros(size, np.int64)
                grown[: self.found] = getattr(self, name)[: self.found]
                setattr(self, name, grown)
        if 2 * needed > len(self._slots):
            self._slots = np.full(1 << (2 * needed).bit_length(), -1, np.int32)
            _place(self._slots, self._known, self.found)


@compiled
def _place(slots, known, found):
    """Put the first ``found`` keys into empty slots."""
    last = np.uint64(len(slots) - 1)
    for number in range(found):
        spread = np.uint64(known[number]) * np.uint64(0x9E3779B97F4A7C15)
        at = np.int64((spread >> np.uint64(32)) & last)
        while slots[at] >= 0:
            at = (at + 1) & (len(slots) - 1)
        slots[at] = number


@compiled
def _count(keys, slots, known, counts, found):
    """Count the keys of some rows, new ones behind the ``found`` that are known; how many there are then."""
    last = np.uint64(len(slots) - 1)
    for row in range(len(keys)):
        key = keys[row]
        spread = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
        at = np.int64((spread >> np.uint64(32)) & last)
        while slots[at] >= 0 and known[slots[at]] != key:
            at = (at + 1) & (len(slots) - 1)
        here = slots[at]
        if here < 0:
            here = found
            slots[at] = here
            known[here] = key
            counts[here] = 0
            found += 1
        counts[here] += 1
    return found
