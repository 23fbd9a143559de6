"""What each question is answered with, what it costs, and how far off it is."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.core.validation import validated
from techniques.models.differential_privacy import noise, reading, scales
from techniques.models.differential_privacy.answer import answer
from techniques.models.differential_privacy.contributions import bounded
from techniques.models.differential_privacy.loss import Budget, Loss
from techniques.models.differential_privacy.planning import centre, charge_of, noise_error, plan
from techniques.models.differential_privacy.question import Question
from techniques.models.differential_privacy.sensitivity import of_counts, of_ranks, of_sums, ratio
from techniques.models.differential_privacy.statements import statements
from tests.techniques.models.differential_privacy.tables import DRAWS, SURE, asked, table, values

AGES = table(
    age=[12, 17, 25, 33, 34, 36, 41, 42, 45, 49, 51, 52, 53, 61, 64, 66, 68, None, "x"], sex=[*"fm" * 9, "f"]
)
AGE = {"column": "age", "lower": 0, "upper": 100, "step": 1}
SEXES = {"column": "sex", "values": ["f", "m", "d"]}


def test_the_histogram_of_the_standard():
    # B.2.5.2: H = {2, 1, 3, 4, 3, 4}, one person changes one count by 1: noise of scale 1/ε.
    edges = {"column": "age", "edges": [10, 20, 30, 40, 50, 60, 70]}
    found = asked(AGES, kind="histogram", by=[edges], **SURE)
    assert values(found) == [2, 1, 3, 4, 3, 4]
    assert found.sensitivities["counts_l1"] == 1
    assert plan(Question(kind="histogram", by=[edges], epsilon=0.5), "add_remove").scales[
        "counts"
    ] == pytest.approx(2)
    assert [cell.labels for cell in found.cells][-1] == ("[60,70]",)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_counts_by_group_and_under_a_condition(mechanism):
    noisy = {"mechanism": mechanism, "delta": 1e-9 if mechanism == "gaussian" else 0.0}
    of = table(sex=["f", "m", "f", "m", "m", None])
    assert values(asked(of, kind="count", by=[SEXES], **SURE, **noisy)) == [2, 3, 0]
    assert values(asked(of, kind="count", where={"sex": ["m"]}, **SURE, **noisy)) == [3]
    assert values(asked(of, kind="count", **SURE, **noisy)) == [6]


def test_a_sum_is_of_clamped_values_in_steps():
    of = table(pay=[10, 20.5, 99, -7, None, 30], sex=["f", "m", "f", "m", "m", None])
    question = {"kind": "sum", "column": "pay", "lower": 0, "upper": 50, "step": 0.5, "by": [SEXES]}
    found = asked(of, **question, error=200, confidence=0.999999)
    assert [
        cell.low <= wanted <= cell.high for cell, wanted in zip(found.cells, [60, 20.5, 0], strict=True)
    ] == [True] * 3
    assert found.sensitivities["sums_l1"] == 100
    exact = plan(Question(**question, epsilon=100), "add_remove")
    place, given_values = reading.cells(of, exact.question).place, reading.amounts(of, exact.question)[0]
    assert np.bincount(place[place >= 0], given_values[place >= 0]).tolist() == [120, 41]


def test_a_mean_lies_in_its_interval_which_lies_in_the_bounds():
    rng = np.random.default_rng(5)
    ages = np.clip(rng.normal(45, 15, 4000).round(), 0, 100)
    of, truth = table(age=[int(age) for age in ages]), float(ages.mean())
    missed = 0
    for _number in range(200):
        (cell,) = asked(of, kind="mean", **AGE, epsilon=0.2).cells
        assert 0 <= cell.low <= cell.value <= cell.high <= 100
        missed += not cell.low <= truth <= cell.high
    # 200 intervals of 95 %: more than 29 misses have a chance below 10⁻⁶.
    assert missed <= 29


def test_the_error_that_is_accepted_of_a_mean_holds():
    rng = np.random.default_rng(6)
    ages = np.clip(rng.normal(80, 25, 3000).round(), 0, 100)
    of, truth = table(age=[int(age) for age in ages]), float(ages.mean())
    off = [
        abs(asked(of, kind="mean", **AGE, error=0.5, least_count=2500).cells[0].value - truth)
        for _number in range(200)
    ]
    assert sum(one > 0.5 for one in off) <= 29


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_a_quantile_has_its_share_of_rows_below(share):
    of = table(age=list(range(1, 1001)))
    question = {"kind": "quantile", "column": "age", "lower": 0, "upper": 1100, "step": 1, "quantile": share}
    off = [abs(asked(of, **question, error=30).cells[0].value - share * 1000) for _number in range(100)]
    # 100 answers of 95 %: more than 18 misses have a chance below 10⁻⁶; a row and the rounding of the share beside the 30.
    assert sum(one > 32 for one in off) <= 18
    found = asked(of, **question, error=30)
    assert found.off == pytest.approx(30)


def test_the_most_frequent_value_of_each_group():
    of = table(
        drug=["a"] * 90 + ["b"] * 10 + ["b"] * 60 + ["c"] * 900, sex=["f"] * 100 + ["m"] * 60 + ["m"] * 900
    )
    found = asked(
        of,
        kind="mode",
        column="drug",
        candidates=["a", "b"],
        by=[{"column": "sex", "values": ["f", "m"]}],
        epsilon=10,
    )
    assert values(found) == ["a", "b"]


def test_of_each_group_its_own_values_are_looked_at():
    """Of four groups the first, the second and so on of many values; so are ranks: the group's own middle."""
    drugs = [f"d{number:02}" for number in range(40)]
    of = table(
        drug=[drugs[group * 7] for group in range(4) for _row in range(50)],
        town=[f"t{group}" for group in range(4) for _row in range(50)],
        age=[10 * group + row for group in range(4) for row in (*range(25), *range(26, 51))],
    )
    by = [{"column": "town", "values": ["t3", "t0", "t1", "t2"]}]
    found = asked(of, kind="mode", column="drug", candidates=drugs, by=by, epsilon=20)
    assert values(found) == ["d21", "d00", "d07", "d14"]
    middle = asked(of, kind="quantile", **AGE, quantile=0.5, by=by, epsilon=50)
    assert [
        abs(value - wanted) <= 3 for value, wanted in zip(values(middle), [55, 25, 35, 45], strict=True)
    ] == [True] * 4


def test_a_mean_is_no_nearer_to_one_end_of_its_interval():
    """Sixty answers on nineteen ages around 50: the interval is some fifth of a year wide to either side, and noise goes both ways."""
    of = table(age=[40, 60] * 9 + [50])
    found = [asked(of, kind="mean", **AGE, epsilon=100).cells[0] for _number in range(60)]
    assert min(cell.high - cell.low for cell in found) > 0.3
    assert abs(np.mean([cell.value for cell in found]) - 50) < 0.1


def test_totals_of_a_table_are_off_by_all_of_their_cells():
    by = [
        {"column": "sex", "values": ["f", "m"]},
        {"column": "town", "values": ["x", "y", "z"]},
    ]
    of = table(sex=["f"] * 700 + ["m"] * 500, town=["x"] * 1000 + ["y"] * 200)
    found = asked(of, kind="contingency", by=by, epsilon=1)
    planned = plan(Question(kind="contingency", by=by, epsilon=1), "add_remove")
    for cell in found.margins:
        # Of a sex three cells, of a town two, of all of them six; each is surer, so that all hold together.
        parts = {("f", ""): 3, ("m", ""): 3, ("", ""): 6}.get(cell.labels, 2)
        off = parts * noise_error(planned, "counts", parts)
        assert (cell.low, cell.high) == (max(0, cell.value - off), max(0, cell.value + off))
        assert off > parts


def test_bounds_are_said_in_the_unit_of_the_column():
    found = asked(AGES, kind="sum", column="age", lower=0, upper=41, step=4, epsilon=1)
    (clamped,) = [one for one in statements(found) if one.code == "clamped"]
    assert clamped.params == {"lower": "0", "upper": "40", "step": "4"}


def test_a_contingency_table_has_the_totals_of_its_noisy_cells():
    of = table(sex=["f", "f", "m", "m", "m"], town=["x", "y", "x", "x", "z"])
    by = [{"column": "sex", "values": ["f", "m"]}, {"column": "town", "values": ["x", "y"]}]
    found = asked(of, kind="contingency", by=by, **SURE)
    assert values(found) == [1, 1, 2, 0]
    assert {cell.labels: cell.value for cell in found.margins} == {
        ("f", ""): 2, ("m", ""): 2, ("", "x"): 3, ("", "y"): 1, ("", ""): 4,
    }  # fmt: skip
    noisy = asked(of, kind="contingency", by=by, epsilon=0.1)
    assert {cell.labels: cell.value for cell in noisy.margins}["", ""] == sum(values(noisy))


def test_groups_that_nobody_stated_come_out_where_they_are_of_many():
    of = table(town=["big"] * 5000 + ["small"] * 4000 + ["lone"] + [None] * 3000)
    found = asked(of, kind="count", by=[{"column": "town"}], epsilon=1, delta=1e-9)
    assert [cell.labels for cell in found.cells] == [("big",), ("small",)]
    assert found.threshold > 1
    assert float(found.loss["delta"]) == 1e-9
    assert float(found.loss["epsilon"]) == 1
    truth = {("big",): 5000, ("small",): 4000}
    assert all(abs(cell.value - truth[cell.labels]) < 100 for cell in found.cells)
    assert (
        values(
            asked(
                of,
                kind="mean",
                column="town",
                lower=0,
                upper=9,
                by=[{"column": "town"}],
                epsilon=1,
                delta=1e-9,
            )
        )
        == []
    )


def test_a_person_counts_with_the_rows_and_groups_that_are_said():
    of = table(drug=["a", "a", "a", "b", "c", "a"], n=[1, 1, 1, 1, 1, 1])
    persons, by = [0, 0, 0, 0, 0, 1], [{"column": "drug", "values": ["a", "b", "c"]}]
    one = values(asked(of, persons, kind="count", by=by, **SURE))
    assert sum(one) == 2
    assert max(one) <= 2
    assert values(asked(of, persons, kind="count", by=by, groups_per_person=3, **SURE)) == [2, 1, 1]
    assert values(
        asked(of, persons, kind="count", by=by, groups_per_person=3, rows_per_group=3, epsilon=100)
    ) == [4, 1, 1]
    assert values(asked(of, persons, kind="count", **SURE)) == [2]
    assert values(asked(of, [-1] * 6, kind="count", **SURE)) == [6]


def test_without_a_person_key_a_row_is_a_person():
    with pytest.raises(EngineError) as caught:
        asked(AGES, kind="count", rows_per_group=2, epsilon=1)
    assert caught.value.code == "several_rows_of_nobody"


def test_what_the_data_hold_never_stops_an_answer():
    of = table(age=["9" * 400, "1e9", "-", "", None, "20-29", "+7"])
    assert values(asked(of, kind="count", by=[{"column": "age", "edges": [0, 50, 100]}], **SURE)) == [1, 0]
    assert len(asked(of.slice(0, 0), kind="quantile", **AGE, quantile=0.5, epsilon=1).cells) == 1
    assert values(asked(of.slice(0, 0), kind="count", **SURE)) == [0]
    assert asked(of.slice(0, 0), kind="count", by=[{"column": "age"}], epsilon=1, delta=1e-9).cells == []
    (cell,) = asked(of, kind="sum", **AGE, epsilon=1).cells
    assert math.isfinite(cell.value)


# -- sensitivity: no pair of neighbours moves a measurement by more than is claimed ---------------------------

ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abcd"), st.integers(-30, 30)), max_size=14)
LAST = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(-30, 30)), max_size=6)


def measured(rows, question, kind):
    """The vector of a question before any noise; one person's rows come last, so that all others' draws stay."""
    of = table(group=[row[1] for row in rows], x=[row[2] for row in rows])
    cells = reading.cells(of, question)
    kept = bounded(
        cells.place,
        np.array([row[0] for row in rows], np.int32),
        question.groups_per_person,
        question.rows_per_group,
        DRAWS,
    )
    place, size = cells.place[kept], len(cells.labels)
    if kind == "count":
        return np.bincount(place, minlength=size)
    found = reading.amounts(of, question)[0][kept]
    if kind in ("sum", "mean"):
        middle = centre(question) if kind == "mean" else 0
        return np.array([(found[place == cell] - middle).sum() for cell in range(size)])
    a, b = ratio(question)
    low, high = question.steps
    scores = [
        [
            -abs((b - a) * (found[place == cell] < c).sum() - a * (found[place == cell] > c).sum())
            for c in range(low, high + 1)
        ]
        for cell in range(size)
    ]
    return np.array(scores)


@settings(max_examples=300)
@given(
    ROWS, LAST, LAST, st.sampled_from(["count", "sum", "mean", "quantile"]), st.sampled_from([(0, 20), (-10, 25), (-20, -5)]),
    st.integers(1, 3), st.integers(1, 3), st.booleans(), st.sampled_from(["add_remove", "change"]), st.sampled_from([0.5, 0.25, 0.9]),
)  # fmt: skip
def test_one_person_moves_no_measurement_by_more_than_its_sensitivity(
    rows, last, other, kind, bounds, per_group, groups, by_group, neighbours, share
):
    given_parts = (
        {} if kind == "count" else {"column": "x", "lower": bounds[0], "upper": bounds[1], "step": 5}
    )
    by = [{"column": "group", "values": ["a", "b", "c"]}] if by_group else []
    question = Question(
        kind=kind, by=by, where={} if by_group else {"group": ["a", "b"]}, rows_per_group=per_group, groups_per_person=groups,
        epsilon=1, **given_parts, **({"quantile": share} if kind == "quantile" else {}),
    )  # fmt: skip
    here = measured([*rows, *((9, *row) for row in last)], question, kind)
    there = measured(
        rows if neighbours == "add_remove" else [*rows, *((9, *row) for row in other)], question, kind
    )
    moved = np.abs(here - there)
    claimed = {
        "count": lambda: of_counts(question, neighbours),
        "sum": lambda: of_sums(question, neighbours),
        "mean": lambda: of_sums(question, neighbours, centre(question)),
        "quantile": lambda: of_ranks(question, neighbours),
    }[kind]()
    if kind == "quantile":
        moved = moved.max(axis=1)
    assert moved.sum() <= claimed.l1
    assert math.sqrt((moved.astype(float) ** 2).sum()) <= claimed.l2 + 1e-9
    assert moved.max(initial=0) <= claimed.single
    assert (moved > 0).sum() <= claimed.cells


@pytest.mark.parametrize(
    ("neighbours", "by", "claimed"),
    [
        ("add_remove", [], (1, 1)),
        ("change", [], (1, 1)),
        ("add_remove", [SEXES], (1, 1)),
        ("change", [SEXES], (2, math.sqrt(2))),
    ],
)
def test_a_count_is_moved_by_one_person_as_the_standard_says(neighbours, by, claimed):
    found = of_counts(Question(kind="count", by=by, epsilon=1), neighbours)
    assert (found.l1, found.l2) == pytest.approx(claimed)


# -- cost and accuracy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["count", "sum"])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_an_accepted_error_gives_the_cost_and_the_cost_the_error(kind, mechanism):
    more = {"column": "age", "lower": 0, "upper": 50, "step": 1} if kind == "sum" else {}
    noisy = {"mechanism": mechanism, "delta": 1e-7 if mechanism == "gaussian" else 0.0}
    by_error = plan(Question(kind=kind, error=400, **more, **noisy), "add_remove")
    epsilon = float(by_error.loss.epsilon)
    assert epsilon > 0
    again = plan(Question(kind=kind, epsilon=epsilon, **more, **noisy), "add_remove")
    (name,) = by_error.scales
    assert again.scales[name] == pytest.approx(by_error.scales[name], rel=1e-6)
    (cell,) = asked(AGES, kind=kind, error=400, **more, **noisy).cells
    assert cell.high - max(cell.value, 0) <= 400


@pytest.mark.parametrize(
    "question",
    [
        {"kind": "count"},
        {"kind": "sum", **AGE},
        {"kind": "mean", **AGE, "by": [SEXES]},
        {"kind": "quantile", **AGE, "quantile": 0.5},
        {"kind": "mode", "column": "sex", "candidates": ["f", "m"]},
        {"kind": "count", "by": [SEXES], "mechanism": "gaussian", "delta": 1e-6},
        {"kind": "mean", **AGE, "by": [{"column": "sex"}], "delta": 1e-6},
        {"kind": "mean", **AGE, "by": [{"column": "sex"}], "delta": 1e-6, "mechanism": "gaussian"},
    ],
)
@pytest.mark.parametrize("neighbours", ["add_remove", "change"])
def test_an_answer_costs_what_was_asked_and_no_more(question, neighbours):
    planned = plan(Question(**question, epsilon=0.3), neighbours)
    noise.verify(planned)
    cheap = replace(planned, loss=Loss(*(one * Decimal("0.99") for one in planned.loss)))
    with pytest.raises(RuntimeError):
        noise.verify(cheap)
    found = planned.loss
    assert 0.2999 < float(found.epsilon) <= 0.3
    assert float(found.delta) == question.get("delta", 0)


def test_noise_of_persons_with_many_rows_is_as_much_greater():
    one = plan(Question(kind="count", epsilon=1, by=[SEXES]), "add_remove")
    many = plan(
        Question(kind="count", epsilon=1, by=[SEXES], rows_per_group=5, groups_per_person=2), "add_remove"
    )
    assert many.scales["counts"] == pytest.approx(10 * one.scales["counts"])


def test_a_part_is_charged_alone_only_where_a_row_is_a_person():
    budget = Budget(epsilon=1, part="region")
    found = plan(Question(kind="count", where={"region": ["north"]}, epsilon=1), "add_remove")
    assert charge_of(found, budget, per_row=True).parts == frozenset({"north"})
    assert charge_of(found, budget, per_row=False).parts is None
    assert charge_of(found, Budget(epsilon=1), per_row=True).parts is None


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({"kind": "count"}, "cost_unclear"),
        ({"kind": "count", "epsilon": 1, "error": 3}, "cost_unclear"),
        ({"kind": "count", "epsilon": 1, "delta": 1e-6}, "delta_needless"),
        ({"kind": "count", "epsilon": 1, "mechanism": "gaussian"}, "delta_missing"),
        ({"kind": "count", "epsilon": 1, "by": [{"column": "sex"}]}, "delta_missing"),
        ({"kind": "count", "epsilon": 1, "mechanism": "exponential"}, "mechanism_unfit"),
        ({"kind": "count", "epsilon": 1, "column": "age"}, "column_unclear"),
        ({"kind": "sum", "epsilon": 1, "column": "age"}, "bounds_unclear"),
        ({"kind": "sum", "epsilon": 1, "column": "age", "lower": 5, "upper": 5}, "bounds_unclear"),
        (
            {"kind": "sum", "epsilon": 1, "column": "age", "lower": 0, "upper": 1e9, "step": 0.01},
            "step_unfit",
        ),
        ({"kind": "quantile", "epsilon": 1, **AGE}, "quantile_unclear"),
        ({"kind": "quantile", "epsilon": 1, **AGE, "quantile": 0.5, "step": 0.001}, "too_many_candidates"),
        ({"kind": "mean", "error": 1, **AGE}, "least_count_unclear"),
        ({"kind": "histogram", "epsilon": 1}, "histogram_of_one"),
        ({"kind": "contingency", "epsilon": 1, "by": [SEXES]}, "contingency_of_two"),
        ({"kind": "mode", "epsilon": 1, "column": "sex"}, "candidates_unclear"),
        ({"kind": "count", "epsilon": 1, "by": [{"column": "age", "edges": [3, 2]}]}, "edges_unordered"),
        ({"kind": "count", "epsilon": 1, "by": [SEXES, SEXES]}, "dimension_twice"),
        ({"kind": "count", "epsilon": 1, "where": {"sex": []}}, "filter_empty"),
    ],
)
def test_a_question_that_does_not_fit_together_is_refused(question, code):
    with pytest.raises(EngineError) as caught:
        Question(**question)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "question",
    [
        {"kind": "sum", "column": "age", "lower": 0, "upper": 5e-324, "epsilon": 1},
        {"kind": "sum", "column": "age", "lower": -1e15, "upper": 1e15, "epsilon": 1e-6},
        {"kind": "sum", "column": "age", "lower": 0, "upper": 1, "step": 1e-320, "epsilon": 1},
        {"kind": "count", "error": 1e308},
        {"kind": "count", "error": 1e15, "confidence": 0.999999},
        {"kind": "count", "error": 1e-300},
        {"kind": "count", "error": 1e-300, "mechanism": "gaussian", "delta": 1e-6},
        {"kind": "count", "epsilon": 1e-6, "mechanism": "gaussian", "delta": 1e-18},
        {"kind": "count", "epsilon": 100, "by": [{"column": "sex"}], "delta": 5e-324},
        {
            "kind": "count",
            "epsilon": 1e-6,
            "by": [{"column": "sex"}],
            "delta": 1e-18,
            "groups_per_person": 20_000,
        },
        {"kind": "mean", **AGE, "error": 1e-12, "least_count": 10**400},
        {"kind": "mean", **AGE, "error": 1e-12, "least_count": 1},
        {"kind": "quantile", **AGE, "quantile": 1e-9, "error": 1e15},
        {"kind": "count", "epsilon": float("nan")},
    ],
)
def test_numbers_at_the_edge_are_priced_or_refused(question):
    with suppress(EngineError):
        assert plan(validated(Question, question), "change").loss.epsilon > 0


def test_equal_questions_are_equal_however_written():
    one = Question(kind="count", where={"sex": ["m", "f"], "age": ["1"]}, epsilon=1)
    other = Question(
        kind="count", where={"age": ["1"], "sex": ["f", "m", "f"]}, epsilon=1.0, mechanism="laplace"
    )
    assert one.hash == other.hash
    assert one.hash != Question(kind="count", where={"age": ["1"], "sex": ["f"]}, epsilon=1).hash
    groups = [
        Question(kind="count", by=[{"column": "sex", "values": named}], epsilon=1)
        for named in (["m", "f"], ["f", "m"], ["f"])
    ]
    assert groups[0].hash == groups[1].hash != groups[2].hash


def test_the_sentences_say_what_holds():
    found = asked(AGES, kind="mean", **AGE, by=[{"column": "sex"}], epsilon=0.5, delta=1e-6)
    said = {one.code: str(one) for one in statements(found)}
    assert "any answer 1.649 times as likely at most" in said["guarantee_delta"]
    assert "1e-06" in said["guarantee_delta"]
    assert "0 … 100" in said["clamped"]
    assert "row_is_person" in said
    assert str(found.threshold) in said["keys_by_threshold"]
    exact = {
        one.code: str(one)
        for one in statements(
            asked(AGES, [0] * 19, "change", kind="quantile", **AGE, quantile=0.5, epsilon=1)
        )
    }
    assert "guarantee" in exact
    assert "1 row in each of at most 1 group" in exact["person"]
    assert "exchanged" in exact["neighbours_change"]
    assert f"{scales.choice_error(2 * 2 / 1, 101, 0.95) / 2:.1f} rows" in exact["off"]


def test_a_stored_answer_is_read_back():
    found = asked(AGES, kind="count", by=[SEXES], epsilon=1)
    assert type(found).model_validate(found.model_dump(mode="json")) == found


def test_answers_are_drawn_anew():
    planned = plan(Question(kind="count", epsilon=0.01), "add_remove")
    assert len({answer(planned, AGES, None).cells[0].value for _number in range(20)}) > 5
