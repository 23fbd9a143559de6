"""Counting distinct values of a column of any length in bounded memory.

Values are hashed to 64 bits. Up to a cap every hash is kept, and the count is exact but for hash
collisions; above it only the hashes that fall into a shrinking part of the range are kept, which
is an even sample of the distinct values (Wegman's adaptive sampling) with all their occurrences.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from numba import njit

Hashes = npt.NDArray[np.uint64]
DEFAULT_CAP = 250_000
"""Hashes kept for one column, 16 bytes each; an estimate above is off by less than one per cent."""


@njit(cache=True)
def _hash_slices(data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> Hashes:
    out = np.empty(len(offsets) - 1, dtype=np.uint64)
    for i in range(len(out)):
        h = np.uint64(0xCBF29CE484222325)
        for j in range(offsets[i], offsets[i + 1]):
            h = (h ^ np.uint64(data[j])) * np.uint64(0x100000001B3)
        # FNV-1a mixes its high bits well and its low ones badly; the sample needs all of them.
        h ^= h >> np.uint64(33)
        h *= np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(33)
        h *= np.uint64(0xC4CEB9FE1A85EC53)
        h ^= h >> np.uint64(33)
        out[i] = h
    return out


@njit(cache=True)
def _summed(hashes: Hashes, counts: npt.NDArray[np.int64]) -> tuple[Hashes, npt.NDArray[np.int64]]:
    """Each hash once, in the order of first appearance, and the sum of its counts: a hash itself says where to look for it."""
    size = 2
    while size < 2 * len(hashes):
        size *= 2
    places = np.full(size, -1, dtype=np.int32)
    # The highest bits are zero in all that a sample keeps; the lowest ones are spread evenly.
    low, one = np.uint64(size - 1), np.uint64(1)
    found, sums = np.empty(len(hashes), dtype=np.uint64), np.zeros(len(hashes), dtype=np.int64)
    number = 0
    for i in range(len(hashes)):
        slot = hashes[i] & low
        while places[slot] >= 0 and found[places[slot]] != hashes[i]:
            slot = (slot + one) & low
        if places[slot] < 0:
            places[slot] = number
            found[number] = hashes[i]
            number += 1
        sums[places[slot]] += counts[i]
    return found[:number].copy(), sums[:number].copy()


def hash_texts(texts: pa.StringArray) -> Hashes:
    """A 64-bit hash of each text, the same in every run; ``texts`` has no nulls."""
    if len(texts) == 0:
        return np.empty(0, dtype=np.uint64)
    width = np.int64 if pa.types.is_large_string(texts.type) else np.int32
    buffers = texts.buffers()
    offsets = np.frombuffer(buffers[1], dtype=width)[texts.offset : texts.offset + len(texts) + 1]
    data = np.frombuffer(buffers[2], dtype=np.uint8) if buffers[2] else np.empty(0, dtype=np.uint8)
    hashes: Hashes = _hash_slices(data, offsets.astype(np.int64))
    return hashes


class DistinctCounter:
    """Feed it distinct values with their counts, batch by batch; see the module's text."""

    def __init__(self, cap: int = DEFAULT_CAP) -> None:
        self._cap = cap
        self._level = 0
        self._hashes: Hashes = np.empty(0, dtype=np.uint64)
        self._counts: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._waiting: list[tuple[Hashes, npt.NDArray[np.int64]]] = []
        self._waiting_size = 0

    def add(self, texts: pa.StringArray, counts: npt.NDArray[np.int64]) -> None:
        hashes = hash_texts(texts)
        keep = self._sampled(hashes)
        self._waiting.append((hashes[keep], counts[keep].astype(np.int64)))
        self._waiting_size += int(keep.sum())
        if self._waiting_size > max(1 << 17, len(self._hashes)):
            self._compact()

    def merge(self, other: DistinctCounter) -> None:
        """Take over what another one has counted, as if it had been fed here."""
        other._compact()
        self._compact()
        self._level = max(self._level, other._level)
        for counter in (self, other):
            keep = self._sampled(counter._hashes)
            self._waiting.append((counter._hashes[keep], counter._counts[keep]))
        self._hashes, self._counts = self._hashes[:0], self._counts[:0]
        self._compact()

    def _sampled(self, hashes: Hashes) -> npt.NDArray[np.bool_]:
        sampled: npt.NDArray[np.bool_] = (
            hashes >> np.uint64(64 - self._level) == 0
            if self._level
            else (np.ones(len(hashes), dtype=np.bool_))
        )
        return sampled

    def _compact(self) -> None:
        if not self._waiting:
            return
        hashes = np.concatenate([self._hashes, *(item[0] for item in self._waiting)])
        counts = np.concatenate([self._counts, *(item[1] for item in self._waiting)])
        self._waiting, self._waiting_size = [], 0
        self._hashes, self._counts = _summed(hashes, counts)
        while len(self._hashes) > self._cap:
            self._level += 1
            keep = self._sampled(self._hashes)
            self._hashes, self._counts = self._hashes[keep], self._counts[keep]

    @property
    def exact(self) -> bool:
        """Whether :attr:`distinct` is a count rather than an estimate."""
        self._compact()
        return self._level == 0

    @property
    def distinct(self) -> int:
        """How many different values there were."""
        self._compact()
        return len(self._hashes) << self._level

    def shared_by_few(self, alike: int) -> float:
        """Share of the rows whose value fewer than ``alike`` rows have (0 where there is none)."""
        self._compact()
        total = int(self._counts.sum())
        return float(self._counts[self._counts < alike].sum() / total) if total else 0.0

    @property
    def occurring_once(self) -> float:
        """Share of the different values that occurred in one row only (0 where there was none)."""
        self._compact()
        return float((self._counts == 1).mean()) if len(self._counts) else 0.0
