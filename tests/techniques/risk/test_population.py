"""Population uniqueness: the models against populations that are known."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.messages import EngineError
from techniques.risk.population import _inverse_sum, population_uniqueness


def population(kind: str, records: int, draw: np.random.Generator) -> np.ndarray:
    """The class of each record."""
    if kind == "pitman":  # the Chinese restaurant process with two parameters
        theta, alpha = 2000.0, 0.4
        sizes: list[int] = []
        of = np.empty(records, np.int64)
        chance = draw.random(records)
        for i in range(records):
            if chance[i] * (i + theta) < theta + alpha * len(sizes):
                of[i] = len(sizes)
                sizes.append(1)
                continue
            while True:  # an old class in proportion to size - alpha, by rejection
                pick = of[draw.integers(i)]
                if draw.random() * sizes[pick] < sizes[pick] - alpha:
                    break
            of[i] = pick
            sizes[pick] += 1
        return of
    sizes_nb = 1 + draw.negative_binomial(0.5, 0.1, records // 5)
    return np.repeat(np.arange(len(sizes_nb)), sizes_nb)


@pytest.mark.parametrize(
    ("kind", "fraction", "model", "tolerance"),
    [
        ("pitman", 0.05, "pitman", 0.15),
        ("pitman", 0.1, "pitman", 0.15),
        ("nb", 0.3, "snb", 0.15),
        ("nb", 0.5, "zayatz", 0.3),
        ("nb", 0.9, "zayatz", 0.1),
    ],
)
def test_estimates_of_known_populations(kind: str, fraction: float, model: str, tolerance: float) -> None:
    draw = np.random.default_rng(4)
    of = population(kind, 100_000, draw)
    uniques = int((np.bincount(of) == 1).sum())
    sample = of[draw.permutation(len(of))[: int(len(of) * fraction)]]
    sizes = np.unique(sample, return_counts=True)[1]
    found = population_uniqueness(sizes, fraction)
    assert getattr(found, model) == pytest.approx(uniques, rel=tolerance)
    assert found.sample_uniques == (sizes == 1).sum()
    assert 0 <= found.share <= 1


def test_ends() -> None:
    assert population_uniqueness(np.array([2, 3]), 0.1).share == 0
    whole = population_uniqueness(np.array([1, 1, 2]), 1.0)
    assert (whole.share, whole.chosen) == (0.5, "counted")
    lonely = population_uniqueness(np.ones(50, np.int64), 0.05)
    assert lonely.chosen == "zayatz"
    assert lonely.pitman is None
    with pytest.raises(EngineError):
        population_uniqueness(np.array([1]), 0)


@pytest.mark.parametrize("power", [1, 2])
def test_long_sums(power: int) -> None:
    terms = (1 / (0.7 + np.arange(1, 500_001)) ** power).sum()
    assert _inverse_sum(0.7, 500_000, power) == pytest.approx(terms, rel=1e-9)
