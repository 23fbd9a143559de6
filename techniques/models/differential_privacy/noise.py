"""The mechanisms (B.2.4.1): OpenDP draws, from the system's own randomness and without floating-point noise."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.models.differential_privacy.planning import Plan

Whole = NDArray[np.int64]


@lru_cache(maxsize=1)
def opendp() -> Any:
    """The library, loaded where the first noise is drawn."""
    import opendp.prelude as library

    library.enable_features("contrib")
    return library


@lru_cache(maxsize=64)
def _laplace(scale: float) -> Any:
    dp = opendp()
    return dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale=scale)


def laplace(values: Whole, scale: float) -> Whole:
    """Each of ``values`` (n,) with discrete Laplace noise: P(X = k) ∝ exp(−|k|/scale)."""
    return np.array(_laplace(scale)(np.ascontiguousarray(values, np.int64)), np.int64)


@lru_cache(maxsize=64)
def _gaussian(scale: float) -> Any:
    dp = opendp()
    return dp.m.make_gaussian(dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64"), scale=scale)


def gaussian(values: Whole, scale: float) -> Whole:
    """Each of ``values`` (n,) with discrete Gaussian noise: P(X = k) ∝ exp(−k²/(2 scale²))."""
    return np.array(_gaussian(scale)(np.ascontiguousarray(values, np.int64)), np.int64)


@lru_cache(maxsize=64)
def exponential_mechanism(scale: float) -> Any:
    """The measurement that :func:`choose` makes: of scores (n,), the place of one."""
    dp = opendp()
    # Of the two forms of noise that OpenDP has for this, Gumbel's is the exponential mechanism to the letter.
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    return dp.m.make_noisy_max(*space, dp.zero_concentrated_divergence(), scale=scale)


def choose(scores: Whole, scale: float) -> int:
    """The place of one of ``scores`` (n,), drawn with a probability ∝ exp(score/scale)."""
    return int(exponential_mechanism(scale)(np.ascontiguousarray(scores, np.int64)))


def _threshold(scale: float, threshold: int) -> Any:
    dp = opendp()
    domain = dp.map_domain(dp.atom_domain(T="String"), dp.atom_domain(T="i64"))
    metric = dp.l01inf_distance(dp.absolute_distance(T="i64"))
    return dp.m.make_laplace_threshold(domain, metric, scale=scale, threshold=threshold)


def released_keys(counts: Whole, scale: float, threshold: int) -> Whole:
    """The places of those of ``counts`` (n,) above 0 whose noisy count reaches ``threshold``, in order."""
    there = {str(place): int(counts[place]) for place in np.flatnonzero(counts).tolist()}
    return np.array(sorted(int(place) for place in _threshold(scale, threshold)(there)), np.int64)


def verify(of: Plan) -> None:
    """Raise where OpenDP's maps say of the measurements of a plan that they cost more than it charges."""
    epsilon = rho = slip = 0.0
    for name, scale in of.scales.items():
        change = of.sensitivities[name]
        if name == "keys":
            key_epsilon, slip = map(
                float, _threshold(scale, of.threshold or 0).map((change.cells, change.l1, change.single))
            )
            epsilon += key_epsilon
            rho += key_epsilon**2 / 2
        elif name == "choice":
            # Of one cell that a person moves by 1; the cells that it touches add up.
            each = (8 * float(exponential_mechanism(scale).map(1))) ** 0.5
            epsilon += each * change.l1
            rho += (each * change.l1) ** 2 / 8
        elif of.question.noise == "gaussian":
            rho += float(_gaussian(scale).map(change.l2))
        else:
            spent = float(_laplace(scale).map(change.l1))
            epsilon += spent
            rho += spent**2 / 2
    loss = of.loss
    if epsilon > float(loss.epsilon) or rho > float(loss.rho) or slip > float(loss.slip):
        raise RuntimeError("the measurements of a question cost more than it is charged")
