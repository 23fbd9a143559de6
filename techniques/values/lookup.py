"""Texts looked up among others. Entering texts into a table takes several times as long as looking one up, so the fewer of the two are
entered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_FEWER = 2
"""Times as many others from which the texts are entered."""


def places(texts: Any, among: Any) -> NDArray[np.int64]:
    """The place of each of n ``texts`` among others, both string arrays: the first one where it stands there several times, -1 where it
    does not or is null."""
    if _FEWER * len(texts) > len(among):
        return _numbers(pc.index_in(texts, value_set=among, skip_nulls=True))
    entered = texts.dictionary_encode()
    at = _numbers(pc.index_in(among, value_set=entered.dictionary, skip_nulls=True))
    there = np.flatnonzero(at >= 0)[::-1]
    # Written last is the first place; one more is for what is null.
    first = np.full(len(entered.dictionary) + 1, -1, dtype=np.int64)
    first[at[there]] = there
    return first[_numbers(entered.indices)]


def is_among(texts: Any, among: Any) -> NDArray[np.bool_]:
    """Which of n ``texts`` are among others, both string arrays; none that is null."""
    if _FEWER * len(texts) > len(among):
        return np.asarray(pc.is_in(texts, value_set=among, skip_nulls=True)).astype(bool)
    entered = texts.dictionary_encode()
    found = np.zeros(len(entered.dictionary) + 1, dtype=bool)
    found[_numbers(pc.index_in(among, value_set=entered.dictionary, skip_nulls=True))] = True
    found[-1] = False
    return found[_numbers(entered.indices)]


def _numbers(places: Any) -> NDArray[np.int64]:
    """-1 where one is null."""
    found = pc.fill_null(places, -1) if places.null_count else places
    return found.to_numpy(zero_copy_only=False).astype(np.int64)
