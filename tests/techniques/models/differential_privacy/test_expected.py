"""The example of the standard counted from its ages, and the errors that are said before anything is spent."""

from __future__ import annotations

import math
from typing import Any

import pytest

from techniques.models.differential_privacy import histogram_example as example
from techniques.models.differential_privacy.expected import expected
from techniques.models.differential_privacy.planning import mean_error, noise_error, plan
from techniques.models.differential_privacy.scales import key_threshold, laplace_error
from tests.techniques.models.differential_privacy.test_planning import asked, number

NOISE = (-1, 1, 2, -1, -1, -1)


def test_the_histogram_of_the_standard_in_its_five_steps() -> None:
    found = example.steps(0.5, lambda scale, size: NOISE if (scale, size) == (2.0, 6) else ())
    assert (found.patients, found.histogram) == (17, example.COUNTS)
    assert (found.epsilon, found.sensitivity, found.scale, found.noise) == (0.5, 1, 2.0, NOISE)
    assert (
        found.noisy
        == tuple(count + drawn for count, drawn in zip(example.COUNTS, NOISE, strict=True))
        == example.PUBLISHED
    )
    assert found.error == laplace_error(2.0, 0.95)
    # Dave is in the band of 3 patients, that with noise has 5: without him it would have had 2.
    assert found.beliefs == pytest.approx((1 / (1 + math.exp(-0.5)), 1 / (1 + math.exp(-0.5))))


def test_what_a_result_says_of_each_patient() -> None:
    """Nearer to the table with them than to that without: by one step of the scale, never by more."""
    # Band by band what is published lies above, above, above, below, below and below what was counted.
    above = {
        band: here > there
        for band, (here, there) in enumerate(zip(example.PUBLISHED, example.COUNTS, strict=True))
    }
    losses = example.losses(example.PUBLISHED, 2.0)
    wanted = []
    for band, count in enumerate(example.COUNTS):
        wanted += [0.5 if above[band] else -0.5] * count
    assert losses == wanted
    assert example.losses(example.COUNTS, 4.0) == [0.25] * 17
    assert example.belief(example.COUNTS, 4.0) == pytest.approx(1 / (1 + math.exp(-0.25)))
    # With one patient less in Dave's band it is as likely that he is not there.
    fewer = (2, 1, 2, 4, 3, 4)
    assert example.belief(fewer, 4.0) == pytest.approx(1 / (1 + math.exp(0.25)))


def test_a_band_has_its_upper_bound_and_not_its_lower() -> None:
    assert example._counts([20.5, 30, 31, 80]) == (2, 1, 0, 0, 0, 1)
    assert example._counts([40, 50, 60, 70]) == (0, 1, 1, 1, 1, 0)


@pytest.mark.parametrize(("cells", "single"), [(1, 1), (3, 2), (20, 1)])
@pytest.mark.parametrize("scale", [0.5, 2.0, 30.0])
@pytest.mark.parametrize("delta", [0.01, 1e-6])
def test_the_threshold_of_keys_is_the_least_that_holds(
    cells: int, single: int, scale: float, delta: float
) -> None:
    """P(X ≥ n) = q^n / (1 + q) of discrete Laplace noise, for each cell that a person alone has."""
    q = math.exp(-1 / scale)

    def chance(threshold: int) -> float:
        return cells * q ** (threshold - single) / (1 + q)

    found = key_threshold(cells, single, scale, delta)
    assert chance(found) <= delta < chance(found - 1) * (1 + 1e-6)


def test_a_mean_is_off_by_sums_and_counts_together() -> None:
    """With sums off by s and counts by c the mean of n rows is off by (s + h c)/(n - c), h being half the distance of the bounds."""
    of = plan(number("mean", 0, 40, 4, epsilon=1), "add_remove")
    sums, counts = (noise_error(of, name, 2) for name in ("sums", "counts"))
    assert min(sums, counts) > 1
    # Ten steps of 4 lie between the bounds.
    for rows in (counts + 1, 100, 10_000):
        assert mean_error(of, rows) == pytest.approx(4 * min(10, (sums + 5.5 * counts) / (rows - counts)))
    assert mean_error(of, counts) == mean_error(of, 1) == 40
    assert mean_error(of, 100_000) < 0.01


def said(kind: str, **more: Any) -> list[tuple[str, dict[str, Any]]]:
    bounded = kind in ("sum", "mean", "quantile")
    of = plan(number(kind, 0, 40, 4, **more) if bounded else asked(kind, **more), "add_remove")
    return [(one.code, one.params) for one in expected(of)]


def test_what_an_answer_will_be_off_by_is_said_of_its_kind() -> None:
    """Noise of scale 1 moves a number; of a sum, a person up to ten steps of 4; a choice is off by 2/ε · ln(candidates/chance)."""
    percent = {"percent": "95"}
    assert said("count") == [("expected_count", percent | {"error": laplace_error(1.0, 0.95)})]
    assert said("sum") == [("expected_sum", percent | {"error": str(4 * laplace_error(10.0, 0.95))})]
    of = plan(number("mean", 0, 40, 4), "add_remove")
    assert said("mean") == [
        ("expected_mean", percent | {"rows": rows, "error": f"{mean_error(of, rows):.4g}"})
        for rows in (100, 1_000, 10_000)
    ]
    (one,) = said("mean", error=8, least_count=250)
    assert (one[0], one[1]["rows"]) == ("expected_mean", 250)
    assert float(one[1]["error"]) <= 8
    ((code, params),) = said("mode", column="x", candidates=["a", "b"])
    assert (code, params["percent"]) == ("expected_off", "95")
    assert params["rows"] == pytest.approx(2 * math.log(2 / 0.05))
    # A rank is counted twice for the middle one of eleven.
    ((code, params),) = said("quantile", confidence=0.9)
    assert (code, params["percent"]) == ("expected_off", "90")
    assert params["rows"] == pytest.approx(math.log(11 / 0.1))
