"""The distribution of one column in source and result, in bars that tell of nobody alone.

Numbers and dates lie on a line; of texts the commonest are told apart by their rank, and none is written out. What a label of
the result covers counts for each of the source values under it alike, as in :mod:`.covering`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from techniques.core.settings import Frozen
from techniques.data_utility.covering import Spread
from techniques.data_utility.profile import ColumnProfile
from techniques.identification.profiles.profile import WIDTHS, places_of
from techniques.identification.profiles.spread import Spread as Line

MOST_RANKS = 9
"""Values of a text that have a bar of their own; the others share one."""
Sides = tuple[int, int]


class DistributionBar(Frozen):
    """Rows of a part of the column. On a line it goes ``low`` to below ``high``, None at an open end: a number scaled by 10^6, a
    month counted from year 0. Of texts ``rank`` is the place of the value among the commonest of the source."""

    part: str
    low: int | None = None
    high: int | None = None
    rank: int | None = None
    source: int
    result: int


class Distribution(Frozen):
    """Bars of ``minimum`` rows or more on each side, or of none at all; ``part`` is line, rank, others, suppressed or unresolved.

    ``sort``: number, date or text. The last three have no place among the values: the rarer ones together, ``*``, and labels that
    cover no value of the source.
    """

    sort: str
    minimum: int
    bars: tuple[DistributionBar, ...]


def distribution(
    source: ColumnProfile, result: ColumnProfile, found: Spread, minimum: int
) -> Distribution | None:
    """``found`` is the result spread over the source's values; None where fewer than two parts have ``minimum`` rows."""
    assert source.values is not None
    assert source.counts is not None
    mass = found.mass - (result.suppressed / max(len(source.values), 1))
    line = places_of(source.values, source.counts)
    if line is None:
        sort, bars = "text", _ranks(source.counts, mass, minimum)
    else:
        sort = line[0]
        bars = _line(WIDTHS[sort], *line[1:], source.counts, mass, minimum)
    if len(bars) < 2:
        return None
    apart = {
        "suppressed": (source.suppressed, result.suppressed),
        "unresolved": (0, round(found.unresolved)),
    }
    bars += [
        DistributionBar(part=part, source=sides[0], result=sides[1])
        for part, sides in apart.items()
        if any(sides) and _is_shown(sides, minimum)
    ]
    return Distribution(sort=sort, minimum=minimum, bars=tuple(bars))


def _is_shown(sides: Sides, minimum: int) -> bool:
    return all(rows == 0 or rows >= minimum for rows in sides)


def _line(
    widths: list[int],
    places: npt.NDArray[np.int64],
    valid: npt.NDArray[np.bool_],
    counts: npt.NDArray[np.int64],
    mass: npt.NDArray[np.float64],
    minimum: int,
) -> list[DistributionBar]:
    """The source's own bars, joined to the next one where either side is about too few."""
    line = Line(widths)
    line.add(places[valid], counts[valid])
    cuts = [low for low, _high, _rows in line.bars(minimum) if low is not None]
    which = np.searchsorted(np.array(cuts, dtype=np.int64), places[valid], side="right")
    before = np.bincount(which, weights=counts[valid], minlength=len(cuts) + 1)
    after = np.bincount(which, weights=mass[valid], minlength=len(cuts) + 1)
    joined: list[tuple[int | None, float, float]] = []
    for low, here, there in zip([None, *cuts], before.tolist(), after.tolist(), strict=True):
        if joined and not _is_shown((round(joined[-1][1]), round(joined[-1][2])), minimum):
            kept = joined.pop()
            joined.append((kept[0], kept[1] + here, kept[2] + there))
        else:
            joined.append((low, here, there))
    while len(joined) > 1 and not _is_shown((round(joined[-1][1]), round(joined[-1][2])), minimum):
        _low, here, there = joined.pop()
        kept = joined.pop()
        joined.append((kept[0], kept[1] + here, kept[2] + there))
    ends = [low for low, _here, _there in joined[1:]]
    return [
        DistributionBar(part="line", low=low, high=high, source=round(here), result=round(there))
        for (low, here, there), high in zip(joined, [*ends, None], strict=True)
    ]


def _ranks(
    counts: npt.NDArray[np.int64], mass: npt.NDArray[np.float64], minimum: int
) -> list[DistributionBar]:
    """The commonest values by rank, and all others together; a value goes to the others where either side is about too few."""
    order = np.argsort(-counts, kind="stable")
    named: list[Sides] = []
    before, after = int(counts.sum()), float(mass.sum())
    for place in order[:MOST_RANKS].tolist():
        sides = (int(counts[place]), round(float(mass[place])))
        if not _is_shown(sides, minimum):
            break
        named.append(sides)

    def rest() -> Sides:
        return before - sum(one for one, _two in named), round(after) - sum(two for _one, two in named)

    while named and not _is_shown(rest(), minimum):
        named.pop()
    bars = [
        DistributionBar(part="rank", rank=rank, source=sides[0], result=sides[1])
        for rank, sides in enumerate(named, 1)
    ]
    others = rest()
    if any(others):
        bars.append(DistributionBar(part="others", source=others[0], result=others[1]))
    return bars
