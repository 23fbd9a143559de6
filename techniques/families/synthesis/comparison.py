"""How far made-up rows differ from real ones in one column, and in two together."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.families.synthesis.columns import Bins


def comparison(names: list[str], real: list[Bins], made: list[Bins], counts: list[int]) -> dict[str, Any]:
    """Total variation distances (0 alike, 1 nothing in common) of the bins: each column, and the mean of all pairs."""
    columns = {
        name: round(_distance(own, others, count), 4)
        for name, own, others, count in zip(names, real, made, counts, strict=True)
    }
    pairs = [
        _distance(
            _coarse(real[i], counts[i]) * 16 + _coarse(real[j], counts[j]),
            _coarse(made[i], counts[i]) * 16 + _coarse(made[j], counts[j]),
            256,
        )
        for i, j in combinations(range(len(real)), 2)
    ]
    found: dict[str, Any] = {"columns": columns}
    if pairs:
        found |= {"pairs_mean": round(float(np.mean(pairs)), 4), "pairs_largest": round(max(pairs), 4)}
    return found


def _coarse(bins: Bins, count: int) -> NDArray[np.int64]:
    """At most 16 bins."""
    return bins.astype(np.int64) * min(count, 16) // max(count, 1)


def _distance(real: NDArray[Any], made: NDArray[Any], count: int) -> float:
    own = np.bincount(real, minlength=count) / max(len(real), 1)
    others = np.bincount(made, minlength=count) / max(len(made), 1)
    return float(np.abs(own - others).sum() / 2)
