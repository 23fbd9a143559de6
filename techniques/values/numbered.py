"""Different texts with numbers, among which others are looked up again and again.

Arrow enters all the texts into a table of its own each time that others are looked up among them, which costs more than the looking up
where they are many and the others come part by part. Here they are entered once.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.compiling import compiled, inner
from techniques.values.buffers import layout

Numbers = NDArray[np.int32]
_LEAST_SLOTS = 1 << 10


class NumberedTexts:
    """Different texts ``values`` (n,), none of which is null; the number of each is its place. More may be added."""

    def __init__(self, values: pa.StringArray | None = None) -> None:
        self.values = pa.array([], pa.string()) if values is None else values
        self._hashes = np.empty(0, np.uint64)
        self._slots = np.full(_LEAST_SLOTS, -1, np.int32)

    def __len__(self) -> int:
        return len(self.values)

    def numbers(self, texts: pa.StringArray) -> Numbers:
        """The number of each of m texts, -1 of one that is not there or null."""
        found = np.full(len(texts), -1, np.int32)
        if not len(texts) or not len(self):
            return found
        self._catch_up()
        _find(*layout(self.values), self._hashes, self._slots, *layout(texts), found)
        if texts.null_count:
            found[pc.is_null(texts).to_numpy(zero_copy_only=False)] = -1
        return found

    def append(self, texts: pa.StringArray) -> Numbers:
        """Number m more texts, all different and none of them there or null; their numbers."""
        first = len(self.values)
        self.values = pa.concat_arrays([self.values, texts])
        return np.arange(first, len(self.values), dtype=np.int32)

    def _catch_up(self) -> None:
        """Enter what was added after the last look-up; at least half of the slots stay free."""
        known = len(self._hashes)
        if known == len(self.values):
            return
        hashes = np.empty(len(self.values) - known, np.uint64)
        _hash(*layout(self.values.slice(known)), hashes)
        self._hashes = np.concatenate([self._hashes, hashes])
        size = len(self._slots)
        while size < 2 * len(self._hashes):
            size *= 2
        if size > len(self._slots):
            self._slots, known = np.full(size, -1, np.int32), 0
        _enter(self._hashes, known, self._slots)


@inner
def _hash_of(data, begin, end):
    """Of the bytes of a text: what they are worth as digits of a number of a large base, stirred at the end."""
    found = np.uint64(end - begin)
    for place in range(begin, end):
        found = (found ^ np.uint64(data[place])) * np.uint64(0x100000001B3)
    found ^= found >> np.uint64(32)
    found *= np.uint64(0x9E3779B97F4A7C15)
    return found ^ (found >> np.uint64(29))


@compiled
def _hash(bounds, data, hashes):
    for text in range(len(hashes)):
        hashes[text] = _hash_of(data, bounds[text], bounds[text + 1])


@compiled
def _enter(hashes, first, slots):
    """Give a slot to each text from ``first`` on; the slots are more than the texts, and their number is a power of two."""
    mask = np.uint64(len(slots) - 1)
    for number in range(first, len(hashes)):
        slot = hashes[number] & mask
        while slots[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number


@compiled
def _find(known_bounds, known_data, hashes, slots, bounds, data, found):
    mask = np.uint64(len(slots) - 1)
    for text in range(len(found)):
        begin, end = bounds[text], bounds[text + 1]
        wanted = _hash_of(data, begin, end)
        slot = wanted & mask
        found[text] = -1
        while slots[slot] >= 0:
            number = slots[slot]
            first = known_bounds[number]
            if hashes[number] == wanted and known_bounds[number + 1] - first == end - begin:
                same = True
                for place in range(end - begin):
                    if known_data[first + place] != data[begin + place]:
                        same = False
                        break
                if same:
                    found[text] = number
                    break
            slot = (slot + np.uint64(1)) & mask
