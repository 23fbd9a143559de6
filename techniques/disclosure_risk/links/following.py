"""Which columns follow from others: each value of the one has one value of the other, or nearly.

Only values that several persons have can show it: what is of one person alone has one value of everything. A person with
several rows is one person, and has to agree in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from techniques.disclosure_risk.links.counting import Cells, Pairs
from techniques.disclosure_risk.links.refuting import Bounds, bounds

AGREE = 0.98
"""The share from which a column nearly follows from another."""
_UNEXPLAINED = 0.2
"""The most that may be left of what the commonest value alone gets wrong: a column of nearly one value follows from nothing."""
LEAST = 10
"""Persons that have to be compared, and that have to have another value than the commonest one."""
_LEAST_SHARE = 0.1
"""The least share of the persons with both values that have to be compared."""
_REFUTED = 1.5 * (1 - AGREE)
"""The share of the persons compared that surely disagree from which nothing follows, with a margin so that no rounding matters."""


@dataclass(frozen=True)
class Follows:
    """``column`` follows from the column ``source``: of ``compared`` persons who share a value of ``source`` with others,
    ``agree`` have no other value of ``column`` than the one that is commonest there."""

    column: str
    source: str
    compared: int
    agree: int


def following(cells: Cells, tick: Callable[[float], None] = lambda share: None) -> list[Follows]:
    """Every column that follows from another one, by pairs of columns; the surest first."""
    found: list[Follows] = []
    columns = range(len(cells.names))
    refuted = {
        (one.source, one.column)
        for source in columns
        for one in bounds(cells, source, _REFUTED)
        if _is_refuted(one)
    }
    pairs = list(combinations(columns, 2))
    for done, pair in enumerate(pairs):
        left = [place for place in (0, 1) if (pair[place], pair[1 - place]) not in refuted]
        if left:
            found += _following(cells, pair, left)
        tick((done + 1) / len(pairs))
    return sorted(found, key=lambda one: (one.agree < one.compared, -one.compared, one.source, one.column))


def _following(cells: Cells, pair: tuple[int, int], sources: Iterable[int]) -> Iterator[Follows]:
    """What follows in a ``pair`` of columns from those at the places ``sources`` of it."""
    pairs_of_values = cells.pairs(*pair)
    for source in sources:
        names = cells.names[pair[1 - source]], cells.names[pair[source]]
        one = _follows(*names, pairs_of_values, source, cells.shared(pair[source]))
        if one is not None:
            yield one


def _is_refuted(found: Bounds) -> bool:
    """Whether counting the pairs of values would find that the column does not follow."""
    too_few = found.compared < max(LEAST, _LEAST_SHARE * found.both)
    return too_few or found.disagree > _REFUTED * found.compared


def _follows(column: str, source: str, pairs: Pairs, place: int, shared: NDArray[np.bool_]) -> Follows | None:
    """From the pairs of values, of which the source's are at ``place``; ``shared`` says which of these several persons have."""
    here, there, counts = pairs.codes[place], pairs.codes[1 - place], pairs.counts
    of_value = np.bincount(here, weights=counts, minlength=len(shared))
    several = ((of_value > 1) & shared)[here]
    compared = pairs.persons(several)
    if compared < max(LEAST, _LEAST_SHARE * pairs.persons(np.ones_like(several))):
        return None
    common = int(np.bincount(there[several], weights=counts[several]).argmax())
    unusual = pairs.persons(several & (there != common))
    if unusual < LEAST:
        return None
    agree = compared - pairs.persons(several & (there != _commonest(here, there, counts, len(shared))[here]))
    if agree < AGREE * compared or compared - agree > _UNEXPLAINED * unusual:
        return None
    return Follows(column, source, compared, agree)


def _commonest(
    here: NDArray[np.int32], there: NDArray[np.int32], counts: NDArray[np.int64], values: int
) -> NDArray[np.int64]:
    """The commonest value ``there`` for each of so many ``values`` of the source; of several the one that comes first."""
    # NumPy is quick at this only where it has to cast neither places nor numbers.
    at, values_there = here.astype(np.intp), there.astype(np.int64)
    most = np.zeros(values, np.int64)
    np.maximum.at(most, at, counts)
    first = np.full(values, np.iinfo(np.int64).max)
    chosen = counts == most[here]
    np.minimum.at(first, at[chosen], values_there[chosen])
    return first
