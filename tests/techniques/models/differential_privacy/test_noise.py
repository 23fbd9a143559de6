"""The distributions, with a million draws each.

OpenDP draws from the system's randomness and takes no seed, so each test may fail by chance: once in a million runs.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.models.differential_privacy import noise, scales
from tests.techniques.models.differential_privacy.bounds import UNLIKELY, fits

DRAWS = 1_000_000


def laplace_shares(scale: float, reach: int) -> np.ndarray:
    """P(X = k) for k = -reach … reach."""
    q = math.exp(-1 / scale)
    return (1 - q) / (1 + q) * q ** np.abs(np.arange(-reach, reach + 1))


def gaussian_shares(scale: float, reach: int) -> np.ndarray:
    weights = np.exp(-(np.arange(-reach, reach + 1.0) ** 2) / (2 * scale**2))
    return weights / weights.sum()


@pytest.mark.parametrize(
    ("draw", "shares", "error"),
    [
        (noise.laplace, laplace_shares, scales.laplace_error),
        (noise.gaussian, gaussian_shares, scales.gaussian_error),
    ],
)
def test_a_million_draws_have_the_distribution_and_stray_as_far_as_said(draw, shares, error):
    scale, reach = 4.0, 200
    found = draw(np.full(DRAWS, 7, np.int64), scale) - 7
    assert np.abs(found).max() <= reach
    assert fits(np.bincount(found + reach, minlength=2 * reach + 1), shares(scale, reach))
    for confidence in (0.5, 0.95, 0.999):
        off = error(scale, confidence)
        missed = (np.abs(found) > off).mean()
        assert missed <= 1 - confidence + UNLIKELY * math.sqrt((1 - confidence) / DRAWS)


@pytest.mark.slow
def test_a_million_choices_have_chances_by_their_scores():
    # B.2.4.1: ∝ exp(ε q / (2S)) with ε = 0.8, S = 1
    scores = np.array([0, 3, 1, 5, 5], np.int64)
    scale = scales.choice_scale(1, 0.8)
    weights = np.exp(0.8 * scores / 2)
    # A thousand draws of the very measurement by one call of the library, which costs more than the draw.
    thousand = noise.opendp().c.make_composition([noise.exponential_mechanism(scale)] * 1000)
    chosen = np.array([thousand(scores) for _number in range(DRAWS // 1000)])
    assert fits(np.bincount(chosen.ravel(), minlength=5), weights / weights.sum())
    singly = np.array([noise.choose(scores, scale) for _number in range(DRAWS // 50)])
    assert fits(np.bincount(singly, minlength=5), weights / weights.sum())


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0, 250.0])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99999])
def test_the_error_of_laplace_noise_is_the_least_that_holds(scale, confidence):
    def beyond(off: int) -> float:
        q = math.exp(-1 / scale)
        return 2 * q ** (off + 1) / (1 + q)

    off = scales.laplace_error(scale, confidence)
    assert beyond(off) <= (1 - confidence) * (1 + 1e-6)
    assert off == 0 or beyond(off - 1) > 1 - confidence


@pytest.mark.parametrize("scale", [0.3, 1.0, 4.0, 250.0])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.99999])
def test_the_error_of_gaussian_noise_holds_and_is_near_the_least(scale, confidence):
    reach = 20 + int(12 * scale)
    shares = gaussian_shares(scale, reach)

    def beyond(off: int) -> float:
        return float(shares[np.abs(np.arange(-reach, reach + 1)) > off].sum())

    off = scales.gaussian_error(scale, confidence)
    assert beyond(off) <= 1 - confidence
    assert off <= 2 or beyond(off - 2) > 1 - confidence


def test_errors_are_those_of_opendp():
    import opendp.accuracy as accuracy

    # It gives the least whole number that noise reaches with that chance at most, one more than how far it strays at most.
    assert (
        scales.laplace_error(10.0, 0.95)
        == math.ceil(accuracy.discrete_laplacian_scale_to_accuracy(10.0, 0.05)) - 1
    )
    assert scales.gaussian_error(10.0, 0.95) >= accuracy.discrete_gaussian_scale_to_accuracy(10.0, 0.05) - 1


@pytest.mark.parametrize("error", [1, 5, 100, 12_345])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_the_scale_for_an_error_is_the_greatest(error, confidence):
    for scale_for, error_of in (
        (scales.laplace_scale_for, scales.laplace_error),
        (scales.gaussian_scale_for, scales.gaussian_error),
    ):
        scale = scale_for(error, confidence)
        assert error_of(scale, confidence) <= error
        assert error_of(scale * 1.001, confidence) > error or error_of(scale + 1e-6, confidence) > error
    off = scales.choice_error(scales.choice_scale_for(error, 50, confidence), 50, confidence)
    assert off == pytest.approx(error)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1, 3])
@pytest.mark.parametrize("change", [1, 7, 4000])
def test_noise_costs_what_was_asked_and_no_more(epsilon, change):
    assert scales.laplace_scale(change, epsilon) == pytest.approx(change / epsilon)
    assert (
        epsilon * (1 - 1e-9) < scales.laplace_cost(change, scales.laplace_scale(change, epsilon)) <= epsilon
    )
    assert epsilon * (1 - 1e-9) < scales.choice_cost(change, scales.choice_scale(change, epsilon)) <= epsilon
    assert (
        epsilon * (1 - 1e-9) < scales.gaussian_cost(change, scales.gaussian_scale(change, epsilon)) <= epsilon
    )


@pytest.mark.parametrize(("cells", "rows"), [(1, 1), (3, 2)])
def test_a_key_of_one_person_is_released_with_a_chance_of_delta_at_most(cells, rows):
    scale, delta = 2.0, 0.01
    threshold = scales.key_threshold(cells, rows, scale, delta)
    counts = np.full(20_000, rows, np.int64)
    released = len(noise.released_keys(counts, scale, threshold)) / len(counts)
    # The map of OpenDP agrees, and is above it for a threshold two lower; one lower it leaves the threshold itself out.
    said = [
        float(noise._threshold(scale, t).map((cells, cells * rows, rows))[1])
        for t in (threshold, threshold - 2)
    ]
    assert said[0] <= delta < said[1]
    # Any of the person's cells.
    assert 1 - (1 - released) ** cells <= delta + UNLIKELY * cells * math.sqrt(delta / cells / len(counts))
    assert released > 0
    with pytest.raises(EngineError, match="great"):
        scales.laplace_scale(1, 1e-15)


def test_keys_of_many_come_out_and_those_of_nobody_never():
    counts = np.array([0, 5000, 0, 3, 4000], np.int64)
    threshold = scales.key_threshold(1, 1, 2.0, 1e-9)
    assert noise.released_keys(counts, 2.0, threshold).tolist() == [1, 4]
