"""Texts looked up among others. Entering texts into a table takes several times as long as looking one up, so the fewer of the two are
entered; and only those of a length that both have, for most columns have few lengths, and those of another column are others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

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
    return np.flatnonzero(_has(others, sizes)), np.flatnonzero(_has(sizes, others))


def _sizes(texts: Any) -> Numbers:
    """The length of each text (n,) in bytes; -1 of what is null."""
    found: Numbers = pc.fill_null(pc.binary_length(texts), -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def _has(sizes: Numbers, of: Numbers) -> NDArray[np.bool_]:
    """Which of the lengths ``of`` (n,) are among ``sizes`` (m,); a null is of no length."""
    longest = int(sizes.max(initial=-1))
    known = np.zeros(longest + 2, dtype=bool)
    known[sizes] = True
    known[-1] = False
    found: NDArray[np.bool_] = known[np.where(of > longest, -1, of)]
    return found


def _taken(texts: Any, where: Numbers) -> Any:
    return texts if len(where) == len(texts) else texts.take(pa.array(where))


def _looked_up(texts: Any, among: Any) -> Numbers:
    """:func:`places` of texts none of which is null."""
    if _FEWER * len(texts) > len(among):
        return _numbers(pc.index_in(texts, value_set=among))
    entered = texts.dictionary_encode()
    at = _numbers(pc.index_in(among, value_set=entered.dictionary))
    there = np.flatnonzero(at >= 0)[::-1]
    first = np.full(len(entered.dictionary), -1, dtype=np.int64)
    # Written last is the first place.
    first[at[there]] = there
    return first[_numbers(entered.indices)]


def _numbers(places: Any) -> Numbers:
    """-1 where one is null."""
    found: Numbers = pc.fill_null(places, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    return found
