"""Population uniqueness: the models against populations that are known."""

from __future__ import annotations

from math import comb, exp, fsum, lgamma, log

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


def drawn_once(size: int, population: int, n: int) -> float:
    """The chance that of ``size`` records exactly one is among n of a population, by counting subsets."""
    return size * comb(population - size, n - 1) / comb(population, n) if size <= population else 0.0


@pytest.mark.parametrize(
    ("sizes", "fraction"),
    [
        ([1, 1, 1, 2, 2, 3], 0.5),
        ([1, 2, 2, 4, 4, 4], 0.2),
        ([1, 1, 5], 0.7),
        ([1, 1, 1, 6], 0.9),
        ([1, 3], 0.4),
        # Of eight people one is not in the sample: a pair may just have one there.
        ([1, 1, 1, 1, 1, 2], 0.875),
    ],
)
def test_zayatz_by_counting_subsets(sizes: list[int], fraction: float) -> None:
    """Bayes: of the classes of each size as the sample has them, those of size 1 among those that show one record."""
    n, ones = sum(sizes), sizes.count(1)
    population = round(n / fraction)
    seen = sum(drawn_once(size, population, n) for size in sizes) / len(sizes)
    wanted = ones * (ones / len(sizes) * drawn_once(1, population, n) / seen) / fraction
    found = population_uniqueness(np.array(sizes), n / population)
    assert found.zayatz == pytest.approx(wanted * fraction * population / n)


@pytest.mark.parametrize(("alpha", "beta", "fraction"), [(0.5, 0.1, 0.3), (2.0, 0.4, 0.5), (0.2, 0.05, 0.2)])
def test_snb_finds_the_model_that_made_the_sample(alpha: float, beta: float, fraction: float) -> None:
    """Classes of 1 + NB(alpha, beta) records, each record in the sample with one chance: summed over all sizes."""
    classes, sizes = 1_000_000, range(1, 400)
    of_size = [
        exp(lgamma(alpha + s - 1) - lgamma(alpha) - lgamma(s) + alpha * log(beta) + (s - 1) * log(1 - beta))
        for s in sizes
    ]
    shown = [
        round(classes * sum(share * comb(s, j) * fraction**j * (1 - fraction) ** (s - j) for s, share in zip(sizes, of_size, strict=True) if s >= j))
        for j in range(1, 60)
    ]  # fmt: skip
    found = population_uniqueness(np.repeat(np.arange(1, 60), shown), fraction)
    assert found.snb == pytest.approx(classes * of_size[0], rel=0.03)


def test_pitmans_estimate_is_where_the_likelihood_is_highest() -> None:
    """By gamma functions over a grid that closes in on (θ, α): Γ(θ+1)/Γ(θ+α) · N^α of it."""
    of = population("pitman", 3000, np.random.default_rng(2))
    for sizes in (
        np.bincount(of),
        np.array([1] * 300 + [5] * 20 + [40] * 3),
        np.array([1] * 60 + [2] * 8 + [9]),
    ):
        n, u = int(sizes.sum()), len(sizes)
        steps, size, number = np.arange(1, n), *np.unique(sizes, return_counts=True)
        low, high = np.array([log(0.5), 0.001]), np.array([log(1e5), 0.999])
        for _round in range(9):
            logs, alphas = (np.linspace(a, b, 15) for a, b in zip(low, high, strict=True))
            thetas = np.exp(logs)
            risen = np.log(thetas[:, None, None] + alphas[:, None] * steps[: u - 1]).sum(axis=2)
            inside = sum(
                c * np.log(steps[: f - 1] - alphas[:, None]).sum(axis=1)
                for f, c in zip(size, number, strict=True)
            )
            likelihood = risen - np.log(thetas[:, None] + steps).sum(axis=1)[:, None] + inside
            best = np.unravel_index(likelihood.argmax(), likelihood.shape)
            centre, width = np.array([logs[best[0]], alphas[best[1]]]), (high - low) / 5
            low, high = np.maximum(centre - width, [-3, 0.0001]), np.minimum(centre + width, [15, 0.9999])
        theta, alpha = exp(centre[0]), float(centre[1])
        found = population_uniqueness(sizes, 0.1)
        assert not found.pitman_at_limit
        wanted = exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(10 * n))
        assert found.pitman == pytest.approx(wanted, rel=0.01)


@pytest.mark.parametrize(("fraction", "chosen"), [(0.1, "pitman"), (0.11, "least"), (0.5, "least")])
def test_which_model_is_chosen(fraction: float, chosen: str) -> None:
    """Dankar et al. 2012: Pitman's up to a tenth, above it the smaller of Zayatz' and SNB's."""
    sizes = np.array([1] * 40 + [2] * 20 + [3] * 9 + [4] * 5 + [7] * 3)
    found = population_uniqueness(sizes, fraction)
    assert None not in (found.pitman, found.snb, found.zayatz)
    models = {"pitman": found.pitman, "snb": found.snb, "zayatz": found.zayatz}
    least = min(("snb", "zayatz"), key=lambda model: models[model] or 0.0)
    assert found.chosen == (least if chosen == "least" else chosen)
    assert found.share == pytest.approx((models[found.chosen] or 0.0) / round(sizes.sum() / fraction))
    assert found.sample_uniques == 40


@pytest.mark.parametrize("sizes", [[30, 8, 3, 2, 1], [40, 11, 6], [25, 7, 0, 4]])
def test_twice_the_classes_of_each_size_have_twice_the_uniques(sizes: list[int]) -> None:
    """Shares alone decide which model is found, so its number of classes goes with theirs."""
    once = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    found = [population_uniqueness(np.tile(once, times), 0.2).snb for times in (1, 2, 3)]
    assert None not in found
    assert found == pytest.approx([times * found[0] for times in (1, 2, 3)])


def test_ends() -> None:
    assert population_uniqueness(np.array([2, 3]), 0.1).share == 0
    whole = population_uniqueness(np.array([1, 1, 2]), 1.0)
    assert (whole.share, whole.chosen) == (0.5, "counted")
    lonely = population_uniqueness(np.ones(50, np.int64), 0.05)
    assert lonely.chosen == "zayatz"
    assert lonely.pitman is None
    for wrong in (0, -0.1, 1.001):
        with pytest.raises(EngineError):
            population_uniqueness(np.array([1]), wrong)
    nobody = population_uniqueness(np.empty(0, np.int64), 0.5)
    assert (nobody.share, nobody.sample_uniques, nobody.chosen) == (0.0, 0, "counted")
    # All ten are alone; of 33 people, 10/0.3 or all of them are.
    alone = population_uniqueness(np.ones(10, np.int64), 0.3)
    assert (alone.snb, alone.chosen, alone.share) == (None, "zayatz", 1.0)
    assert alone.zayatz == pytest.approx(10 / 0.3)
    # Of classes of one and two records only, nothing is known of how they go on.
    assert population_uniqueness(np.array([1] * 40 + [2] * 20), 0.5).snb is None
    assert population_uniqueness(np.array([1] * 40 + [3] * 20), 0.5).snb is None


@pytest.mark.parametrize("power", [1, 2])
def test_long_sums(power: int) -> None:
    terms = (1 / (0.7 + np.arange(1, 500_001)) ** power).sum()
    assert _inverse_sum(0.7, 500_000, power) == pytest.approx(terms, rel=1e-9)


@pytest.mark.parametrize("count", [0, 1, 2, 999, 1000, 1001, 1002, 5000])
@pytest.mark.parametrize("x", [0.0, 0.3, 17.5])
@pytest.mark.parametrize("power", [1, 2])
def test_a_sum_of_inverses_is_the_one_that_is_added_up(count: int, x: float, power: int) -> None:
    added = fsum(1 / (x + j) ** power for j in range(1, count + 1))
    assert _inverse_sum(x, count, power) == pytest.approx(added, rel=1e-12, abs=0)
