"""Different texts with numbers, among which others are looked up again and again.

Arrow enters all the texts into a table of its own each time that others are looked up among them, which costs more than the looking up
where they are many and the others come part by part. Here they are entered once.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.core.assembly import LARGEST
from techniques.core.compiling import compiled, inner
from techniques.values.buffers import array, layout

Numbers = NDArray[np.int32]
_LEAST_SLOTS = 1 << 10
_FREE = np.uint64(0)
_LOWER = np.uint64(0xFFFFFFFF)
"""Of a slot: one more than the number of its text."""
_UPPER = np.uint64(0xFFFFFFFF00000000)
"""Of a slot: what its text's hash has there."""


class NumberedTexts:
    """Different texts ``values`` (n,), none of which is null; the number of each is its place. More may be added."""

    def __init__(self, values: pa.StringArray | None = None) -> None:
        self.values = pa.array([], pa.string()) if values is None else values
        self._hashes = np.empty(0, np.uint64)
        self._slots = np.zeros(_LEAST_SLOTS, np.uint64)
        # Room for more than there are, once some have been added.
        self._bounds = np.empty(0, np.int32)
        self._bytes = np.empty(0, np.uint8)

    def __len__(self) -> int:
        return len(self.values)

    def numbers(self, texts: pa.StringArray) -> Numbers:
        """The number of each of m texts, -1 of one that is not there or null."""
        found = np.full(len(texts), -1, np.int32)
        if not len(texts) or not len(self):
            return found
        self._catch_up()
        _find(*layout(self.values), self._slots, *layout(texts), found)
        if texts.null_count:
            found[pc.is_null(texts).to_numpy(zero_copy_only=False)] = -1
        return found

    def append(self, texts: pa.StringArray) -> Numbers:
        """Number m more texts, all different and none of them there or null; their numbers."""
        first = len(self.values)
        bounds, data = layout(texts)
        if not len(self._bounds):
            self._hold(*layout(self.values))
        held = int(self._bounds[first])
        end, size = first + len(texts), held + int(bounds[-1]) - int(bounds[0])
        if size > LARGEST:
            raise pa.ArrowInvalid("offset overflow while adding texts")
        self._bounds = _with_room(self._bounds, first + 1, end + 1)
        self._bytes = _with_room(self._bytes, held, size)
        self._bounds[first + 1 : end + 1] = bounds[1:] + np.int32(held - int(bounds[0]))
        self._bytes[held:size] = data[bounds[0] : bounds[-1]]
        self.values = array(self._bounds[: end + 1], self._bytes[:size])
        return np.arange(first, end, dtype=np.int32)

    def _hold(self, bounds: NDArray[np.int32], data: NDArray[np.uint8]) -> None:
        self._bounds = bounds - bounds[0]
        self._bytes = data[bounds[0] : bounds[-1]].copy()

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
            self._slots, known = np.zeros(size, np.uint64), 0
        _enter(self._hashes, known, self._slots)


def _with_room(held: NDArray[Any], used: int, size: int) -> NDArray[Any]:
    """What is ``used`` of it, in an array of at least that ``size``."""
    if size <= len(held):
        return held
    grown = np.empty(max(size, len(held) + len(held) // 2), held.dtype)
    grown[:used] = held[:used]
    return grown


@inner
def _word(data, place):
    """Eight bytes as a number; without a sign, so that no place counts from the end, they are read at once."""
    at = np.uint64(place)
    return (
        np.uint64(data[at])
        | np.uint64(data[at + np.uint64(1)]) << np.uint64(8)
        | np.uint64(data[at + np.uint64(2)]) << np.uint64(16)
        | np.uint64(data[at + np.uint64(3)]) << np.uint64(24)
        | np.uint64(data[at + np.uint64(4)]) << np.uint64(32)
        | np.uint64(data[at + np.uint64(5)]) << np.uint64(40)
        | np.uint64(data[at + np.uint64(6)]) << np.uint64(48)
        | np.uint64(data[at + np.uint64(7)]) << np.uint64(56)
    )


@inner
def _hash_of(data, begin, end):
    """Of the bytes of a text: what they are worth, eight at a time, as digits of a number of a large base, stirred."""
    found = np.uint64(end - begin)
    place = begin
    while place + 8 <= end:
        found = (found ^ _word(data, place)) * np.uint64(0x9E3779B97F4A7C15)
        found ^= found >> np.uint64(32)
        place += 8
    while place < end:
        found = (found ^ np.uint64(data[np.uint64(place)])) * np.uint64(0x100000001B3)
        place += 1
    found ^= found >> np.uint64(32)
    found *= np.uint64(0x9E3779B97F4A7C15)
    return found ^ (found >> np.uint64(29))


@inner
def _are_same(data, begin, others, first, length):
    """Whether so many bytes from ``begin`` on are those of the ``others`` from ``first`` on."""
    place = 0
    while place + 8 <= length:
        if _word(data, begin + place) != _word(others, first + place):
            return False
        place += 8
    while place < length:
        if data[np.uint64(begin + place)] != others[np.uint64(first + place)]:
            return False
        place += 1
    return True


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
        while slots[slot] != _FREE:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = (hashes[number] & _UPPER) | np.uint64(number + 1)


@compiled
def _find(known_bounds, known_data, slots, bounds, data, found):
    mask = np.uint64(len(slots) - 1)
    # First slots lie far apart: those of all texts are fetched before one is waited for.
    hashes = np.empty(len(found), np.uint64)
    held = np.empty(len(found), np.uint64)
    for text in range(len(found)):
        hashes[text] = _hash_of(data, bounds[text], bounds[text + 1])
        held[text] = slots[hashes[text] & mask]
    for text in range(len(found)):
        begin, length = bounds[text], bounds[text + 1] - bounds[text]
        slot, here = hashes[text] & mask, held[text]
        found[text] = -1
        while here != _FREE:
            if here & _UPPER == hashes[text] & _UPPER:
                number = (here & _LOWER) - np.uint64(1)
                first = known_bounds[number]
                if known_bounds[number + np.uint64(1)] - first == length and _are_same(
                    data, begin, known_data, first, length
                ):
                    found[text] = number
                    break
            slot = (slot + np.uint64(1)) & mask
            here = slots[slot]
