"""The rules of linear sensitivity (T/ISC 0078 10.5) and what they ask of an estimate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from techniques.families.statistical.tables.sensitivity import SensitivityRules, sensitive_cells
from techniques.families.statistical.tables.table import Dimension, StatisticalTable, tabulate


def one_cell(*contributions: float) -> StatisticalTable:
    n = len(contributions)
    return tabulate(
        [Dimension.flat("a", ["x"])], [np.ones(n, np.int64)], np.array(contributions), None, ranks=3
    )


@pytest.mark.parametrize(
    ("rules", "contributions", "distance"),
    [
        # 80 of 100 by two is more than 75 %; at 106.67 they would be 75 %: 7 where all is whole numbers.
        ({"dominance": {"n": 2, "k": 75}}, (50, 30, 10, 10), 7),
        ({"dominance": {"n": 2, "k": 75}}, (50, 30, 10.5, 9.5), 80 / 0.75 - 100),
        ({"dominance": {"n": 2, "k": 80}}, (50, 30, 10, 10), None),
        ({"dominance": {"n": 3, "k": 85}}, (50, 30, 10.5, 9.5), 90.5 / 0.85 - 100),
        # Without the two largest 4 are left, less than a tenth of 50.
        ({"p_percent": 10}, (50, 30, 3, 1), 1.0),
        ({"p_percent": 10}, (50, 30, 4, 1), None),
        ({"p_percent": 10}, (7.5,), 0.75),
        ({"p_percent": 10}, (7,), 1.0),
        # 10 of 50 percentage points: a fifth of the largest.
        ({"prior_posterior": {"p": 10, "q": 50}}, (50, 30, 3, 1), 6.0),
        ({"prior_posterior": {"p": 10, "q": 50}}, (50, 30, 9, 1), None),
        ({"minimum_contributors": 3}, (50, 30), 24.0),
        ({"minimum_contributors": 3}, (50, 30, 1), None),
        # By their size: the amounts cancel out, what the largest is known to within does not.
        ({"p_percent": 10}, (50, -49, 1), 4.0),
        ({"minimum_contributors": 3}, (50, -50), 30.0),
        # One of two contributors of nearly all knows the other to 2 %: no case for the share of one, but for p %.
        ({"dominance": {"n": 1, "k": 90}}, (50_000, 49_000, 1_000), None),
        ({"p_percent": 2}, (50_000, 49_000, 1_000), None),
        ({"p_percent": 3}, (50_000, 49_000, 1_000), 500.0),
        # 15.4 % of the largest are left by p %, and the two largest make 92.7 %.
        ({"p_percent": 10}, (52_000, 50_000, 8_000), None),
        ({"dominance": {"n": 2, "k": 90.9}}, (52_000, 50_000, 8_000), 2_212.0),
        ({"p_percent": 10}, (0, 0), None),
        ({"p_percent": 10, "zeros": "hidden"}, (0, 0), 1.0),
    ],
)  # fmt: skip
def test_rules(rules: dict[str, object], contributions: tuple[float, ...], distance: float | None) -> None:
    found = sensitive_cells(one_cell(*contributions), SensitivityRules.model_validate(rules), counts=False)
    assert found.cells[1] == (distance is not None)
    assert found.distance[1] * found.cells[1] == pytest.approx(distance or 0.0)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=6), st.integers(1, 99))
def test_the_share_of_two_that_goes_with_p_protects_no_less(contributions: list[int], p: int) -> None:
    """k = 100 · 100 / (100 + p): what p % calls sensitive the share of the two largest does too."""
    of_two = {"dominance": {"n": 2, "k": 100 * 100 / (100 + p)}}
    by_p, by_share = (
        bool(
            sensitive_cells(
                one_cell(*contributions), SensitivityRules.model_validate(rules), counts=False
            ).cells[1]
        )
        for rules in ({"p_percent": p}, of_two)
    )
    assert by_share or not by_p


@pytest.mark.parametrize("seed", range(20))
def test_at_that_distance_the_second_largest_is_off_by_enough(seed: int) -> None:
    """The second largest subtracts itself from the highest possible total: p % too much for the largest."""
    contributions = np.sort(np.random.default_rng(seed).lognormal(3, 1.5, 4))[::-1]
    found = sensitive_cells(one_cell(*contributions), SensitivityRules(p_percent=20), counts=False)
    highest = contributions.sum() + found.distance[1] * found.cells[1]
    estimate = highest - contributions[1]
    assert estimate >= contributions[0] * 1.2 - 1e-9
    if found.cells[1]:
        assert estimate == pytest.approx(contributions[0] * 1.2)


def test_counts_stay_open_up_to_the_minimum() -> None:
    table = tabulate([Dimension.flat("a", ["x", "y"])], [np.array([1, 2, 2, 2])], None, None)
    found = sensitive_cells(table, SensitivityRules(minimum_contributors=3, p_percent=50), counts=True)
    assert found.cells.tolist() == [False, True, False]
    assert found.distance[1] == 2


def test_a_posterior_above_the_prior_is_refused() -> None:
    with pytest.raises(ValidationError):
        SensitivityRules.model_validate({"prior_posterior": {"p": 50, "q": 10}})
