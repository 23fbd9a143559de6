"""Texts with numbers, among which others are looked up again and again.

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
_GROWTH, _LARGE, _RESERVED = 4, 1 << 27, 1 << 30
"""Times as many bytes to which an array grows, and from how many on it takes its place for so many at once."""
_AT_ONCE = 256
"""Texts of which the first slots are fetched together."""
_LOWER = np.uint64(0xFFFFFFFF)
"""Of a slot: one more than the number of its text."""
_UPPER = np.uint64(0xFFFFFFFF00000000)
"""Of a slot: what its text's hash has there. The first bits of it say where the text's slot is sought first, so that slots
are moved to where there are more of them without a look at the texts."""
_NO_ROOM = np.empty(0, np.int32), np.empty(0, np.uint8)
_ANY_LENGTH = np.empty(0, np.bool_)


class NumberedTexts:
    """Texts ``values`` (n,), none of which is null; the number of each is its place, the first one where it is there several times.
    More may be added."""

    def __init__(self, values: pa.StringArray | None = None) -> None:
        self.values = pa.array([], pa.string()) if values is None else values
        self._slots = np.zeros(_LEAST_SLOTS, np.uint64)
        self._entered = 0
        self._lengths = np.zeros(1, np.bool_)
        self._measured = 0
        # Room for more than there are, once some have been added.
        self._bounds = np.empty(0, np.int32)
        self._bytes = np.empty(0, np.uint8)

    def __len__(self) -> int:
        return len(self.values)

    def numbers(self, texts: pa.StringArray) -> Numbers:
        """The number of each of m texts, -1 of one that is not there or null."""
        found = np.full(len(texts), -1, np.int32)
        if len(texts) and len(self):
            self._enter(0)
            known, others = layout(self.values), layout(texts)
            self._measure(known[0])
            nulls = _nulls(texts)
            _number(*known, *_NO_ROOM, len(self), -1, self._slots, self._lengths, *others, nulls, found, 0)
        return found

    def append(self, texts: pa.StringArray) -> Numbers:
        """Number m more texts, all different and none of them there or null; their numbers."""
        first, (bounds, data) = len(self.values), layout(texts)
        held = self._room(len(texts), int(bounds[-1]) - int(bounds[0]))
        end, size = first + len(texts), held + int(bounds[-1]) - int(bounds[0])
        self._bounds[first + 1 : end + 1] = bounds[1:] + np.int32(held - int(bounds[0]))
        self._bytes[held:size] = data[bounds[0] : bounds[-1]]
        self.values = array(self._bounds[: end + 1], self._bytes[:size])
        return np.arange(first, end, dtype=np.int32)

    def add(self, texts: pa.StringArray) -> Numbers:
        """The number of each of m texts, those that were not there being appended in their order; -1 of a null."""
        found = np.full(len(texts), -1, np.int32)
        bounds, data = layout(texts)
        self._room(len(texts), int(bounds[-1]) - int(bounds[0]))
        nulls, known, done = _nulls(texts), len(self.values), 0
        while done < len(texts):
            self._enter(known + 1)
            own, room = (self._bounds, self._bytes), 2 * len(self._slots) // 3
            known, done = _number(
                *own, *own, known, room, self._slots, _ANY_LENGTH, bounds, data, nulls, found, done
            )
            self._entered = known
            self.values = array(self._bounds[: known + 1], self._bytes[: self._bounds[known]])
        return found

    def _measure(self, bounds: NDArray[np.int32]) -> None:
        """Of each length whether a text is as long: most columns have few lengths, and those of another column are others."""
        if self._measured < len(self.values):
            lengths = np.diff(bounds[self._measured :])
            longest = max(len(self._lengths) - 1, int(lengths.max()))
            self._lengths = np.append(self._lengths, np.zeros(longest + 1 - len(self._lengths), np.bool_))
            self._lengths[lengths] = True
            self._measured = len(self.values)

    def _room(self, more: int, size: int) -> int:
        """Room for so many more texts of that size; the bytes that are held. ``pa.ArrowInvalid`` where they cannot be held together."""
        first = len(self.values)
        if not len(self._bounds):
            bounds, data = layout(self.values)
            self._bounds = bounds - bounds[0]
            self._bytes = data[bounds[0] : bounds[-1]].copy()
        held = int(self._bounds[first])
        if held + size > LARGEST:
            raise pa.ArrowInvalid("offset overflow while adding texts")
        self._bounds = _with_room(self._bounds, first + 1, first + 1 + more)
        self._bytes = _with_room(self._bytes, held, held + size)
        return held

    def _enter(self, least: int) -> None:
        """Enter what was appended after the last look-up, where at least a third of the slots stays free, for ``least`` texts too."""
        size = len(self._slots)
        while 2 * size < 3 * max(least, len(self.values)):
            size *= 2
        if size > len(self._slots):
            slots = np.zeros(size, np.uint64)
            _move(self._slots, slots)
            self._slots = slots
        if self._entered < len(self.values):
            _enter(*layout(self.values), self._entered, self._slots)
            self._entered = len(self.values)


def _nulls(texts: pa.Array) -> NDArray[np.bool_]:
    """Which of the texts are null; nothing at all where none is."""
    if not texts.null_count:
        return np.empty(0, np.bool_)
    found: NDArray[np.bool_] = pc.is_null(texts).to_numpy(zero_copy_only=False)
    return found


def _with_room(held: NDArray[Any], used: int, size: int) -> NDArray[Any]:
    """What is ``used`` of it, in an array of at least that ``size``, or itself."""
    if size <= len(held):
        return held
    # What is never written to is not taken from the machine, but while an array grows it lies there twice: a large one grows once more.
    more = _GROWTH * held.nbytes
    if more >= _LARGE:
        more = max(_RESERVED, 2 * held.nbytes)
    grown = np.empty(max(size, more // held.itemsize), held.dtype)
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


@inner
def _shift_of(slots):
    """By how many bits a hash is shifted to the number of the slot that is sought first, of a power of two of slots."""
    shift, size = np.uint64(64), len(slots)
    while size > 1:
        size >>= 1
        shift -= np.uint64(1)
    return shift


@compiled
def _move(slots, others):
    """Take over the texts that have a slot among more, all free: their order but for what is wrapped stays, so both are passed through once."""
    mask, shift = np.uint64(len(others) - 1), _shift_of(others)
    for here in slots:
        if here != _FREE:
            slot = here >> shift
            while others[slot] != _FREE:
                slot = (slot + np.uint64(1)) & mask
            others[slot] = here


@compiled
def _enter(bounds, data, first, slots):
    """Give a slot to each text from ``first`` on that is not there yet; the slots are more than the texts, and their number is a power
    of two."""
    mask, shift = np.uint64(len(slots) - 1), _shift_of(slots)
    hashes = np.empty(_AT_ONCE + 1, np.uint64)
    for begin in range(first, len(bounds) - 1, _AT_ONCE):
        end = min(begin + _AT_ONCE, len(bounds) - 1)
        # Slots lie far apart: those of many texts are fetched before one is waited for.
        fetched = _FREE
        for text in range(begin, end):
            hashes[text - begin] = _hash_of(data, bounds[text], bounds[text + 1])
            fetched |= slots[hashes[text - begin] >> shift]
        hashes[_AT_ONCE] = fetched
        for text in range(begin, end):
            own, length = hashes[text - begin], bounds[text + 1] - bounds[text]
            # As below; as a function, which is handed six arrays for each text, it took looking up half as long again and more.
            slot = own >> shift
            here = slots[slot]
            while here != _FREE:
                if here & _UPPER == own & _UPPER:
                    number = (here & _LOWER) - np.uint64(1)
                    at = bounds[number]
                    if bounds[number + np.uint64(1)] - at == length and _are_same(
                        data, bounds[text], data, at, length
                    ):
                        break
                slot = (slot + np.uint64(1)) & mask
                here = slots[slot]
            if here == _FREE:
                slots[slot] = (own & _UPPER) | np.uint64(text + 1)


@compiled
def _number(
    known_bounds,
    known_data,
    to_bounds,
    to_data,
    known,
    room,
    slots,
    lengths,
    bounds,
    data,
    nulls,
    found,
    first,
):
    """Number texts from ``first`` on that are among the ``known`` ones. As long as there are no more than ``room``, the others are added
    to the same bounds and bytes, given again as what is written to; where ``room`` is -1 they are left. None of the known ones has
    another length than those of ``lengths``, where these are given. (How many are known then, the text that comes next.)"""
    mask, shift = np.uint64(len(slots) - 1), _shift_of(slots)
    hashes = np.empty(_AT_ONCE + 1, np.uint64)
    for begin in range(first, len(found), _AT_ONCE):
        end = min(begin + _AT_ONCE, len(found))
        fetched = _FREE
        for text in range(begin, end):
            length = bounds[text + 1] - bounds[text]
            if len(lengths) == 0 or (length < len(lengths) and lengths[length]):
                hashes[text - begin] = _hash_of(data, bounds[text], bounds[text + 1])
                fetched |= slots[hashes[text - begin] >> shift]
        hashes[_AT_ONCE] = fetched
        for text in range(begin, end):
            start, length = bounds[text], bounds[text + 1] - bounds[text]
            if len(nulls) and nulls[text]:
                continue
            if len(lengths) and (length >= len(lengths) or not lengths[length]):
                continue
            own = hashes[text - begin]
            slot = own >> shift
            here = slots[slot]
            while here != _FREE:
                if here & _UPPER == own & _UPPER:
                    number = (here & _LOWER) - np.uint64(1)
                    at = known_bounds[number]
                    if known_bounds[number + np.uint64(1)] - at == length and _are_same(
                        data, start, known_data, at, length
                    ):
                        found[text] = number
                        break
                slot = (slot + np.uint64(1)) & mask
                here = slots[slot]
            if here == _FREE and room >= 0:
                if known >= room:
                    return known, text
                at = to_bounds[known]
                for place in range(length):
                    to_data[at + place] = data[start + place]
                to_bounds[known + 1] = at + length
                slots[slot] = (own & _UPPER) | np.uint64(known + 1)
                found[text] = known
                known += 1
    return known, len(found)
