"""What is said of many answers: right on average, and within its interval as often as it says."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.models.local_privacy import client, estimates
from tests.techniques.models.differential_privacy.bounds import at_least

from .chance import seeded

PEOPLE = (150, 250, 0, 600)
"""How many of a thousand have each of four choices."""
TIMES = 400
# 400 times an interval of 95 %: fewer than 361 inside are as rare as 10⁻⁵.
ENOUGH = 361


def unary(epsilon: float, random: np.random.Generator) -> tuple[estimates.Estimate, ...]:
    """What is estimated from the bits of a thousand people."""
    there = np.array(PEOPLE)
    counts = random.binomial(there, 0.5) + random.binomial(
        sum(PEOPLE) - there, client.flip(epsilon) / client.WHOLE
    )
    return estimates.unary_shares(counts.tolist(), sum(PEOPLE), epsilon)


def response(epsilon: float, random: np.random.Generator) -> tuple[estimates.Estimate, ...]:
    """What is estimated from the responses of a thousand people."""
    own = client.truth(epsilon, len(PEOPLE)) / client.WHOLE
    shares = np.full((len(PEOPLE), len(PEOPLE)), (1 - own) / (len(PEOPLE) - 1))
    np.fill_diagonal(shares, own)
    counts = random.multinomial(PEOPLE, shares).sum(0)
    return estimates.response_shares(counts.tolist(), epsilon)


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
@pytest.mark.parametrize("ask", [unary, response])
def test_shares_are_right_on_average_and_within_their_intervals(ask: Any, epsilon: float) -> None:
    random = np.random.default_rng(1)
    found = np.array([ask(epsilon, random) for _ in range(TIMES)])
    values, low, high = found[:, :, 0], found[:, :, 1], found[:, :, 2]
    true = np.array(PEOPLE) / sum(PEOPLE)
    assert (np.abs(values.mean(0) - true) < 4.5 * values.std(0) / math.sqrt(TIMES)).all()
    assert (((low <= true) & (true <= high)).sum(0) >= ENOUGH).all()
    assert (low >= 0).all()
    assert (high <= 1).all()


def test_shares_of_responses() -> None:
    """From the client to the shares."""
    draw = seeded(9)
    true = [place for place, people in enumerate(PEOPLE) for _ in range(people * 20)]
    counts = np.bincount([client.response(place, 4, 2.0, draw) for place in true], minlength=4)
    found = estimates.response_shares([int(n) for n in counts], 2.0, confidence=0.9999)
    assert math.isclose(sum(one.value for one in found), 1, abs_tol=1e-9)
    for one, people in zip(found, PEOPLE, strict=True):
        assert one.low <= people / 1000 <= one.high
        assert one.low <= one.value <= one.high or people == 0
        assert one.high - one.low < 0.06


@settings(max_examples=60)
@given(st.integers(1, 60), st.integers(0, 60), st.sampled_from([0.6, 0.95, 0.999]))
def test_the_interval_is_that_of_clopper_and_pearson(runs: int, hits: int, confidence: float) -> None:
    """Against the sum of the binomial's tail. With ε = 20 the counted share is the share."""
    hits = min(hits, runs)
    found = estimates.response_shares([hits, runs - hits], 20.0, confidence=confidence)[0]
    assert math.isclose(found.low, at_least(hits, runs, (1 - confidence) / 2), abs_tol=1e-7)
    assert math.isclose(found.high, 1 - at_least(runs - hits, runs, (1 - confidence) / 2), abs_tol=1e-7)


def test_a_million_answers() -> None:
    found = estimates.response_shares([400_000, 600_000], 1.0)[0]
    assert math.isclose(found.low, _carried(at_least(400_000, 1_000_000, 0.025)), abs_tol=1e-9)


def _carried(share: float) -> float:
    own = Fraction(client.truth(1.0, 2), client.WHOLE)
    return float((Fraction(share) - (1 - own)) / (2 * own - 1))


def test_the_mean_of_numbers_with_noise() -> None:
    draw, values = seeded(13), np.linspace(18, 95, 40)
    found = [
        estimates.mean([client.noisy(value, 20, 90, 70, 1.0, draw) for value in values], 20, 90, 70, 1.0)
        for _time in range(TIMES)
    ]
    # Those outside are cut off at the bounds.
    true = np.clip(values, 20, 90).mean()
    means = np.array([one.value for one in found])
    assert abs(means.mean() - true) < 4.5 * means.std() / math.sqrt(TIMES)
    inside = sum(one.low <= true <= one.high for one in found)
    assert inside >= ENOUGH
    assert all(20 <= one.low <= one.high <= 90 for one in found)


def test_what_cannot_be_estimated_is_refused() -> None:
    for ask in (
        lambda: estimates.response_shares([0, 0], 1.0),
        lambda: estimates.unary_shares([3, 1], 2, 1.0),
        lambda: estimates.mean([1] * 29, 0, 1, 10, 1.0),
    ):
        with pytest.raises(EngineError) as refused:
            ask()
        assert refused.value.code == "answers_missing"
    with pytest.raises(EngineError) as refused:
        estimates.response_shares([3, 4], 1.0, confidence=1.0)
    assert refused.value.code == "confidence_range"
