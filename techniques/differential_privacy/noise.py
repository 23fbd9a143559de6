"""The mechanisms (B.2.4.1): OpenDP draws, from the system's own randomness and without floating-point noise; here are scales, what they
cost, and how far noise strays.

A claim is never above what OpenDP's own map says of the measurement: :meth:`cost` asks it.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _

Whole = NDArray[np.int64]
_SLACK = 1 + 1e-12
_MOST_SCALE = 1e12


@lru_cache(maxsize=1)
def _library() -> Any:
    import opendp.prelude as library

    library.enable_features("contrib")
    return library


def _fit(scale: float) -> float:
    if not 0 < scale < _MOST_SCALE:
        raise EngineError(
            "noise_too_great",
            _(
                "The noise would be too great for any use: allow a greater epsilon or a greater error, or closer bounds."
            ),
        )
    return scale


# -- Laplace ----------------------------------------------------------------------------------------------


def laplace_scale(l1: int, epsilon: float) -> float:
    """S/ε, a touch above, so that OpenDP's map, which rounds up, gives no more than ``epsilon``."""
    return _fit(l1 / epsilon * _SLACK)


def laplace_cost(l1: int, scale: float) -> float:
    """The epsilon of noise of ``scale`` by OpenDP's map."""
    return float(_laplace(scale).map(l1))


def _laplace(scale: float) -> Any:
    dp = _library()
    return dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale=scale)


def laplace(values: Whole, scale: float) -> Whole:
    """Each of ``values`` (n,) with discrete Laplace noise: P(X = k) ∝ exp(−|k|/scale)."""
    return np.array(_laplace(scale)(np.ascontiguousarray(values, np.int64)), np.int64)


def laplace_error(scale: float, confidence: float) -> int:
    """The least e with P(\\|X\\| > e) ≤ 1 − ``confidence``; P(\\|X\\| > e) = 2 q^(e+1)/(1+q) with q = exp(−1/scale)."""
    miss = 1 - confidence
    return max(0, math.ceil(scale * math.log(2 / (miss * (1 + math.exp(-1 / scale)))) - 1 - 1e-9))


def laplace_scale_for(error: float, confidence: float) -> float:
    """The greatest scale whose :func:`laplace_error` is at most ``error`` steps."""
    return _greatest(lambda scale: laplace_error(scale, confidence), error)


# -- Gaussian ---------------------------------------------------------------------------------------------


def gaussian_scale(l2: float, rho: float) -> float:
    """Δ/√(2ρ), a touch above."""
    return _fit(l2 / math.sqrt(2 * rho) * _SLACK)


def gaussian_cost(l2: float, scale: float) -> float:
    """The rho of noise of ``scale`` by OpenDP's map."""
    return float(_gaussian(scale).map(l2))


def _gaussian(scale: float) -> Any:
    dp = _library()
    return dp.m.make_gaussian(dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64"), scale=scale)


def gaussian(values: Whole, scale: float) -> Whole:
    """Each of ``values`` (n,) with discrete Gaussian noise: P(X = k) ∝ exp(−k²/(2 scale²))."""
    return np.array(_gaussian(scale)(np.ascontiguousarray(values, np.int64)), np.int64)


def gaussian_error(scale: float, confidence: float) -> int:
    """An e with P(\\|X\\| > e) ≤ 1 − ``confidence``: P(X ≥ k) is at most that of the continuous one above k − 1 (Canonne, Kamath, Steinke
    2020, proposition 25)."""
    return max(0, math.ceil(scale * NormalDist().inv_cdf((1 + confidence) / 2)))


def gaussian_scale_for(error: float, confidence: float) -> float:
    """The greatest scale whose :func:`gaussian_error` is at most ``error`` steps."""
    return _greatest(lambda scale: gaussian_error(scale, confidence), error)


# -- exponential ------------------------------------------------------------------------------------------


def choice_scale(change: int, epsilon: float) -> float:
    """2S/ε: a candidate of score q is chosen with a probability ∝ exp(ε q/(2S))."""
    return _fit(2 * change / epsilon * _SLACK)


def choice_cost(change: int, scale: float) -> float:
    """The epsilon of a choice: 2S/scale; OpenDP's map for zero-concentrated loss gives an eighth of its square."""
    return math.sqrt(8 * float(_choice(scale).map(change)))


def _choice(scale: float) -> Any:
    dp = _library()
    # Of the two forms of noise that OpenDP has for this, Gumbel's is the exponential mechanism to the letter.
    return dp.m.make_noisy_max(
        dp.vector_domain(dp.atom_domain(T="i64")),
        dp.linf_distance(T="i64"),
        dp.zero_concentrated_divergence(),
        scale=scale,
    )


def choose(scores: Whole, scale: float) -> int:
    """The place of one of ``scores`` (n,), drawn with a probability ∝ exp(score/scale)."""
    return int(_choice(scale)(np.ascontiguousarray(scores, np.int64)))


def choice_error(scale: float, candidates: int, confidence: float) -> float:
    """How far below the best score the chosen one is at most, with ``confidence`` (McSherry and Talwar 2007)."""
    return scale * math.log(candidates / (1 - confidence))


def choice_scale_for(error: float, candidates: int, confidence: float) -> float:
    """The scale whose :func:`choice_error` is ``error``."""
    return _fit(error / math.log(candidates / (1 - confidence)))


# -- keys by a threshold ----------------------------------------------------------------------------------


def key_threshold(cells: int, l1: int, single: int, scale: float, delta: float) -> int:
    """The least noisy count from which on a key is released, so that keys of a single person come out with a chance of ``delta`` at most;
    by OpenDP's map (stability-based histogram)."""
    low, high = single, single + 1
    while _slip(cells, l1, single, scale, high) > delta:
        low, high = high, high * 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _slip(cells, l1, single, scale, middle) <= delta else (middle + 1, high)
    return low


def _threshold(scale: float, threshold: int) -> Any:
    dp = _library()
    domain = dp.map_domain(dp.atom_domain(T="String"), dp.atom_domain(T="i64"))
    metric = dp.l01inf_distance(dp.absolute_distance(T="i64"))
    return dp.m.make_laplace_threshold(domain, metric, scale=scale, threshold=threshold)


def _slip(cells: int, l1: int, single: int, scale: float, threshold: int) -> float:
    if threshold <= single:
        return 1.0
    return float(_threshold(scale, threshold).map((cells, l1, single))[1])


def released_keys(counts: Whole, scale: float, threshold: int) -> Whole:
    """The places of those of ``counts`` (n,) above 0 whose noisy count reaches ``threshold``, in order."""
    there = {str(place): int(counts[place]) for place in np.flatnonzero(counts).tolist()}
    return np.array(sorted(int(place) for place in _threshold(scale, threshold)(there)), np.int64)


def _greatest(error_of: Any, error: float) -> float:
    """The greatest scale with an error of at most ``error``, by bisection from below."""
    low, high = 0.0, max(error, 1.0)
    if error_of(1e-3) > error:
        raise EngineError(
            "error_too_small", _("Nothing but the exact answer has so small an error: accept a greater one.")
        )
    while error_of(high) <= error:
        low, high = high, high * 2
    for _step in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if error_of(middle) <= error else (low, middle)
    return low
