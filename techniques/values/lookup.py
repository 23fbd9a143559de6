"""Texts looked up among others. The fewer of the two are entered into a table, for a large one lies in no cache; and only those of a
length that both have, for most columns have few lengths, and those of another column are others.

Where several columns are looked up among the same texts, these are entered once: :class:`techniques.values.numbered.NumberedTexts`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.values.buffers import layout
from techniques.values.numbered import NumberedTexts

_FEWER = 2
"""Times as many others from which the texts are entered."""
Numbers = NDArray[np.int64]


def places(texts: Any, among: Any) -> Numbers:
    """The place of each of n ``texts`` among others, both string arrays: the first one where it stands there several times, -1 where it
    does not or is null."""
    found = np.full(len(texts), -1, dtype=np.int64)
    here, there = _of_one_length(texts, among)
    if len(here):
        at = _looked_up(_taken(texts, here), _taken(among, there))
        found[here] = np.where(at < 0, -1, there[at])
    return found


def is_among(texts: Any, among: Any) -> NDArray[np.bool_]:
    """Which of n ``texts`` are among others, both string arrays; none that is null."""
    found = np.zeros(len(texts), dtype=bool)
    here, there = _of_one_length(texts, among)
    if len(here):
        found[here] = _looked_up(_taken(texts, here), _taken(among, there)) >= 0
    return found


def _of_one_length(texts: Any, among: Any) -> tuple[Numbers, Numbers]:
    """Where texts stand on either side that are as long as one of the other side; nothing that is null."""
    sizes, others = _sizes(texts), _sizes(among)
    longest = max(int(sizes.max(initial=-1)), int(others.max(initial=-1)))
    here, there = _lengths(sizes, longest), _lengths(others, longest)
    if not (here & there).any():
        return np.empty(0, np.int64), np.empty(0, np.int64)
    return np.flatnonzero(there[sizes]), np.flatnonzero(here[others])


def _sizes(texts: Any) -> NDArray[np.integer]:
    """The length of each text (n,) in bytes; -1 of what is null."""
    if pa.types.is_string(texts.type) and not texts.null_count:
        return np.diff(layout(texts)[0])
    found: Numbers = pc.fill_null(pc.binary_length(texts), -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def _lengths(sizes: NDArray[np.integer], longest: int) -> NDArray[np.bool_]:
    """Of each length up to the ``longest`` whether one of ``sizes`` (n,) is it; the last place is that of a null, which has none."""
    known = np.zeros(longest + 2, dtype=bool)
    known[sizes] = True
    known[-1] = False
    return known


def _taken(texts: Any, where: Numbers) -> Any:
    return texts if len(where) == len(texts) else texts.take(pa.array(where))


def _looked_up(texts: Any, among: Any) -> NDArray[np.integer]:
    """:func:`places` of texts none of which is null."""
    if _FEWER * len(texts) > len(among):
        return NumberedTexts(among).numbers(texts)
    entered = NumberedTexts()
    numbers = entered.add(texts)
    at = entered.numbers(among)
    there = np.flatnonzero(at >= 0)[::-1]
    first = np.full(len(entered), -1, dtype=np.int64)
    # Written last is the first place.
    first[at[there]] = there
    return first[numbers]
