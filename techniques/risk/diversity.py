"""How varied a sensitive attribute is within the classes of a table (GB/T 37964 B.1.2, B.1.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Diversity:
    """The worst class of each kind; a table without classes has l = 0 and t = 0.

    ``distinct`` is l by distinct values, ``entropy`` e to the lowest entropy, ``t`` the greatest distance
    with all values equally far apart, ``t_ordered`` that by the order of the value numbers, ``beta`` the
    greatest relative gain (share in class - share in table) / share in table, ``delta`` the greatest
    |log(share in class / share in table)| over values that occur in a class, ``alpha`` the greatest share of one value
    in a class, so the chance of who guesses the most frequent one.
    """

    distinct: int
    entropy: float
    t: float
    t_ordered: float
    beta: float
    delta: float
    alpha: float

    def as_dict(self) -> dict[str, float]:
        """JSON-ready values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def diversity(
    class_of: NDArray[Any],
    values: NDArray[Any],
    counts: NDArray[Any] | None = None,
    reference: NDArray[np.float64] | None = None,
) -> Diversity:
    """Measure n rows, or n combinations with ``counts``, by their class and value (numbers from 0).

    ``reference`` are the shares of the values in the table to compare with; by default those of these rows.
    Work n log n, memory a few numbers per pair of class and value that occurs.
    """
    if len(class_of) == 0:
        return Diversity(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    weights = np.ones(len(class_of)) if counts is None else counts.astype(np.float64)
    size = int(values.max()) + 1
    if reference is None:
        reference = np.bincount(values, weights=weights) / weights.sum()
    size = max(size, len(reference))
    pairs, inverse = np.unique(class_of.astype(np.int64) * size + values, return_inverse=True)
    number = np.bincount(inverse, weights=weights)
    _, place = np.unique(pairs // size, return_inverse=True)
    value = pairs % size
    n = np.bincount(place, weights=number)
    share = number / n[place]
    expected = reference[value]
    entropy = np.bincount(place, weights=-share * np.log(share))
    covered = np.bincount(place, weights=expected)
    apart = np.bincount(place, weights=np.abs(share - expected))
    ratio = share / expected
    return Diversity(
        distinct=int(np.bincount(place).min()),
        entropy=float(np.exp(entropy.min())),
        t=float(((apart + 1 - covered) / 2).max()),
        t_ordered=_ordered(place, value, share, reference),
        beta=float(np.maximum(ratio - 1, 0).max()),
        delta=float(np.abs(np.log(ratio)).max()),
        alpha=float(share.max()),
    )


def _ordered(
    place: NDArray[Any], value: NDArray[Any], share: NDArray[np.float64], reference: NDArray[np.float64]
) -> float:
    """Greatest earth mover's distance over neighbouring steps, the whole range being 1.

    Between two values that occur in a class its own running sum stands still, so |sum - reference| is
    integrated over the steps between them by running sums of the reference.
    """
    used = np.flatnonzero(reference > 0)
    steps = len(used) - 1
    if steps < 1:
        return 0.0
    rank = np.zeros(len(reference), dtype=np.int64)
    rank[used] = np.arange(len(used))
    rising = np.cumsum(reference[used])
    area = np.concatenate([[0.0], np.cumsum(rising)])
    rank_here = rank[value]
    total = np.cumsum(share)
    first = np.append(True, place[1:] != place[:-1])
    own = total - np.repeat((total - share)[first], np.diff(np.append(np.flatnonzero(first), len(place))))
    last = np.append(first[1:], True)
    # The class's sum is `own` on the steps from this value to before the next one of the class.
    low = rank_here
    high = np.where(last, steps, np.append(rank_here[1:], 0))
    cross = np.clip(np.searchsorted(rising, own), low, high)
    inside = own * (cross - low) - (area[cross] - area[low])
    beyond = (area[high] - area[cross]) - own * (high - cross)
    before = np.where(first, area[rank_here], 0.0)
    distance = np.bincount(place, weights=inside + beyond + before) / steps
    return float(distance.max())
