"""Values of one column within longer texts of another, whatever they look like: every window of the texts is looked up."""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.core.compiling import compiled, inner
from techniques.identification.traces.values import Counts, by_chance
from techniques.values.buffers import layout

_LENGTHS = 6
"""Lengths of values that are looked for, the most common ones."""
_SIGNS = 20_000_000
"""Characters of the texts that are searched at most; of more, texts evenly over the column."""
_BASE = np.uint64(0x9E3779B97F4A7C15)
_SLOTS, _BITS = 2, 16
"""Slots of the table, and bits of the filter before it, for each value at least."""


class _OfOneLength(NamedTuple):
    """Values of ``length`` characters, ``digits`` of them of digits alone: their hashes in an open ``table`` where 0 is an empty
    slot, and a ``filter`` of bits that most other hashes do not pass."""

    length: int
    digits: int
    table: npt.NDArray[np.uint64]
    filter: npt.NDArray[np.uint8]


class Sought:
    """``values`` in their plain form, to be looked for within texts of any number of columns."""

    def __init__(self, values: pa.Array) -> None:
        sizes = pc.utf8_length(values)
        lengths, often = np.unique(sizes.to_numpy(), return_counts=True)
        chosen = lengths[np.argsort(-often)][:_LENGTHS].tolist()
        self._parts = [_of_length(values.filter(pc.equal(sizes, length)), length) for length in chosen]

    def within(self, texts: pa.Array, counts: Counts) -> tuple[int, float]:
        """(rows in whose text one of the values stands, with more around it; how many of these chance explains).

        ``texts`` (d,) are distinct values in their plain form with their ``counts``.
        """
        if not self._parts or len(texts) == 0:
            return 0, 0.0
        sizes = pc.utf8_length(texts).to_numpy()
        worth = np.flatnonzero(sizes > min(part.length for part in self._parts))
        if len(worth) == 0:
            return 0, 0.0
        step = max(1, int(sizes[worth].sum()) // _SIGNS)
        worth = worth[::step]
        sizes = sizes[worth]
        bounds, data = layout(texts)
        # Where the texts are put together, with a sign between them, a window begins at every character but the last ones.
        signs = int(sizes.sum()) + len(worth) - 1
        hit = np.zeros(len(worth), dtype=np.bool_)
        expected = 0.0
        for part in self._parts:
            if part.length >= signs:
                continue
            _meet(bounds, data, worth, sizes, part.length, part.table, part.filter, hit)
            expected += by_chance(part.digits, part.length) * (signs - part.length + 1)
        return step * int(counts[worth][hit].sum()), expected


def _of_length(values: pa.Array, length: int) -> _OfOneLength:
    digits = pc.sum(pc.match_substring_regex(values, "^[0-9]+$")).as_py() or 0
    table = np.zeros(_power_of_two(_SLOTS * len(values)), dtype=np.uint64)
    bits = np.zeros(_power_of_two(_BITS * len(values)) // 8, dtype=np.uint8)
    bounds, data = layout(values)
    _enter(bounds, data, table, bits)
    return _OfOneLength(length, digits, table, bits)


def _power_of_two(least: int) -> int:
    return 1 << max(3, (least - 1).bit_length())


@inner
def _read(data, at):
    """The character whose UTF-8 begins ``at``, and where the next one does."""
    first = np.uint32(data[at])
    if first < 0x80:
        return first, at + 1
    more = 1 if first < 0xE0 else 2 if first < 0xF0 else 3
    found = first & np.uint32(0x3F >> more)
    for place in range(at + 1, at + 1 + more):
        found = (found << np.uint32(6)) | (np.uint32(data[place]) & np.uint32(0x3F))
    return found, at + 1 + more


@inner
def _mixed(sum_):
    """A number whose high bits depend on all of the sum's, never 0."""
    found = (sum_ ^ (sum_ >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    found ^= found >> np.uint64(32)
    return found if found else np.uint64(1)


@compiled
def _enter(bounds, data, table, bits):
    last, last_bit = np.uint64(len(table) - 1), np.uint64(8 * len(bits) - 1)
    for row in range(len(bounds) - 1):
        sum_, at = np.uint64(0), bounds[row]
        while at < bounds[row + 1]:
            sign, at = _read(data, at)
            sum_ = sum_ * _BASE + np.uint64(sign)
        key = _mixed(sum_)
        bit = (key >> np.uint64(20)) & last_bit
        bits[bit >> np.uint64(3)] |= np.uint8(1 << (bit & np.uint64(7)))
        slot = key & last
        while table[slot] != 0 and table[slot] != key:
            slot = (slot + np.uint64(1)) & last
        table[slot] = key


@compiled
def _meet(bounds, data, rows, sizes, length, table, bits, hit):
    """Mark in ``hit`` those of ``rows``, of ``sizes`` characters, that hold one of the values and more."""
    last, last_bit = np.uint64(len(table) - 1), np.uint64(8 * len(bits) - 1)
    highest = np.uint64(1)
    for _ in range(length - 1):
        highest *= _BASE
    for place in range(len(rows)):
        if hit[place] or sizes[place] <= length:
            continue
        behind = at = bounds[rows[place]]
        end = bounds[rows[place] + 1]
        sum_ = np.uint64(0)
        held = 0
        while at < end:
            if held == length:
                gone, behind = _read(data, behind)
                sum_ -= np.uint64(gone) * highest
                held -= 1
            sign, at = _read(data, at)
            sum_ = sum_ * _BASE + np.uint64(sign)
            held += 1
            if held < length:
                continue
            key = _mixed(sum_)
            bit = (key >> np.uint64(20)) & last_bit
            if not (bits[bit >> np.uint64(3)] >> (bit & np.uint64(7))) & 1:
                continue
            slot = key & last
            while table[slot] != 0 and table[slot] != key:
                slot = (slot + np.uint64(1)) & last
            if table[slot] == key:
                hit[place] = True
                break
