"""Where no population table exists: how many of a sample's unique records are unique in the population.

The sample of n records has classes of sizes f; the sampling fraction π = n / N says how large the population
is. Three models, as ARX offers them and with the same choice between them (Dankar, El Emam et al. 2012):

- Zayatz: the share of population uniques among the sample uniques from the distribution of class sizes;
- SNB: sizes follow a shifted negative binomial, fitted by the numbers of classes of sizes 1 and 2;
- Pitman: sizes follow Pitman's two-parameter model, fitted by maximum likelihood (Hoshino 2001). Where the likelihood
  falls from α = 0 on, it is highest at that end, which is Ewens' model (Ewens 1972): the estimate is that one's.

All are estimates that hold for random samples only; a report must say so.
"""

from __future__ import annotations

from math import exp, lgamma, log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen

_ROUNDS = 200
_PRECISION = 1e-9
SMALL_FRACTION = 0.1
"""Up to this sampling fraction Pitman's estimate is chosen, above it the smaller of Zayatz' and SNB's."""


class _Sizes(NamedTuple):
    """Different sizes of classes, ascending, and the number of classes of each, both float64 (sizes,)."""

    size: npt.NDArray[np.float64]
    number: npt.NDArray[np.float64]

    def classes(self, size: int) -> float:
        """The number of classes of ``size``."""
        return float(self.number[self.size == size].sum())


class PopulationUniqueness(Frozen):
    """Estimated numbers of records that are unique in the population, None where a model has no solution.

    ``share`` of the sample's records is that of the model ``chosen``. ``sample_uniques`` are counted.
    ``pitman_at_limit``: Pitman's estimate is that of Ewens' model, its limit α = 0.
    """

    sample_uniques: int
    zayatz: float | None
    snb: float | None
    pitman: float | None
    chosen: str
    share: float
    pitman_at_limit: bool = False


def population_uniqueness(sizes: npt.NDArray[np.int64], sampling_fraction: float) -> PopulationUniqueness:
    """Estimate from class ``sizes`` of a sample; each number is of population uniques in the population.

    Raises EngineError ``sampling_fraction_out_of_range``. At fraction 1 the sample is the population.
    """
    if not 0 < sampling_fraction <= 1:
        raise EngineError(
            "sampling_fraction_out_of_range", _("The sampling fraction lies above 0 and at most at 1.")
        )
    uniques = int((sizes == 1).sum())
    n = int(sizes.sum())
    if uniques == 0 or sampling_fraction == 1 or n == 0:
        known = float(uniques)
        return PopulationUniqueness(
            sample_uniques=uniques, zayatz=known, snb=known, pitman=known, chosen="counted",
            share=uniques / n if n else 0.0,
        )  # fmt: skip
    table = _Sizes(*(part.astype(np.float64) for part in np.unique(sizes, return_counts=True)))
    population = round(n / sampling_fraction)
    limit = _ewens(table, population)
    zayatz, snb = _zayatz(table, population, sampling_fraction), _snb(table, sampling_fraction)
    pitman = _pitman(table, population) if limit is None else limit
    chosen, estimate = "zayatz", zayatz
    if sampling_fraction <= SMALL_FRACTION:
        if pitman is not None:
            chosen, estimate = "pitman", pitman
    elif snb is not None and snb < zayatz:
        chosen, estimate = "snb", snb
    return PopulationUniqueness(
        sample_uniques=uniques, zayatz=zayatz, snb=snb, pitman=pitman, chosen=chosen,
        share=min(estimate / population, 1.0), pitman_at_limit=limit is not None,
    )  # fmt: skip


def _zayatz(table: _Sizes, population: float, fraction: float) -> float:
    """Probability that a sample-unique class is a population unique, by Bayes over class sizes 1, 2, ….

    The share of classes of size i in the sample stands for that in the population; a class of size i
    there shows one record here with a hypergeometric probability.
    """
    n = population * fraction
    prior = table.number / table.number.sum()
    one = np.array([_one_of(size, population, n) for size in table.size])
    seen = float((prior * one).sum())
    uniques = table.classes(1)
    conditional = float(prior[table.size == 1].sum()) * _one_of(1, population, n) / seen
    return uniques * conditional / fraction


def _one_of(size: float, population: float, n: float) -> float:
    """Hypergeometric probability that exactly one of ``size`` records is among n of ``population``."""
    ratio = n / population
    rest = population - n
    steps = np.arange(size - 1)
    if size - 1 > rest:
        return 0.0
    return float(size * ratio * np.exp(np.log((rest - steps) / (population - 1 - steps)).sum()))


def _snb(table: _Sizes, fraction: float) -> float | None:
    """Shifted negative binomial after Chen & Keller-McNulty: K classes, size - 1 ~ NB(alpha, beta).

    Solved for the observed number of classes, and of those of sizes one and two, after sampling.
    """
    classes = table.number.sum()
    first, second = table.classes(1), table.classes(2)
    if second == 0 or first + second >= classes:
        return None

    # A record of each class and the others of it are thinned by the sampling fraction: probabilities
    # that 0, 1 or 2 of a class are in the sample.
    def expected(alpha: float, beta: float) -> tuple[float, float, float]:
        q, p = 1 - beta, fraction
        a = 1 - q * (1 - p)
        base = (beta / a) ** alpha
        zero = (1 - p) * base
        one = base * (p + (1 - p) * alpha * q * p / a)
        two = base * (p * alpha * q * p / a + (1 - p) * alpha * (alpha + 1) / 2 * (q * p / a) ** 2)
        return zero, one, two

    target_one, target_two = first / classes, second / classes
    best: tuple[float, float, float] | None = None
    alphas = np.geomspace(1e-3, 50, 120)
    for alpha in alphas:
        beta = _root(lambda b, a=alpha: expected(a, b)[1] / (1 - expected(a, b)[0]) - target_one)
        if beta is None:
            continue
        zero, _one, two = expected(float(alpha), beta)
        gap = abs(two / (1 - zero) - target_two)
        if best is None or gap < best[0]:
            best = (gap, float(alpha), beta)
    if best is None or best[0] > 0.2 * target_two:
        return None
    _gap, alpha, beta = best
    total = classes / (1 - expected(alpha, beta)[0])
    return float(total * beta**alpha)


def _root(function: Any) -> float | None:
    """A zero of a rising function of beta in (0, 1) by bisection; None where the ends do not bracket it."""
    low, high = 1e-9, 1 - 1e-9
    if function(low) > 0 or function(high) < 0:
        return None
    for _round in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if function(middle) > 0 else (middle, high)
    return (low + high) / 2


def _ewens(table: _Sizes, population: float) -> float | None:
    """θN / (θ + N - 1) uniques by Ewens' sampling formula; None where Pitman's likelihood rises from α = 0 on.

    The maximum likelihood θ is that for which as many classes are expected as there are: Σ θ/(θ + i) over i = 0 … n-1.
    There the slope in α is u(u - 1)/(2θ) - Σ (1 + 1/2 + … + 1/(f - 1)) over the u classes of sizes f.
    """
    size, number = table
    n, u = float((size * number).sum()), float(number.sum())
    if u == n:
        return None
    low, high = -30.0, 60.0
    for _round in range(_ROUNDS):
        middle = (low + high) / 2
        expected = 1 + exp(middle) * _inverse_sum(exp(middle), n - 1, 1)
        low, high = (low, middle) if expected > u else (middle, high)
    theta = exp(low)
    if u * (u - 1) / (2 * theta) > float((number * [_inverse_sum(0.0, f - 1, 1) for f in size]).sum()):
        return None
    return theta * population / (theta + population - 1)


def _pitman(table: _Sizes, population: float) -> float | None:
    """Maximum likelihood of Pitman's (θ, α) by Newton's method; then Γ(θ+1)/Γ(θ+α) · N^α uniques.

    From (1, 1/2) it finds the summit where a start by Hoshino's moments can lie too far off to find it.
    """
    size, number = table
    n, u = float((size * number).sum()), float(number.sum())
    if u == n:
        return None
    theta, alpha = 1.0, 0.5
    largest = np.arange(1, max(int(size.max()), 2), dtype=np.float64)
    for _round in range(_ROUNDS):
        # Sums over i = 1 … u-1 of powers of 1/(theta + i alpha), times powers of i.
        a1 = _inverse_sum(theta / alpha, u - 1, 1) / alpha
        a2 = _inverse_sum(theta / alpha, u - 1, 2) / alpha**2
        mixed = (a1 - theta * a2) / alpha
        inner = np.append(0.0, np.cumsum(1 / (largest - alpha)))[size.astype(np.int64) - 1]
        squared = np.append(0.0, np.cumsum(1 / (largest - alpha) ** 2))[size.astype(np.int64) - 1]
        slope = np.array(
            [
                a1 - _inverse_sum(theta, n - 1, 1),
                (u - 1 - theta * a1) / alpha - float((number * inner).sum()),
            ]
        )
        bend = np.array(
            [
                [_inverse_sum(theta, n - 1, 2) - a2, -mixed],
                [
                    -mixed,
                    -(u - 1 - 2 * theta * a1 + theta**2 * a2) / alpha**2 - float((number * squared).sum()),
                ],
            ]
        )
        determinant = bend[0, 0] * bend[1, 1] - bend[0, 1] ** 2
        if not determinant > 0:  # no summit lies in that direction
            return None
        step = np.linalg.solve(bend, slope)
        scale = 1.0
        while scale > 1e-6:
            new_theta, new_alpha = theta - scale * step[0], alpha - scale * step[1]
            if 0 < new_alpha < 1 and new_theta > -new_alpha:
                break
            scale /= 2
        else:
            return None
        done = (
            abs(new_theta - theta) <= _PRECISION * max(1, abs(theta)) and abs(new_alpha - alpha) <= _PRECISION
        )
        theta, alpha = float(new_theta), float(new_alpha)
        if done:
            return exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(population))
    return None


def _inverse_sum(x: float, count: float, power: int) -> float:
    """Sum over j = 1 … count of 1 / (x + j)^power for power 1 or 2; the far terms by Euler and Maclaurin."""
    near = int(min(count, 1000))
    total = float((1 / (x + np.arange(1, near + 1)) ** power).sum())
    if count > near:
        total += _tail(x + near + 1, power) - _tail(x + count + 1, power)
    return total


def _tail(x: float, power: int) -> float:
    """What differs by the sum between two ends: -digamma(x) or trigamma(x), for x of at least a thousand."""
    if power == 1:
        return -(log(x) - 1 / (2 * x) - 1 / (12 * x**2))
    return 1 / x + 1 / (2 * x**2) + 1 / (6 * x**3)
