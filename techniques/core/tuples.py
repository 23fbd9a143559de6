"""Combinations of columns as integers: encode, count, look up.

Codes are int32 with -1 for a missing value. A combination becomes one 64-bit number in mixed radix; where
the product of the radices is too large for that, several numbers side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.compiling import compiled

Codes = NDArray[np.int32]
_LIMIT = 2**62
_DENSE = 4
_DIGIT = 11
"""Bits that are sorted by at a time: so many places are written to at once."""
_FEW = 1 << 12


def in_order(packed: NDArray[np.int64], first: int, end: int) -> NDArray[np.int64]:
    """The n numbers in order. None is below 0 or has a bit from ``end`` on, and those that are alike in their bits from ``first`` on are
    given in order already. ``packed`` may be written to. Work: n for each eleven bits between."""
    if len(packed) < _FEW:
        packed.sort()
        return packed
    found: NDArray[np.int64] = _by_digits(packed, np.empty_like(packed), first, end, _DIGIT)
    return found


@compiled
def _by_digits(packed, other, first, end, digit):  # type: ignore[no-untyped-def]
    """Radix sort from the lowest digit on (Knuth, The Art of Computer Programming, vol. 3, 5.2.5)."""
    size = 1 << digit
    for low in range(first, end, digit):
        place = np.zeros(size + 1, np.int64)
        for row in range(len(packed)):
            place[((packed[row] >> low) & (size - 1)) + 1] += 1
        for value in range(size):
            place[value + 1] += place[value]
        for row in range(len(packed)):
            value = (packed[row] >> low) & (size - 1)
            other[place[value]] = packed[row]
            place[value] += 1
        packed, other = other, packed
    return packed


def sorted_keys(keys: NDArray[np.integer]) -> NDArray[np.integer]:
    """A sorted copy of n integers."""
    least, most = (int(keys.min()), int(keys.max())) if len(keys) else (0, 0)
    if len(keys) < _FEW or keys.dtype != np.int64 or most - least >= 1 << 63:
        return np.sort(keys)
    # Each copy of many keys would be as large as they are.
    above = (keys - least).astype(np.int64, copy=False)
    found = in_order(above, 0, (most - least).bit_length())
    found += least
    return found


def distinct_keys(keys: NDArray[np.integer]) -> NDArray[Any]:
    """The different ones of n integers, in order, as :func:`numpy.unique` gives them; sorting beats its hashing."""
    ordered = sorted_keys(keys)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]


def numbered_keys(keys: NDArray[np.integer]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """(the different ones of n integers in order, which of them each is (n,)), as :func:`numpy.unique` gives them."""
    bits = len(keys).bit_length()
    least, most = (int(keys.min()), int(keys.max())) if len(keys) else (0, 0)
    if most - least >= 1 << (63 - bits):
        found, number = np.unique(keys, return_inverse=True)
        return found, number.reshape(-1)
    # Key and row in one number: such numbers are sorted as they stand, rows would be by their keys.
    packed = keys.astype(np.int64)
    packed -= least
    packed <<= bits
    packed |= np.arange(len(keys))
    packed = in_order(packed, bits, bits + (most - least).bit_length())
    row = packed & ((1 << bits) - 1)
    packed >>= bits
    first = np.ones(len(packed), np.bool_)
    np.not_equal(packed[1:], packed[:-1], out=first[1:])
    distinct = (packed[first] + least).astype(keys.dtype)
    del packed
    rank: NDArray[np.int64] = np.cumsum(first, dtype=np.int64)
    rank -= 1
    number = np.empty(len(keys), np.int64)
    number[row] = rank
    return distinct, number


class TupleKeys:
    """Mixed-radix keys for columns with ``sizes[i]`` distinct values each, missing values being one more."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.radices = [size + 1 for size in sizes]
        self.groups: list[list[int]] = [[]]
        product = 1
        for position, radix in enumerate(self.radices):
            if product * radix > _LIMIT:
                self.groups.append([])
                product = 1
            self.groups[-1].append(position)
            product *= radix

    def encode(self, columns: Sequence[Codes]) -> NDArray[Any]:
        """Keys of n rows: int64 (n,), or a (n,) structured array where one number is not enough."""
        keys = []
        for group in self.groups:
            key = np.zeros(len(columns[0]) if columns else 0, dtype=np.int64)
            for position in group:
                key *= self.radices[position]
                key += columns[position]
                key += 1
            keys.append(key)
        if len(keys) == 1:
            return keys[0]
        packed = np.empty(len(keys[0]), dtype=[(f"k{i}", np.int64) for i in range(len(keys))])
        for i, key in enumerate(keys):
            packed[f"k{i}"] = key
        return packed

    def decode(self, keys: NDArray[Any]) -> list[Codes]:
        """The columns that :meth:`encode` was given."""
        columns: list[Codes] = [np.empty(0, np.int32)] * len(self.radices)
        for number, group in enumerate(self.groups):
            key = (keys if keys.dtype.names is None else keys[f"k{number}"]).copy()
            for position in reversed(group):
                key, code = np.divmod(key, self.radices[position])
                columns[position] = (code - 1).astype(np.int32)
        return columns


class Counter:
    """Counts combinations that arrive part by part; memory grows with the distinct ones only.

    Parts wait until they are as many as what has been counted, so that the work stays n log n.
    """

    def __init__(self) -> None:
        self._held: list[tuple[NDArray[Any], NDArray[np.int64]]] = []
        self._settled = 0
        self._waiting = 0

    def add(self, keys: NDArray[Any]) -> None:
        """Count the rows of one part."""
        found, counts = _counts(keys)
        self._held.append((found, counts.astype(np.int64)))
        self._waiting += len(found)
        if self._waiting > max(self._settled, 1 << 20):
            self._settle()

    def counted(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Distinct keys in rising order and how often each occurred; at least one part has been added."""
        self._settle()
        return self._held[0]

    def _settle(self) -> None:
        keys, positions = np.unique(np.concatenate([keys for keys, _ in self._held]), return_inverse=True)
        total = np.zeros(len(keys), dtype=np.int64)
        np.add.at(total, positions, np.concatenate([counts for _, counts in self._held]))
        self._held = [(keys, total)]
        self._settled, self._waiting = len(keys), 0


def _counts(keys: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The different keys in rising order, and how often each occurs."""
    if keys.dtype == np.int64 and len(keys) and keys.min() >= 0 and keys.max() < _DENSE * len(keys):
        # So close together that a place for each number between them costs less than sorting them.
        places = np.bincount(keys)
        found = np.flatnonzero(places)
        return found, places[found]
    return np.unique(keys, return_counts=True)


def contains(sorted_keys: NDArray[Any], keys: NDArray[Any]) -> NDArray[np.bool_]:
    """For each of ``keys`` whether it is among ``sorted_keys``."""
    if len(sorted_keys) == 0:
        return np.zeros(len(keys), dtype=bool)
    found: NDArray[np.bool_]
    if keys.dtype.names is not None:
        return np.isin(keys, sorted_keys)
    first, last = int(sorted_keys[0]), int(sorted_keys[-1])
    if last - first < _DENSE * len(keys):
        # So close together that a mark for each number between them costs less than searching.
        marked = np.zeros(last - first + 1, np.bool_)
        marked[sorted_keys - first] = True
        found = (keys >= first) & (keys <= last)
        found[found] = marked[keys[found] - first]
        return found
    position = np.searchsorted(sorted_keys, keys)
    position[position == len(sorted_keys)] = 0
    found = sorted_keys[position] == keys
    return found


def positions(sorted_keys: NDArray[Any], keys: NDArray[Any]) -> NDArray[np.int64]:
    """The index of each of ``keys`` in ``sorted_keys``, all of which differ; -1 where it is not there."""
    if len(sorted_keys) == 0:
        return np.full(len(keys), -1, dtype=np.int64)
    if keys.dtype.names is not None:
        # Structured keys sort, but cannot be searched for: both are ranked together.
        distinct, number = np.unique(np.concatenate([sorted_keys, keys]), return_inverse=True)
        at = np.full(len(distinct), -1, dtype=np.int64)
        at[number[: len(sorted_keys)]] = np.arange(len(sorted_keys))
        return at[number[len(sorted_keys) :]]
    place = np.searchsorted(sorted_keys, keys)
    place[place == len(sorted_keys)] = 0
    return np.where(sorted_keys[place] == keys, place, -1)
