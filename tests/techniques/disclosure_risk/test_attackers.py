"""Sizes, attackers and degrees at their bounds, against exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.attackers import (
    at_risk,
    estimated_population,
    journalist,
    journalist_of_persons,
    marketer,
)
from techniques.disclosure_risk.report import Figures
from techniques.disclosure_risk.scales.degree import (
    HIGH_BOUNDS,
    LOW_BOUNDS,
    Capability,
    Scenario,
    degree,
    required_k,
)
from techniques.disclosure_risk.scales.inverse import needed
from techniques.disclosure_risk.sizes import smallest_class_for, smallest_safe_size

NONE = np.empty(0, np.int64)


def test_the_smallest_safe_size_is_the_exact_one() -> None:
    """f is safe when 1/f ≤ t, thus f = ⌈1/t⌉."""
    for thousandths in range(1, 1001):
        exact = math.ceil(Fraction(1000, thousandths))
        assert smallest_safe_size(thousandths / 1000) == exact
    for wrong in (0.0, -0.1, 1.001):
        with pytest.raises(ValueError, match="threshold"):
            smallest_safe_size(wrong)


def test_a_cap_of_a_third_is_three_as_people_write_it() -> None:
    caps = (0.2, 0.3, 0.325, 0.329, 0.33, 0.333, 0.34, 0.345, 0.5, 1.0)
    assert [smallest_class_for(cap) for cap in caps] == [5, 4, 4, 3, 3, 3, 3, 3, 2, 1]


def test_the_journalists_average_is_that_of_the_better_side_to_start_from() -> None:
    """From the population 2 of 19 are found; from the table (1/9 + 10/10) of 11, which is less. Then the other way round."""
    assert journalist(np.array([1, 10]), np.array([9, 10])).average_risk == pytest.approx(2 / 19)
    assert journalist(np.array([1, 1]), np.array([1, 3])).average_risk == pytest.approx((1 + 1 / 3) / 2)
    least = np.array([4, 4, 4])
    assert journalist_of_persons(least, np.array([4, 4]))[0].average_risk == pytest.approx(1 / 4)
    assert journalist_of_persons(least, np.array([1, 1, 4]))[0].average_risk == pytest.approx(3 / 6)


def test_the_figures_of_rows_that_may_be_anything_by_hand() -> None:
    """Twice, once and three times the same row, which could be 3, 6 and 4 rows."""
    found = Figures.of_matches(np.array([2, 1, 3]), np.array([3, 6, 4]), (0.2, 0.3, 1.0))
    assert (found.rows, found.classes, found.k, found.max_risk) == (6, 3, 3, 1 / 3)
    assert found.average_risk == pytest.approx((2 / 3 + 1 / 6 + 3 / 4) / 6)
    assert found.at_risk == {"0.2": 5 / 6, "0.3": 2 / 6, "1": 0.0}
    assert found.records_table == [(3, 2), (4, 3), (6, 1)]
    assert found.size_table == ((3, 1), (4, 1), (6, 1))


def test_a_record_at_the_threshold_is_not_at_risk() -> None:
    sizes = np.array([9, 10, 11])
    assert at_risk(sizes, sizes, [0.1]) == {"0.1": 0.3}
    assert at_risk(NONE, NONE, [0.1]) == {"0.1": 0.0}


def test_nobody_is_at_no_risk() -> None:
    for found in (journalist(NONE, NONE), journalist_of_persons(NONE, NONE)[0]):
        assert (found.max_risk, found.average_risk, set(found.at_risk.values())) == (0.0, 0.0, {0.0})
    assert marketer(NONE, NONE) == journalist_of_persons(NONE, NONE)[1] == 0.0


def test_persons_are_at_the_risk_of_their_smallest_class() -> None:
    found, mean = journalist_of_persons(np.array([2, 4, 4, 20]), np.array([2, 10, 20]))
    assert mean == pytest.approx((1 / 2 + 1 / 4 + 1 / 4 + 1 / 20) / 4)
    assert (found.max_risk, found.average_risk) == (0.5, pytest.approx(mean))
    assert found.at_risk == {"0.05": 0.75, "0.075": 0.75, "0.1": 0.75}
    whole, mean = journalist_of_persons(np.array([20, 20]), np.array([1, 1, 2]))
    assert (whole.average_risk, mean) == (0.75, pytest.approx(0.05))


def test_a_population_holds_its_sample() -> None:
    with pytest.raises(EngineError) as lacking:
        marketer(np.array([1, 3, 6]), np.array([1, 0, 0]))
    assert lacking.value.code == "population_lacks_classes"
    assert dict(lacking.value.params) == {"classes": 2, "records": 9}
    for f, F in (([1, 3], [1, 2]), ([1, 3], [1, 3, 5]), ([1, 3], [4])):
        with pytest.raises(EngineError) as smaller:
            journalist(np.array(f), np.array(F))
        assert smaller.value.code == "population_smaller_than_sample"
    assert marketer(np.array([1, 3]), np.array([1, 3])) == 0.5
    assert journalist(np.array([1, 3]), np.array([1, 3])).average_risk == 0.5


def test_an_estimated_population_is_no_smaller_than_the_table() -> None:
    f = np.array([1, 2, 5])
    assert estimated_population(f, 1).tolist() == [1, 2, 5]
    assert estimated_population(f, 0.4).tolist() == [2, 5, 12]
    assert estimated_population(f, np.array([0.1, 0.5, 1.0])).tolist() == [10, 4, 5]
    for wrong in (0.0, 1.01, -0.5, np.array([0.5, 0.0, 0.5]), np.array([0.5, 1.5, 0.5])):
        with pytest.raises(EngineError):
            estimated_population(f, wrong)


@pytest.mark.parametrize("scenario", Scenario)
@pytest.mark.parametrize("capability", Capability)
def test_the_required_k_is_the_first_that_passes(scenario: Scenario, capability: Capability) -> None:
    """T/ISC 0078-2025 annex C: K × scenario × environment ≥ 1, by trying."""
    first = next(k for k in range(1000) if degree(k, scenario, capability).passed)
    one, part = {"internal": 3, "external": 5, "public": 20}[scenario], 2 if capability == "low" else 1
    assert first == one * part == required_k(Fraction(1, one), Fraction(1, part))
    found = degree(first, scenario, capability)
    assert (found.scenario_coefficient, found.environment_coefficient) == (1 / one, 1 / part)
    assert (found.degree, degree(first - 1, scenario, capability).passed) == (1.0, False)


def test_an_organisation_sets_coefficients_around_the_middle() -> None:
    """Weak safeguards count a half to three quarters, strong ones up to a quarter more; the middle stays 1."""
    assert (Fraction(1, 2), Fraction(3, 4)) == LOW_BOUNDS
    assert (1, Fraction(5, 4)) == HIGH_BOUNDS


def test_coefficients_are_positive() -> None:
    half, none = Fraction(1, 2), Fraction(0)
    assert not degree(0, half, half).passed
    assert required_k(half, Fraction(2, 7)) == 7
    assert required_k(none, half) == required_k(half, none) == 0
    for k, s, e in ((-1, half, half), (2, none, half), (2, half, none), (2, -half, -half), (2, -half, half)):
        with pytest.raises(EngineError):
            degree(k, s, e)


def test_the_needed_size_by_trying() -> None:
    """GB/T 37964 C.3: the least k ≥ 2 with context / k ≤ threshold."""
    for threshold in (0.05, 0.075, 0.1, 0.3, 0.5, 1.0):
        for context in (0.0, 0.05, 0.1, 0.27, 0.3, 0.5, 1.0):
            found = needed(threshold, "controlled", context)
            exact = Fraction(str(context)) / Fraction(str(threshold))
            assert found.k == max(2, math.ceil(exact))
            assert found.average == pytest.approx(max(1.0, float(exact)))
            assert found.smallest == 3
            assert needed(threshold, "public", context).k == max(2, math.ceil(1 / Fraction(str(threshold))))
    public = needed(0.05, "public", 0.3)
    assert (public.context, public.smallest, public.k) == (1.0, 20, 20)
    assert needed(0.05, "controlled", 0.3, cap=0.5).smallest == 2
    for wrong in ((0.0, 0.5), (1.1, 0.5), (0.5, -0.1), (0.5, 1.1)):
        with pytest.raises(EngineError) as refused:
            needed(wrong[0], "controlled", wrong[1])
        assert refused.value.code == "threshold_out_of_range"
