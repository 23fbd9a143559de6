"""What a question costs, worked out by hand: sensitivities to the last unit, steps, bounds at their ends, shares of an error."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from techniques.core.messages import EngineError
from techniques.models.differential_privacy import scales
from techniques.models.differential_privacy.loss import (
    MOST_EPSILON,
    Budget,
    Charge,
    Loss,
    account,
    epsilon_of,
    parallel,
    spent,
)
from techniques.models.differential_privacy.planning import candidates, centre, level, plan
from techniques.models.differential_privacy.question import Dimension, Question
from techniques.models.differential_privacy.sensitivity import (
    Sensitivity,
    of_counts,
    of_ranks,
    of_sums,
    ratio,
)

TOWNS = {"column": "town", "values": ["a", "b"]}


def asked(kind: str = "count", **more: Any) -> Question:
    cost = {} if "epsilon" in more or "error" in more else {"epsilon": 1}
    return Question.model_validate({"kind": kind, **cost, **more})


def number(
    kind: str = "sum", low: float = 5, high: float = 20, step: float | None = 5, **more: Any
) -> Question:
    extra = {"quantile": 0.5} if kind == "quantile" else {}
    return asked(kind, column="x", lower=low, upper=high, **({"step": step} if step else {}), **extra | more)


@pytest.mark.parametrize(
    ("groups", "most", "spread", "neighbours", "alone", "found"),
    [
        (3, 4, 6, "add_remove", False, (3, 12, 4 * math.sqrt(3), 4)),
        (1, 4, 6, "add_remove", True, (1, 4, 4.0, 4)),
        # Exchanged within the only cell it moves by the spread; else all groups are shared, or none is and 2 · 3 cells move.
        (3, 4, 6, "change", True, (1, 6, 6.0, 6)),
        (3, 4, 6, "change", False, (6, 24, math.sqrt(3 * 36), 6)),
        (3, 4, 4, "change", False, (6, 24, math.sqrt(3 * 32), 4)),
        (2, 5, 3, "change", False, (4, 20, math.sqrt(2 * 50), 5)),
    ],
)  # fmt: skip
def test_a_person_moves_cells_as_much_as_is_worked_out_by_hand(
    groups: int, most: int, spread: int, neighbours: Any, alone: bool, found: tuple[float, ...]
) -> None:
    assert Sensitivity.of(groups, most, spread, neighbours, alone=alone) == pytest.approx(found)


def test_groups_of_a_person_are_no_more_than_there_are() -> None:
    found = [
        of_counts(asked(by=[TOWNS], groups_per_person=n, rows_per_group=3), "add_remove") for n in (1, 2, 9)
    ]
    assert [(one.cells, one.l1, one.single) for one in found] == [(1, 3, 3), (2, 6, 3), (2, 6, 3)]
    free = asked(by=[{"column": "town"}], groups_per_person=9, delta=1e-6)
    assert of_counts(free, "add_remove").cells == 9
    # One stated group is the only cell, two are not.
    assert of_counts(asked(by=[{"column": "town", "values": ["a"]}]), "change").cells == 1
    assert of_counts(asked(by=[TOWNS]), "change").cells == 2


@pytest.mark.parametrize(
    ("low", "high", "middle", "most", "spread"),
    [
        (5, 20, 0, 4, 4),
        (-10, 25, 0, 5, 7),
        (-20, -5, 0, 4, 4),
        (5, 20, 2, 2, 3),
        (0, 20, 2, 2, 4),
        (0, 5, 0, 1, 1),
    ],
)
def test_a_sum_is_moved_by_its_bounds(low: float, high: float, middle: int, most: int, spread: int) -> None:
    """In steps of five from ``middle``; two rows of a person count twice."""
    added = of_sums(number(low=low, high=high, rows_per_group=2), "add_remove", middle)
    exchanged = of_sums(number(low=low, high=high, rows_per_group=2), "change", middle)
    assert (added.l1, added.single, exchanged.l1, exchanged.single) == (
        2 * most,
        2 * most,
        2 * spread,
        2 * spread,
    )


@pytest.mark.parametrize(
    ("share", "fraction", "most"),
    [
        (0.5, (1, 2), 1), (0.25, (1, 4), 3), (0.9, (9, 10), 9), (1 / 3, (333, 1000), 667), (0.0001, (1, 1000), 999),
        (0.0005, (1, 1000), 999), (0.9999, (999, 1000), 999), (0.002, (1, 500), 499),
    ],
)  # fmt: skip
def test_a_quantile_is_a_fraction_below_a_thousand(
    share: float, fraction: tuple[int, int], most: int
) -> None:
    question = number("quantile", quantile=share)
    assert ratio(question) == fraction
    assert (of_ranks(question, "add_remove").l1, of_ranks(question, "change").l1) == (most, fraction[1])


@pytest.mark.parametrize(
    ("kind", "high", "width"),
    [
        ("sum", 100, 0.01), ("quantile", 100, 0.1), ("mean", 101, 0.1), ("sum", 1, 0.0001), ("sum", 1e-4, 1e-8),
        ("sum", 1e-7, 1e-9), ("sum", 999, 0.1), ("sum", 1000, 0.1), ("sum", 1001, 1.0),
    ],
)  # fmt: skip
def test_a_step_is_a_power_of_ten_that_makes_thousands(kind: str, high: float, width: float) -> None:
    question = number(kind, 0, high, None)
    assert question.width == pytest.approx(width)
    assert question.steps == (0, round(high / width))
    assert number(kind, 0, 100, 25).width == 25


def test_bounds_are_rounded_to_steps_and_the_middle_lies_between() -> None:
    question = number("mean", 4, 21)
    assert (question.steps, centre(question)) == ((1, 4), 2)
    assert centre(number("mean", -20, 5)) == -2
    assert candidates(number("quantile", 0, 100, 10)) == 11
    assert candidates(asked("mode", column="x", candidates=["a", "b", "c"])) == 3


def test_the_groups_of_classes_are_named_by_their_edges() -> None:
    assert Dimension(column="x", edges=[0, 2.5, 10]).labels == ["[0,2.5)", "[2.5,10]"]
    assert Dimension(column="x", edges=[0, 1]).labels == ["[0,1]"]
    assert Dimension(column="x", values=["a", "b"]).labels == ["a", "b"]
    assert Dimension(column="x").labels is None
    three = {"column": "y", "edges": [0, 1, 2, 3]}
    assert asked("contingency", by=[TOWNS, three]).stated_cells == 6
    assert asked().stated_cells == 1
    free = asked("contingency", by=[TOWNS, {"column": "y"}], delta=1e-6)
    assert (free.stated_cells, free.finds_keys, free.columns) == (None, True, ["town", "y"])
    assert number(where={"x": ["1"], "a": ["2"]}, by=[TOWNS]).columns == ["x", "town", "a"]


def values(many: int) -> list[str]:
    return [str(n) for n in range(many)]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"by": [{"column": "a", "values": values(200)}, {"column": "b", "values": values(100)}]}, None),
        ({"by": [{"column": "a", "values": values(3)}, {"column": "b", "values": values(6667)}]}, "too_many_cells"),
        ({"kind": "quantile", "column": "x", "lower": 0, "upper": 9999, "step": 1, "quantile": 0.5}, None),
        ({"kind": "quantile", "column": "x", "lower": 0, "upper": 10_000, "step": 1, "quantile": 0.5}, "too_many_candidates"),
        ({"kind": "quantile", "column": "x", "lower": 20_000, "upper": 29_999, "step": 1, "quantile": 0.5}, None),
        ({"kind": "quantile", "column": "x", "lower": -6000, "upper": 4000, "step": 1, "quantile": 0.5}, "too_many_candidates"),
        ({"kind": "sum", "column": "x", "lower": 0, "upper": 2**31, "step": 1}, None),
        ({"kind": "sum", "column": "x", "lower": -(2**31), "upper": 0, "step": 1}, None),
        ({"kind": "sum", "column": "x", "lower": 0, "upper": 2**31 + 1, "step": 1}, "step_unfit"),
        ({"kind": "sum", "column": "x", "lower": 0, "upper": 2**30, "step": 1, "rows_per_group": 2}, None),
        ({"kind": "sum", "column": "x", "lower": 0, "upper": 2**30 + 1, "step": 1, "rows_per_group": 2}, "step_unfit"),
        ({"kind": "sum", "column": "x", "lower": 0, "upper": 2, "step": 5}, "step_unfit"),
        ({"kind": "sum", "column": "x", "lower": 0, "upper": 3, "step": 5}, None),
        ({"kind": "sum", "column": "x", "lower": 1}, "bounds_unclear"),
        ({"kind": "sum", "column": "x", "upper": 1}, "bounds_unclear"),
        ({"lower": 1}, None),
        ({"lower": 1, "upper": 2}, "bounds_unclear"),
        ({"step": 1}, "bounds_unclear"),
        ({"quantile": 0.5}, "quantile_unclear"),
        ({"candidates": ["a", "b"]}, "candidates_unclear"),
        ({"kind": "mode", "column": "x", "candidates": ["a", "b"], "mechanism": "laplace"}, "mechanism_unfit"),
        ({"kind": "mode", "column": "x", "candidates": ["a", "b"], "mechanism": "exponential"}, None),
        ({"mechanism": "gaussian", "delta": 1e-18}, None),
        ({"mechanism": "gaussian", "delta": 0.99e-18}, "delta_missing"),
        ({"kind": "mean", "column": "x", "lower": 0, "upper": 9, "least_count": 5}, "least_count_unclear"),
        ({"kind": "mean", "column": "x", "lower": 0, "upper": 9, "least_count": 5, "error": 1}, None),
        ({"kind": "histogram", "by": [TOWNS]}, None),
        ({"kind": "histogram", "by": [TOWNS, {"column": "b", "values": ["1"]}]}, "histogram_of_one"),
        ({"kind": "contingency", "by": [TOWNS, {"column": "b", "values": ["1"]}]}, None),
        ({"by": [{"column": "a", "values": ["1", "1"]}]}, "keys_repeat"),
        ({"by": [{"column": "a", "values": ["1"], "edges": [0, 1]}]}, "keys_twice"),
        ({"by": [{"column": "a", "edges": [0, 0]}]}, "edges_unordered"),
    ],
)  # fmt: skip
def test_what_just_fits_is_taken_and_what_just_does_not_is_refused(
    question: dict[str, Any], code: str | None
) -> None:
    if code is None:
        assert asked(**question).epsilon in (1, None)
        return
    with pytest.raises(EngineError) as refused:
        asked(**question)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("field", "inside", "outside"),
    [
        ("epsilon", (1e-6, 100), (0.99e-6, 100.1)),
        ("error", (1e-9, 1e15), (0, 1.1e15)),
        ("confidence", (0.5, 0.999999), (0.49, 0.9999995)),
        ("rows_per_group", (1, 10_000), (0, 10_001)),
        ("groups_per_person", (1, 20_000), (0, 20_001)),
    ],
)
def test_numbers_of_a_question_have_ends(
    field: str, inside: tuple[float, ...], outside: tuple[float, ...]
) -> None:
    for one in inside:
        assert getattr(asked(**{field: one}), field) == one
    for one in outside:
        with pytest.raises(ValidationError):
            asked(**{field: one})


def test_an_epsilon_is_shared_by_the_parts_of_an_answer_and_by_its_keys() -> None:
    assert plan(asked(epsilon=0.5), "add_remove").scales == {"counts": pytest.approx(2)}
    mean = plan(number("mean", 0, 20, epsilon=0.5), "add_remove")
    # Two halves of 0.25: a sum moves by 2 steps from the middle of 0 to 4, a count by 1.
    assert mean.scales == {"sums": pytest.approx(8), "counts": pytest.approx(4)}
    assert mean.loss == Loss.pure(0.5)
    keys = plan(asked(by=[{"column": "town"}], epsilon=0.5, delta=1e-6), "add_remove")
    assert keys.scales == {"counts": pytest.approx(4), "keys": pytest.approx(4)}
    assert keys.loss == Loss.pure(0.25).together(Loss.pure(0.25, 1e-6))
    assert keys.threshold == scales.key_threshold(1, 1, 4, 1e-6)
    normal = plan(asked(by=[{"column": "town"}], epsilon=0.5, delta=1e-6, mechanism="gaussian"), "add_remove")
    assert float(normal.loss.delta) == pytest.approx(1e-6)
    assert float(normal.loss.slip) == pytest.approx(5e-7)
    assert normal.threshold == scales.key_threshold(1, 1, normal.scales["keys"], 5e-7)
    chosen = plan(number("quantile", 0, 20, epsilon=0.5, rows_per_group=3), "change")
    assert chosen.scales == {"choice": pytest.approx(2 * 6 / 0.5)}
    assert chosen.loss == Loss.choice(0.5)
    mode = plan(asked("mode", column="x", candidates=["a", "b"], epsilon=0.5, rows_per_group=3), "add_remove")
    assert mode.scales == {"choice": pytest.approx(2 * 3 / 0.5)}


def test_an_error_is_in_whole_steps_and_shared_by_the_parts_of_a_mean() -> None:
    assert level(asked(), 1) == pytest.approx(0.95)
    assert level(asked(), 2) == pytest.approx(0.975)
    count = plan(asked(error=3.7), "add_remove")
    assert count.scales["counts"] == pytest.approx(scales.laplace_scale_for(3, 0.95))
    assert plan(asked(error=3), "add_remove").scales == count.scales
    total = plan(number("sum", 0, 40, 4, error=10), "add_remove")
    assert total.scales["sums"] == pytest.approx(scales.laplace_scale_for(2, 0.95))
    # Eleven values, thus h = 5.5 steps: c = 100 · 2 / (2 · 5.5 + 2) = 15.4 rows off, then s = (100 - 15) · 2 / 2.
    mean = plan(number("mean", 0, 10, 1, error=2, least_count=100), "add_remove")
    assert mean.scales["counts"] == pytest.approx(scales.laplace_scale_for(15, 0.975))
    assert mean.scales["sums"] == pytest.approx(scales.laplace_scale_for(85, 0.975))
    mode = plan(asked("mode", column="x", candidates=["a", "b"], error=40), "add_remove")
    assert mode.scales["choice"] == pytest.approx(scales.choice_scale_for(40, 2, 0.95))
    middle = plan(number("quantile", 0, 20, error=40), "add_remove")
    assert middle.scales["choice"] == pytest.approx(scales.choice_scale_for(80, 5, 0.95))


def test_losses_by_the_theorems() -> None:
    """ε²/2 of Laplace noise, ε²/8 of a choice; both as zero-concentrated loss, rounded up to 10⁻⁹."""
    half = Decimal("0.5")
    assert Loss.pure(0.5) == (half, 0, Decimal("0.125"), 0)
    assert Loss.pure(0.5, 1e-6) == (half, Decimal("0.000001"), Decimal("0.125"), Decimal("0.000001"))
    assert Loss.choice(0.5) == (half, 0, Decimal("0.03125"), 0)
    assert Loss.pure(1e-9).rho == Decimal("1E-9")
    assert float(Loss.gaussian(0.125, 1e-6).epsilon) == pytest.approx(epsilon_of(0.125, 1e-6), abs=2e-9)
    assert epsilon_of(0, 1e-6) == epsilon_of(-1, 1e-6) == 0.0
    assert Loss.pure(MOST_EPSILON).epsilon == 1_000_000
    for wrong in (MOST_EPSILON + 1, float("nan")):
        with pytest.raises(EngineError):
            Loss.pure(wrong)
    three = [Loss.pure(0.3), Loss.pure(0.1), Loss.pure(0.2)]
    assert parallel(three, "add_remove").epsilon == Decimal("0.3")
    assert parallel(three, "change").epsilon == Decimal("0.5")


def test_what_is_left_of_an_account() -> None:
    budget = Budget(epsilon=1, delta=1e-6)
    found = account([Charge(Loss.pure(0.25, 1e-7)), Charge(Loss.pure(0.5))], budget)
    assert found == {
        "epsilon": 1, "delta": 1e-6, "spent_epsilon": "0.75", "spent_delta": 1e-7, "left_epsilon": "0.25", "answers": 2,
    }  # fmt: skip
    over = [Charge(Loss.pure(0.25, 2e-6))]
    assert account(over, budget)["left_epsilon"] == "0"
    # Released keys that took all of the delta leave none to turn zero-concentrated loss into an epsilon.
    zcdp = Budget(epsilon=1, delta=1e-6, composition="zcdp")
    assert spent([Charge(Loss.pure(0.1, 1e-6))], zcdp).epsilon == Decimal("Infinity")
    assert spent([Charge(Loss.pure(0.1, 9e-7))], zcdp).epsilon == Decimal("0.1")
    assert spent([], zcdp) == (0, 0)
