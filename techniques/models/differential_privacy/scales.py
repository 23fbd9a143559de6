"""How great noise is, what it costs and how far it strays: formulas alone, so that a question can be priced without any library.

Scales are a touch above what a cost asks for, so that OpenDP's maps, which round up, say no more than is charged
(:func:`techniques.models.differential_privacy.noise.verify`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

from techniques.core.messages import EngineError, _

ALMOST_EXACT = _("Nothing but the exact answer has so small an error: accept a greater one.")
_SLACK = 1 + 1e-12
_MOST_SCALE = 1e12


def _fit(scale: float) -> float:
    if not 0 < scale < _MOST_SCALE:
        text = _(
            "The noise would be too great for any use: allow a greater epsilon or a greater error, or closer bounds."
        )
        raise EngineError("noise_too_great", text)
    return scale


# -- discrete Laplace: P(X = k) ∝ exp(−|k|/scale) ----------------------------------------------------------


def laplace_scale(l1: int, epsilon: float) -> float:
    """S/ε."""
    return _fit(l1 / epsilon * _SLACK)


def laplace_cost(l1: int, scale: float) -> float:
    """The epsilon of noise of ``scale``."""
    return l1 / scale


def laplace_error(scale: float, confidence: float) -> int:
    """The least e with P(\\|X\\| > e) ≤ 1 − ``confidence``; P(\\|X\\| > e) = 2 q^(e+1)/(1+q) with q = exp(−1/scale)."""
    miss = 1 - confidence
    return max(0, math.ceil(scale * math.log(2 / (miss * (1 + math.exp(-1 / scale)))) - 1 - 1e-9))


def laplace_scale_for(error: float, confidence: float) -> float:
    """The greatest scale whose :func:`laplace_error` is at most ``error`` steps."""
    return _greatest(lambda scale: laplace_error(scale, confidence), error)


# -- discrete Gaussian: P(X = k) ∝ exp(−k²/(2 scale²)) ------------------------------------------------------


def gaussian_scale(l2: float, rho: float) -> float:
    """Δ/√(2ρ)."""
    return _fit(l2 / math.sqrt(2 * rho) * _SLACK)


def gaussian_cost(l2: float, scale: float) -> float:
    """The rho of noise of ``scale``."""
    return (l2 / scale) ** 2 / 2


def gaussian_error(scale: float, confidence: float) -> int:
    """An e with P(\\|X\\| > e) ≤ 1 − ``confidence``: P(X ≥ k) is at most that of the continuous one above k − 1 (Canonne, Kamath, Steinke
    2020, proposition 25)."""
    return max(0, math.ceil(scale * NormalDist().inv_cdf((1 + confidence) / 2)))


def gaussian_scale_for(error: float, confidence: float) -> float:
    """The greatest scale whose :func:`gaussian_error` is at most ``error`` steps."""
    return _greatest(lambda scale: gaussian_error(scale, confidence), error)


# -- exponential mechanism: P(candidate) ∝ exp(score/scale) -------------------------------------------------


def choice_scale(change: int, epsilon: float) -> float:
    """2S/ε: a candidate of score q is chosen with a probability ∝ exp(ε q/(2S))."""
    return _fit(2 * change / epsilon * _SLACK)


def choice_cost(change: int, scale: float) -> float:
    """The epsilon of a choice."""
    return 2 * change / scale


def choice_error(scale: float, candidates: int, confidence: float) -> float:
    """How far below the best score the chosen one is at most, with ``confidence`` (McSherry and Talwar 2007)."""
    return scale * math.log(candidates / (1 - confidence))


def choice_scale_for(error: float, candidates: int, confidence: float) -> float:
    """The scale whose :func:`choice_error` is ``error``."""
    return _fit(error / math.log(candidates / (1 - confidence)))


# -- keys by a threshold --------------------------------------------------------------------------------------


def key_threshold(cells: int, single: int, scale: float, delta: float) -> int:
    """The least noisy count from which on a key is released, so that the keys that a single person alone has, at most ``cells`` with
    ``single`` rows each, come out with a chance of ``delta`` at most (stability-based histogram): cells q^(t−single)/(1+q) ≤ δ.

    OpenDP 0.16 releases a count from the threshold on, while its map reckons with counts above it and so comes to a smaller delta; this
    is the chance of what it does."""
    needed = scale * math.log(cells / (delta * (1 + math.exp(-1 / scale))))
    return single + max(1, math.ceil(needed * _SLACK + 1e-9))


def _greatest(error_of: Callable[[float], int], error: float) -> float:
    """The greatest scale with an error of at most ``error``, by bisection from below."""
    low, high = 0.0, max(error, 1.0)
    if error_of(1e-3) > error:
        raise EngineError("error_too_small", ALMOST_EXACT)
    while error_of(high) <= error:
        low, high = high, high * 2
    for _step in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if error_of(middle) <= error else (low, middle)
    return low
