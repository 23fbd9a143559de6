"""Rates, their intervals and the derived risk, by numbers from elsewhere and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from techniques.disclosure_risk.attacks.rates import Rate, excess, wilson


@pytest.mark.parametrize(
    ("successes", "attempts", "low", "high"),
    # R: prop.test(x, n, correct = FALSE)$conf.int
    [
        (8, 10, 0.4901625, 0.9433178),
        (0, 10, 0.0, 0.2775328),
        (10, 10, 0.7224672, 1.0),
        (50, 1000, 0.0381300, 0.0653138),
    ],
)
def test_the_interval_is_wilsons(successes, attempts, low, high):
    assert wilson(successes, attempts) == pytest.approx((low, high), abs=2e-6)


def test_nothing_tried_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)
    assert Rate.of(0, 0).value == 0.0


def test_the_interval_holds_the_true_rate_as_often_as_it_says():
    drawn = np.random.default_rng(5).binomial(200, 0.1, 2000)
    held = np.mean([low <= 0.1 <= high for low, high in (wilson(int(one), 200) for one in drawn)])
    assert 0.93 <= held <= 0.97


def test_the_derived_risk_is_what_the_attack_does_better():
    found = excess(Rate.of(60, 100), Rate.of(20, 100))
    assert found is not None
    assert found.value == pytest.approx((0.6 - 0.2) / (1 - 0.2))
    # Wilson's middles 0.5963 and 0.2111, half widths 0.0943 and 0.0777; the errors of both are those of a quotient.
    assert (found.low, found.high) == pytest.approx((0.3586, 0.6180), abs=1e-4)


def test_no_better_than_the_control_is_no_risk():
    found = excess(Rate.of(10, 100), Rate.of(20, 100))
    assert found is not None
    assert (found.value, found.low) == (0.0, 0.0)


@pytest.mark.parametrize(("attack", "other"), [((5, 5), (5, 5)), ((0, 0), (1, 5)), ((1, 5), (0, 0))])
def test_where_nothing_is_left_to_do_better_nothing_is_said(attack, other):
    assert excess(Rate.of(*attack), Rate.of(*other)) is None
