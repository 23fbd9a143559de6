"""How costs add up: by the theorems, and never beyond a budget."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.models.differential_privacy.loss import (
    NOTHING,
    Budget,
    Charge,
    Loss,
    account,
    affords,
    epsilon_of,
    left_of,
    parallel,
    rho_of,
    rounded_up,
    sequential,
    spent,
)

EPSILONS = st.floats(min_value=1e-6, max_value=5)
LOSSES = st.one_of(
    st.builds(Loss.pure, EPSILONS),
    st.builds(Loss.choice, EPSILONS),
    st.builds(Loss.gaussian, st.floats(min_value=1e-6, max_value=1), st.just(1e-7)),
    st.builds(Loss.pure, EPSILONS, st.floats(min_value=1e-12, max_value=1e-6)),
)
CHARGES = st.builds(Charge, LOSSES, st.none() | st.frozensets(st.sampled_from("abc"), min_size=1))
BUDGETS = st.builds(
    Budget,
    epsilon=st.floats(min_value=0.1, max_value=5),
    delta=st.just(1e-6),
    composition=st.sampled_from(["sequential", "zcdp"]),
    neighbours=st.sampled_from(["add_remove", "change"]),
    part=st.just("region"),
)


@given(st.floats(min_value=1e-6, max_value=10), st.sampled_from([1e-3, 1e-6, 1e-9]))
def test_zero_concentrated_loss_becomes_an_epsilon_by_the_known_bounds(rho, delta):
    found = epsilon_of(rho, delta)
    # Bun and Steinke 2016, proposition 1.3, is never less than what Canonne, Kamath and Steinke give.
    assert found <= rho + 2 * math.sqrt(rho * math.log(1 / delta))
    for order in (1.5, 2, 5, 20, 100):
        bound = order * rho + math.log(1 / (delta * order)) / (order - 1) + math.log1p(-1 / order)
        assert found <= max(bound, 0) + 1e-9


@pytest.mark.parametrize(("scale", "delta"), [(10.0, 1e-6), (1.0, 1e-9), (50.0, 1e-5), (0.7, 1e-6)])
def test_the_conversion_is_that_of_opendp(scale, delta):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    vector = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="f64")
    measured = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*vector, scale=scale))
    assert epsilon_of(1 / (2 * scale**2), delta) == pytest.approx(measured.map(1.0).epsilon(delta), rel=1e-6)


@given(st.floats(min_value=1e-3, max_value=10), st.sampled_from([1e-3, 1e-6, 1e-9]))
def test_the_loss_for_an_epsilon_is_the_greatest_that_keeps_it(epsilon, delta):
    rho = rho_of(epsilon, delta)
    assert epsilon_of(rho, delta) <= epsilon
    assert epsilon_of(rho * 1.001, delta) > epsilon


@given(st.lists(LOSSES, max_size=8), st.randoms(use_true_random=False))
def test_n_answers_cost_their_sum_in_any_order(losses, random):
    shuffled = random.sample(losses, len(losses))
    total = sequential(losses)
    assert total == sequential(shuffled)
    assert total.epsilon == sum((one.epsilon for one in losses), Decimal(0))


def test_n_answers_at_c_each_cost_n_times_c():
    # B.2.4.4
    assert sequential([Loss.pure(0.1)] * 10).epsilon == 1


@given(st.lists(LOSSES, max_size=8))
def test_parts_that_share_nobody_cost_what_the_dearest_does(losses):
    most = parallel(losses, "add_remove")
    assert most == (Loss(*map(max, zip(*losses, strict=True))) if losses else NOTHING)
    exchanged = parallel(losses, "change")
    assert all(m <= e <= min(2 * m, s) for m, e, s in zip(most, exchanged, sequential(losses), strict=True))


@given(BUDGETS, st.lists(CHARGES, max_size=6), CHARGES)
def test_what_was_spent_only_grows_and_is_never_more_than_the_sum(budget, charges, further):
    before, after = spent(charges, budget), spent([*charges, further], budget)
    assert before.epsilon <= after.epsilon
    total = sequential(charge.loss for charge in charges)
    assert before.epsilon <= total.epsilon or before.delta <= total.delta


@given(BUDGETS, st.lists(CHARGES, max_size=12))
def test_a_budget_is_never_overspent(budget, wanted):
    charges: list[Charge] = []
    for charge in wanted:
        if affords(charges, charge, budget):
            charges.append(charge)
    total = spent(charges, budget)
    assert total.epsilon <= Decimal(str(budget.epsilon))
    assert total.delta <= Decimal(str(budget.delta))
    if charges:
        left = left_of(charges, budget)
        assert left == 0 or affords(charges, Charge(Loss.pure(left)), budget)
        assert not affords(charges, Charge(Loss.pure(left + Decimal("1E-9"))), budget)


def test_ten_tenths_are_one_to_the_last_digit():
    budget, charges = Budget(epsilon=1.0), []
    for _number in range(10):
        assert affords(charges, Charge(Loss.pure(0.1)), budget)
        charges.append(Charge(Loss.pure(0.1)))
    assert not affords(charges, Charge(Loss.pure(1e-9)), budget)
    assert account(charges, budget)["left_epsilon"] == "0"


def test_many_small_answers_cost_less_as_zero_concentrated_loss():
    charges = [Charge(Loss.pure(0.01))] * 400
    zcdp = Budget(epsilon=4, delta=1e-6, composition="zcdp")
    assert spent(charges, Budget(epsilon=4)).epsilon == 4
    # Σ ε²/2 = 0.02
    assert spent(charges, zcdp).epsilon == rounded_up(epsilon_of(0.02, 1e-6))
    assert spent(charges, zcdp).epsilon < 1


def test_parts_are_paid_by_the_dearest_and_the_whole_beside_them():
    budget = Budget(epsilon=1, part="region")
    charges = [
        Charge(Loss.pure(0.3), frozenset("a")),
        Charge(Loss.pure(0.2), frozenset("b")),
        Charge(Loss.pure(0.2), frozenset("bc")),
        Charge(Loss.pure(0.1)),
    ]
    assert spent(charges, budget).epsilon == Decimal("0.5")
    # One who is exchanged leaves a part and enters another: 0.4 + 0.3 beside 0.1, but never more than all together.
    assert spent(charges, budget.model_copy(update={"neighbours": "change"})).epsilon == Decimal("0.8")


def test_slips_of_keys_are_taken_from_the_delta():
    budget = Budget(epsilon=1, delta=1e-6)
    assert affords([Charge(Loss.pure(0.1, 6e-7))], Charge(Loss.pure(0.1, 4e-7)), budget)
    assert not affords([Charge(Loss.pure(0.1, 6e-7))], Charge(Loss.pure(0.1, 5e-7)), budget)
    assert not affords([], Charge(Loss.pure(0.1, 2e-6)), budget.model_copy(update={"composition": "zcdp"}))


def test_zero_concentrated_counting_needs_a_delta():
    with pytest.raises(EngineError, match="delta") as caught:
        Budget(epsilon=1, composition="zcdp")
    assert caught.value.code == "delta_missing"


@given(LOSSES)
def test_a_loss_is_kept_to_the_last_digit(loss):
    assert Loss.stored(loss.as_dict()) == loss
