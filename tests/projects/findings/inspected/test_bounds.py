"""What a sample says of the whole is the exact bound of the hypergeometric distribution."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.findings.inspected.bounds import most_affected, size_proposed

SCIPY = {
    (600, 56, 0): 29,
    (600, 56, 2): 62,
    (600, 10, 1): 235,
    (1000, 59, 0): 48,
    (1000, 59, 1): 76,
    (5000, 500, 12): 189,
    (37, 20, 5): 14,
    (100_000, 59, 3): 12_618,
}


def seen_or_fewer(population, size, found, affected) -> Fraction:
    """P(X ≤ found), drawing one after the other: from how many affected ones were seen to how many are after the next."""
    chance = {0: Fraction(1)}
    for drawn in range(size):
        after: dict[int, Fraction] = {}
        for hits, each in chance.items():
            hit = Fraction(affected - hits, population - drawn)
            after[hits + 1] = after.get(hits + 1, Fraction(0)) + each * hit
            after[hits] = after.get(hits, Fraction(0)) + each * (1 - hit)
        chance = after
    return sum((each for hits, each in chance.items() if hits <= found), Fraction(0))


@st.composite
def draws(draw):
    population = draw(st.integers(1, 300))
    size = draw(st.integers(1, min(population, 40)))
    return population, size, draw(st.integers(0, size))


@given(draws())
def test_it_is_the_largest_that_is_still_plausible(drawn) -> None:
    population, size, found = drawn
    most = most_affected(population, size, found)
    assert found <= most <= population - size + found
    # The bound itself is seen more often than in 5 % of all draws, the next number is not.
    assert seen_or_fewer(population, size, found, most) > Fraction(1, 20)
    if most < population - size + found:
        assert seen_or_fewer(population, size, found, most + 1) <= Fraction(1, 20)


def test_of_all_draws_there_are_hardly_any_that_say_too_little() -> None:
    """Every draw of 6 of 12 records, however many are affected: it says less than there is in at most 5 % of them."""
    everything = [*combinations(range(12), 6)]
    for affected in range(13):
        wrong = sum(
            most_affected(12, 6, sum(one < affected for one in draw)) < affected for draw in everything
        )
        assert wrong * 20 <= len(everything)


def test_it_is_what_scipy_says() -> None:
    """``max(K for K in range(N + 1) if hypergeom.cdf(x, N, K, n) > 0.05)`` of SciPy 1.17.1 for (N, n, x)."""
    for (population, size, found), most in SCIPY.items():
        assert most_affected(population, size, found) == most


@pytest.mark.parametrize(
    ("population", "size", "found", "most"),
    [
        (600, 600, 0, 0),
        (600, 600, 7, 7),
        (1, 1, 0, 0),
        (10, 1, 0, 9),
        (20, 10, 0, 3),
        (1_000_000, 59, 0, 49_506),
    ],
)
def test_some_by_hand(population, size, found, most) -> None:
    """Of 20 with 4 affected, 10 drawn miss all: C(16, 10) / C(20, 10) = 8008 / 184756 = 4.3 %; with 3 it is 19448 / 184756 = 10.5 %."""
    assert most_affected(population, size, found) == most


def test_the_rule_of_three_is_near_and_on_the_safe_side() -> None:
    for size in (30, 59, 100, 300, 500):
        share = most_affected(10**9, size, 0) / 10**9
        assert 0.95 * 3 / size < share < 3 / size


@given(st.integers(1, 10_000))
def test_so_many_are_proposed_that_nothing_found_says_five_in_a_hundred(population) -> None:
    size = size_proposed(population)
    assert most_affected(population, size, 0) * 20 <= population
    assert size == 1 or most_affected(population, size - 1, 0) * 20 > population


def test_of_very_many_59_are_proposed() -> None:
    assert size_proposed(10**9) == 59
    assert size_proposed(1) == 1
