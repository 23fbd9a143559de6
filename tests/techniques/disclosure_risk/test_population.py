"""Population uniqueness: the models against populations that are known."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.population import _inverse_sum, population_uniqueness


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


def ewens(records: int, theta: float, draw: np.random.Generator) -> np.ndarray:
    """Class sizes of the Chinese restaurant process with one parameter."""
    of = np.empty(records, np.int64)
    new = draw.random(records) * (np.arange(records) + theta) < theta
    classes = np.cumsum(new) - 1
    for i in range(records):
        of[i] = classes[i] if new[i] else of[draw.integers(i)]
    return np.bincount(of)


@pytest.mark.parametrize("fraction", [0.05, 0.1])
@pytest.mark.parametrize("kind", ["ewens", "geometric", "negative binomial"])
def test_at_the_limit_of_pitmans_model_ewens_is_nearer_than_zayatz(kind: str, fraction: float) -> None:
    draw = np.random.default_rng(7)
    people = {
        "ewens": lambda: ewens(60_000, 2000.0, draw),
        "geometric": lambda: draw.geometric(0.1, 8000),
        "negative binomial": lambda: 1 + draw.negative_binomial(0.5, 0.03, 5000),
    }[kind]()
    of = np.repeat(np.arange(len(people)), people)
    uniques = int((people == 1).sum())
    sizes = np.unique(of[draw.permutation(len(of))[: int(len(of) * fraction)]], return_counts=True)[1]
    found = population_uniqueness(sizes, fraction)
    assert found.pitman_at_limit
    assert found.chosen == "pitman"
    assert found.pitman is not None
    assert found.zayatz is not None
    assert abs(found.pitman - uniques) < abs(found.zayatz - uniques)
    if kind == "ewens":
        assert found.pitman == pytest.approx(uniques, rel=0.1)


def test_the_limit_is_where_the_likelihood_is_highest() -> None:
    """Pitman's likelihood by gamma functions over a grid: highest at α = 0, and there at the θ of the estimate."""
    people = np.repeat(np.arange(400), np.random.default_rng(3).geometric(0.05, 400))
    sizes = np.unique(np.random.default_rng(4).permutation(people)[:800], return_counts=True)[1]
    n, u = int(sizes.sum()), len(sizes)
    steps, thetas = np.arange(1, n), np.geomspace(10, 1e4, 700)
    best: dict[float, tuple[float, float]] = {}
    for alpha in (0.0, 0.02, 0.1, 0.3, 0.6, 0.9):
        inside = sum(np.log(steps[: f - 1] - alpha).sum() for f in sizes)
        risen = np.log(thetas[:, None] + alpha * steps[: u - 1]).sum(axis=1)
        likelihood = risen - np.log(thetas[:, None] + steps).sum(axis=1) + inside
        best[alpha] = float(likelihood.max()), float(thetas[likelihood.argmax()])
    assert max(best, key=lambda alpha: best[alpha][0]) == 0.0
    found = population_uniqueness(sizes, 0.1)
    theta, population = best[0.0][1], 10 * n
    assert found.pitman_at_limit
    assert found.pitman == pytest.approx(theta * population / (theta + population - 1), rel=0.01)


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
