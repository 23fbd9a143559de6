"""The first Wasserstein distance of a column's original and released values: how far its numbers have moved.

It is the area between the two cumulative distributions, here as a share of the range of the original. An interval is
taken as uniform over its bounds, for nothing more is known of what lies in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from techniques.data_utility.covering import Hierarchy, coverings
from techniques.data_utility.numbers import PLAIN, interval, values_of
from techniques.data_utility.profile import ColumnProfile

Floats = npt.NDArray[np.float64]
_MOST_LABELS = 10_000


@dataclass(frozen=True)
class Mixture:
    """Uniform distributions over [low, high] with weights that sum to 1; a point where both bounds are the same."""

    low: Floats
    high: Floats
    weight: Floats

    @classmethod
    def of(cls, parts: list[tuple[Floats, Floats, Floats]]) -> Mixture | None:
        """All parts together; None where they weigh nothing."""
        low, high, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
        total = float(weight.sum())
        return cls(low, high, weight / total) if total > 0 else None


def wasserstein(one: Mixture, other: Mixture) -> float:
    """The area between the cumulative distributions of two mixtures, exact: between two bounds both are straight."""
    low, high = np.append(one.low, other.low), np.append(one.high, other.high)
    weight = np.append(one.weight, -other.weight)
    places, at = np.unique(np.append(low, high), return_inverse=True)
    start, end = at[: len(low)], at[len(low) :]
    point = start == end
    jump = np.bincount(start[point], weight[point], len(places))
    wide = ~point
    slope = weight[wide] / (high[wide] - low[wide])
    change = np.bincount(start[wide], slope, len(places)) - np.bincount(end[wide], slope, len(places))
    length = np.diff(places)
    rise = np.cumsum(change)[:-1] * length
    left = np.cumsum(jump)[:-1] + np.append(0.0, np.cumsum(rise)[:-1])
    right = left + rise
    both = np.abs(left) + np.abs(right)
    crossing = left * right < 0
    # Where the difference changes its sign there are two triangles, elsewhere one trapezium.
    area = np.where(crossing, (left**2 + right**2) / np.where(both > 0, both, 1), both) / 2
    return float((area * length).sum())


def column_distance(
    source: ColumnProfile, result: ColumnProfile, hierarchy: Hierarchy | None = None
) -> float | None:
    """The distance of two columns as a share of the range of the source's numbers.

    A suppressed cell lies anywhere in that range, a set or a label of the hierarchy at the numbers that it covers;
    missing cells and labels that cover nothing are left out. None where there is nothing to compare or too many
    labels to look up.
    """
    if source.values is None or source.counts is None or result.values is None or result.counts is None:
        return None
    numbers = values_of(source.values)
    known = ~np.isnan(numbers)
    if not known.any():
        return None
    lowest, highest = float(numbers[known].min()), float(numbers[known].max())
    before = _parts(source.values, source.counts, lowest, highest)
    after = _parts(result.values, result.counts, lowest, highest)
    if before is None or after is None:
        return None
    _own, foreign = coverings(source.values, result.values, hierarchy)
    readable = ~np.isnan(values_of(result.values))
    for place, covered in foreign:
        inside = numbers[covered][known[covered]]
        if not readable[place] and len(inside):
            after.append((inside, inside, np.full(len(inside), result.counts[place] / len(inside))))
    if result.suppressed:
        after.append((np.array([lowest]), np.array([highest]), np.array([float(result.suppressed)])))
    one, other = Mixture.of(before), Mixture.of(after)
    if one is None or other is None:
        return None
    moved = wasserstein(one, other)
    if highest == lowest:
        return 0.0 if moved == 0 else None
    return moved / (highest - lowest)


def _parts(
    labels: pa.Array, counts: npt.NDArray[np.int64], lowest: float, highest: float
) -> list[tuple[Floats, Floats, Floats]] | None:
    """Numbers as points and intervals by their bounds; open ends reach to the ends of the source's range."""
    plain = pc.match_substring_regex(labels, PLAIN).to_numpy(zero_copy_only=False)
    points = values_of(labels.filter(pa.array(plain)))
    rest = np.flatnonzero(~plain)
    if len(rest) > _MOST_LABELS:
        return None
    found = [
        (bounds, float(counts[place]))
        for place, text in zip(rest.tolist(), labels.take(pa.array(rest)).to_pylist(), strict=True)
        if (bounds := interval(text)) is not None
    ]
    low = np.array([one if isfinite(one) else min(lowest, other) for (one, other), _ in found], np.float64)
    high = np.array(
        [other if isfinite(other) else max(highest, one) for (one, other), _ in found], np.float64
    )
    weight = np.array([count for _, count in found], dtype=np.float64)
    return [(points, points, counts[plain].astype(np.float64)), (low, high, weight)]
