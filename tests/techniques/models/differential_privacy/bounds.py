"""What tests of chance need: bounds of a share by Clopper and Pearson, and when counts do not fit a distribution."""

from __future__ import annotations

import math

import numpy as np

UNLIKELY = 4.753
"""The normal quantile of 1 − 10⁻⁶."""


def fits(counts: np.ndarray, probabilities: np.ndarray) -> bool:
    """Whether Pearson's χ² is below its quantile of 1 − 10⁻⁶ (Wilson and Hilferty); cells of less than 20 expected are put together."""
    expected = probabilities * counts.sum()
    large = expected >= 20
    seen, wanted = counts[large].astype(float), expected[large]
    seen, wanted = np.append(seen, counts[~large].sum()), np.append(wanted, expected[~large].sum())
    seen, wanted = seen[wanted > 0], wanted[wanted > 0]
    freedom = len(seen) - 1
    limit = freedom * (1 - 2 / (9 * freedom) + UNLIKELY * math.sqrt(2 / (9 * freedom))) ** 3
    return bool(((seen - wanted) ** 2 / wanted).sum() < limit)


def at_least(hits: int, runs: int, error: float) -> float:
    """The lower bound of a share that holds but for a chance of ``error`` (Clopper and Pearson)."""
    if hits == 0:
        return 0.0
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, runs + 1)))])
    number = np.arange(hits, runs + 1)
    ways = logs[runs] - logs[number] - logs[runs - number]
    low, high = 0.0, hits / runs
    for _step in range(40):
        middle = (low + high) / 2
        tail = np.exp(ways + number * math.log(middle) + (runs - number) * math.log1p(-middle)).sum()
        low, high = (middle, high) if tail <= error else (low, middle)
    return low


def at_most(hits: int, runs: int, error: float) -> float:
    """The upper bound likewise."""
    return 1 - at_least(runs - hits, runs, error)


def loss_at_least(here: np.ndarray, there: np.ndarray, delta: float = 0.0) -> float:
    """A lower bound of the epsilon between runs on two neighbouring tables, given as whether one event came about in each; it holds but
    for a chance of 10⁻⁶."""
    most = at_most(int(there.sum()), len(there), 5e-7)
    least = at_least(int(here.sum()), len(here), 5e-7) - delta
    return math.log(least / most) if least > 0 else 0.0
