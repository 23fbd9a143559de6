"""Values of one column within longer texts of another, whatever they look like: every window of the texts is looked up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.identification.traces.values import Counts

Words = npt.NDArray[np.uint64]
_LENGTHS = 6
"""Lengths of values that are looked for, the most common ones."""
_SIGNS = 20_000_000
"""Characters of the texts that are searched at most; of more, texts evenly over the column."""
_BASE = np.uint64(0x9E3779B97F4A7C15)


def found_inside(texts: pa.Array, counts: Counts, values: pa.Array) -> tuple[int, float]:
    """(rows in whose text one of ``values`` stands, with more around it; how many of these chance explains).

    ``texts`` (d,) are distinct values with their ``counts``; both are in their plain form.
    """
    if len(values) == 0 or len(texts) == 0:
        return 0, 0.0
    lengths, often = np.unique(pc.utf8_length(values).to_numpy(), return_counts=True)
    chosen = lengths[np.argsort(-often)][:_LENGTHS]
    sizes = pc.utf8_length(texts).to_numpy()
    worth = np.flatnonzero(sizes > int(chosen.min()))
    if len(worth) == 0:
        return 0, 0.0
    step = max(1, int(sizes[worth].sum()) // _SIGNS)
    worth = worth[::step]
    signs, owner = _joined(texts.take(pa.array(worth)).to_pylist())
    places = _powers(len(signs) + 1)
    inverse = _powers(len(signs) + 1, pow(int(_BASE), -1, 1 << 64))
    sums = np.concatenate([[np.uint64(0)], np.cumsum(signs * places[:-1], dtype=np.uint64)])
    hit = np.zeros(len(worth), dtype=bool)
    expected = 0.0
    for length in chosen.tolist():
        same = values.filter(pc.equal(pc.utf8_length(values), int(length)))
        if length >= len(signs):
            continue
        windows = (sums[length:] - sums[:-length]) * inverse[: len(sums) - length]
        wanted = np.unique(_hashes(same.to_pylist(), places, int(length)))
        at = np.flatnonzero(np.isin(windows, wanted))
        # A window over the end of a text holds the sign between two texts, which no value holds.
        owners = np.unique(owner[at])
        fresh = owners[sizes[worth][owners] > length]
        hit[fresh] = True
        digits = pc.sum(pc.match_substring_regex(same, "^[0-9]+$")).as_py() or 0
        expected += digits / 10.0 ** int(length) * len(windows)
    return step * int(counts[worth][hit].sum()), expected


def _joined(texts: list[str]) -> tuple[Words, Counts]:
    """The characters of all texts with a sign between them, and the text that each belongs to."""
    whole = "\0".join(texts)
    signs = np.frombuffer(whole.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    return signs, np.cumsum(signs == 0).astype(np.int64)


def _powers(count: int, base: int = int(_BASE)) -> Words:
    found = np.full(count, base & ((1 << 64) - 1), dtype=np.uint64)
    found[0] = 1
    powers: Words = np.cumprod(found, dtype=np.uint64)
    return powers


def _hashes(values: list[str], places: Words, length: int) -> Words:
    signs = np.frombuffer("".join(values).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    found: Words = (signs.reshape(len(values), length) * places[:length]).sum(axis=1, dtype=np.uint64)
    return found
