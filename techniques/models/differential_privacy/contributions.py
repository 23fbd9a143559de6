"""How many rows of a person count: some groups of each, and some rows in each of these, drawn by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects, persons

Places = NDArray[np.int64]


def bounded(
    place: Places, subjects: Subjects | None, groups: int, rows: int, secrets: Secrets
) -> NDArray[np.bool_]:
    """Which of n rows count, by the cell (n,) of each, -1 for none.

    Of each person at most ``groups`` cells, and in each at most ``rows`` rows. All choices are equally likely, by draws from
    ``secrets`` that hang on no value: a table without a person gives the rows of all others the same chances, which is what a
    guarantee needs. Without ``subjects`` a row is a person.
    """
    counted = place >= 0
    if subjects is None:
        return counted
    at = np.flatnonzero(counted)
    who = persons(subjects)[0][at].astype(np.int64)
    cell = place[at]
    size = int(cell.max(initial=-1)) + 1
    pairs, pair = np.unique(who * size + cell, return_inverse=True)
    pair = pair.reshape(-1)
    chosen = _first(pairs // max(size, 1), groups, secrets.words("groups of a person", len(pairs)))
    taken = _first(pair, rows, secrets.words("rows in a group", len(at))) & chosen[pair]
    kept = np.zeros(len(place), np.bool_)
    kept[at[taken]] = True
    return kept


def _first(owner: Places, most: int, draws: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """``most`` of the entries (n,) of each owner, by the order of ``draws``."""
    order = np.lexsort((draws, owner))
    ordered = owner[order]
    begins = np.r_[True, ordered[1:] != ordered[:-1]] if len(ordered) else np.zeros(0, np.bool_)
    start = (
        np.maximum.accumulate(np.where(begins, np.arange(len(ordered)), 0))
        if len(ordered)
        else np.zeros(0, np.int64)
    )
    found = np.zeros(len(owner), np.bool_)
    found[order] = np.arange(len(ordered)) - start < most
    return found
