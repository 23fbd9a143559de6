"""GB/T 37964 A.1, A.3.3 and A.5.2: samples, figures of groups, local suppression, controlled rounding."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from techniques.catalogue.generalization import ControlledRoundingSettings
from techniques.catalogue.statistical import SamplingSettings
from techniques.core.messages import EngineError
from techniques.core.operations import Context, Tally, Unfit, Whole
from techniques.core.secrets import Secrets
from techniques.families.generalization.controlled_rounding import ControlledRounding
from techniques.families.statistical.sampling import Sampling
from techniques.recipe.recipe import Recipe
from tests.techniques.apply import Column, cells_of, operation, run_whole, through_file, whole

SAMPLE, FIGURES, ROUND, LOCAL = (
    "statistical.sampling", "statistical.aggregation", "generalization.controlled_rounding",
    "suppression.rare_combinations",
)  # fmt: skip
cell = st.one_of(st.none(), st.sampled_from("abc"))


def sampled(columns: list[Column], seed: int = 1, **chosen: Any) -> np.ndarray:
    table = whole(columns)
    names = tuple(f"c{i}" for i in range(len(columns)))
    made = Sampling(SamplingSettings(**chosen), Context(0, names, table.rows, Secrets(b"", seed)))
    outcome = made.treat(table, None)
    assert outcome.report["sampling_fraction"] == (~outcome.removed).mean()
    assert outcome.codes is table.codes
    return ~outcome.removed


@given(st.lists(cell, min_size=1, max_size=80), st.floats(0.01, 1), st.integers(0, 100))
def test_sizes_of_samples(column: Column, fraction: float, seed: int) -> None:
    assert sampled([column], seed, fraction=fraction).sum() == min(
        len(column), max(1, round(fraction * len(column)))
    )
    groups = defaultdict(list)
    strata = sampled([column], seed, fraction=fraction, method="stratified")
    clusters = sampled([column], seed, fraction=fraction, method="cluster")
    for value, one, other in zip(column, strata, clusters, strict=True):
        groups[value].append((one, other))
    for rows in groups.values():
        exact = fraction * len(rows)
        assert max(1, int(exact)) <= sum(one for one, _ in rows) <= max(1, int(exact) + 1)
        assert len({other for _, other in rows}) == 1
    drawn = sum(rows[0][1] for rows in groups.values())
    assert drawn == min(len(groups), max(1, round(fraction * len(groups))))


@pytest.mark.parametrize("method", ["simple", "stratified", "cluster"])
def test_every_row_has_the_same_chance(method: str) -> None:
    column: Column = ["a", "b", "c", "d", "e", "f"] if method == "cluster" else ["a", "a", "a", "b", "b", "b"]
    hits = sum(sampled([column], seed, fraction=1 / 3, method=method).astype(int) for seed in range(1500))
    assert sum((hits - 500) ** 2 / (500 * 2 / 3)) < 20.5


def aggregated(columns: list[Column], **chosen: Any) -> tuple[list[list[str | None]], Any]:
    outcome = run_whole(FIGURES, columns, **chosen)
    kept = np.flatnonzero(~outcome.removed)
    return [[column[i] for column in cells_of(outcome)] for i in kept], outcome


ROWS: list[Column] = [
    ["a", "b", "a", None, "a", None, "c"],
    ["1", "5", "2", "7", "6", "9", "100"],
    ["x", "y", "x", "z", None, "z", "w"],
]


def test_a_table_of_groups() -> None:
    chosen = {"minimum_count": 2, "maximum_share": 0.5, "decimals": 2}
    rows, outcome = aggregated(ROWS, statistics={"c1": "mean", "c2": "count"}, **chosen)
    assert rows == [["a", "3", "2"], [None, "8", "2"]]
    assert outcome.report == {
        "groups": 2,
        "small_groups": 2,
        "minimum_count": 2,
        "figures": {
            # Of 1, 2 and 6 the two largest make up 89 %; of 7 and 9 nothing is left.
            "c1": {"statistic": "mean", "cells": 2, "fewest": 2, "largest_share": 0.666667, "dominated": 2},
            "c2": {"statistic": "count", "cells": 2, "fewest": 2},
        },
        "grouped_by": ["c0"],
        "cell_sizes": [[2, 1], [3, 1]],
    }
    assert outcome.suppressed.sum() == 2
    for figure, expected in [("sum", "9"), ("minimum", "1"), ("maximum", "6"), ("median", "2")]:
        assert aggregated(ROWS[:2], statistics={"c1": figure}, **chosen)[0][0] == ["a", expected]
    with pytest.raises(EngineError) as error:
        aggregated(ROWS, statistics={"c1": "mean", "c2": "count"}, minimum_count=2)
    assert error.value.code == "suppression_over_limit"


@pytest.mark.parametrize(
    ("values", "statistic", "said"),
    [
        (["10", "10", "10", "10"], "sum", {"largest_share": 0.25, "dominated": 0}),
        (["1", "2", "3", "1000000"], "mean", {"largest_share": 0.999994, "dominated": 1}),
        # 100 + 60 of 175 are more than 85 %.
        (["100", "60", "8", "7"], "sum", {"largest_share": 0.571429, "dominated": 1}),
        (["-9", "3", "3", "3"], "sum", {"largest_share": 0.5, "dominated": 0}),
        (["0", "0", "0", "0"], "sum", {"largest_share": 0.0, "dominated": 0}),
        (["1", "5", "5", "9"], "maximum", {"held_by_few": 1}),
        (["1", "1", "5", "9"], "minimum", {"held_by_few": 0}),
        (["1", "5", "5", "9"], "median", {"one_sided": 0}),
        (["1", "5", "6", "9"], "median", {"one_sided": 1}),
    ],
)
def test_what_single_rows_make_of_a_figure_is_said(values: Column, statistic: str, said: Any) -> None:
    _rows, outcome = aggregated([["a"] * 4, values], statistics={"c1": statistic}, minimum_count=2)
    assert outcome.report["figures"]["c1"] == {"statistic": statistic, "cells": 1, "fewest": 4} | said


def test_the_fewest_values_behind_a_figure_are_said() -> None:
    """Of rows, or of persons where it is known whose they are; a figure that is left out counts for nothing."""
    rows: list[Column] = [["a", "a", "a", "b", "b", "b", "b"], ["1", None, "2", "4", "5", "6", "6"]]
    for least, fewest in ((2, 2), (3, 4)):
        _rows, outcome = aggregated(rows, statistics={"c1": "mean"}, minimum_count=least)
        assert outcome.report["figures"]["c1"]["fewest"] == fewest
        assert outcome.report["cell_sizes"] == [[3, 1], [4, 1]]
    table = whole(rows)
    subjects = np.array([0, 1, 0, 2, 3, 3, 3], dtype=np.int32)
    made = operation(
        FIGURES, {"statistics": {"c1": "mean"}, "minimum_count": 2, "maximum_share": 1.0}, 7, ("c0", "c1")
    )
    outcome = made.treat(Whole(table.dictionaries, table.codes, subjects), None)
    # Of the two persons of group a one has no value, so that it has no figure.
    assert outcome.report["figures"]["c1"] | {"largest_share": 0, "dominated": 0} == {
        "statistic": "mean", "cells": 1, "fewest": 2, "largest_share": 0, "dominated": 0,
    }  # fmt: skip
    assert outcome.report["cell_sizes"] == [[2, 2]]


def test_every_row_with_the_figures_of_its_group() -> None:
    chosen = {"minimum_count": 2, "maximum_share": 0.5, "result": "replace"}
    rows, _ = aggregated(ROWS[:2], statistics={"c1": "mean"}, **chosen)
    assert rows == [["a", "3"], ["a", "3"], [None, "8"], ["a", "3"], [None, "8"]]


def test_figures_of_too_few_values_are_missing() -> None:
    rows, _ = aggregated([["a"] * 4, ["1", None, None, "3"]], statistics={"c1": "sum"}, minimum_count=3)
    assert rows == [["a", None]]
    with pytest.raises(Unfit):
        aggregated([["a"] * 2, ["1", "x"]], statistics={"c1": "sum"}, minimum_count=2)
    assert aggregated(
        [["a"] * 3, ["1", "x", "2"]], statistics={"c1": "sum"}, minimum_count=2, unfit="suppress"
    )[0] == [["a", "3"]]


@given(
    st.lists(st.tuples(cell, st.one_of(st.none(), st.integers(-99, 99).map(str))), min_size=1, max_size=60),
    st.sampled_from(["sum", "mean", "minimum", "maximum", "median", "count"]),
)
def test_figures_agree_with_a_plain_loop(rows: list[tuple[str | None, str | None]], statistic: str) -> None:
    import statistics

    made, _ = aggregated(
        [list(c) for c in zip(*rows, strict=True)],
        statistics={"c1": statistic}, minimum_count=2, maximum_share=1.0, decimals=4,
    )  # fmt: skip
    groups: dict[str | None, list[float]] = defaultdict(list)
    for group, value in rows:
        groups[group] += [] if value is None else [float(value)]
    large = {g for g, n in Counter(g for g, _ in rows).items() if n >= 2}
    plain: Any = {
        "sum": sum, "mean": statistics.mean, "minimum": min, "maximum": max, "median": statistics.median, "count": len,
    }  # fmt: skip
    assert {g for g, _ in made} == large
    assert len(made) == len(large)
    for group, figure in made:
        values = groups[group]
        if len(values) < 2:
            assert figure is None
        else:
            assert figure is not None
            assert float(figure) == pytest.approx(plain[statistic](values), abs=1e-4)


def test_a_table_of_groups_cannot_carry_other_columns() -> None:
    text = """
steps:
  - technique: statistical.aggregation
    columns: [region, fee]
    parameters: {statistics: {fee: mean}}
  - {technique: as_is, column: name, parameters: {reason: because}}
"""
    with pytest.raises(EngineError) as error:
        Recipe.parse(text).check_columns(["region", "fee", "name"])
    assert error.value.code == "aggregation_leaves_columns"
    Recipe.parse("unlisted: remove" + text.rsplit("  - {", 1)[0]).check_columns(["region", "fee", "name"])
    Recipe.parse(text.replace("statistics:", "result: replace, statistics:")).check_columns(
        ["region", "fee", "name"]
    )


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.decimals(-500, 500, places=2)), min_size=1, max_size=50),
    st.sampled_from([0.05, 1, 10, 7.5]),
    st.integers(0, 1000),
)
def test_controlled_rounding_keeps_sums(rows: list[tuple[str, Decimal]], base: float, seed: int) -> None:
    table = whole([[g for g, _ in rows], [str(v) for _, v in rows]])
    chosen = ControlledRoundingSettings(base=base, within=["g"])
    outcome = ControlledRounding(chosen, Context(0, ("g", "v"), len(rows), Secrets(b"", seed))).treat(
        table, None
    )
    groups, made = cells_of(outcome)
    exact = Decimal(str(base))
    assert groups == [g for g, _ in rows]
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for (group, before), after in zip(rows, made, strict=True):
        change = Decimal(str(after)) - before
        assert abs(change) < exact
        assert Decimal(str(after)) % exact == 0
        sums[group] += change
    assert all(abs(change) < exact for change in sums.values())
    for group, change in sums.items():
        if sum(v for g, v in rows if g == group) % exact == 0:
            assert change == 0


def test_controlled_rounding_is_unbiased() -> None:
    """A.5.2: 7 to base 10 gives 10 with probability 0.7."""
    ups = np.zeros(3)
    for seed in range(500):
        context = Context(0, ("v",), 3, Secrets(b"", seed))
        made = ControlledRounding(ControlledRoundingSettings(base=10), context).treat(
            whole([["7", "1", "5"]]), None
        )
        ups += [cell != "0" for cell in cells_of(made)[0]]
    assert np.allclose(ups / 500, [0.7, 0.1, 0.5], atol=0.075)


def test_controlled_rounding_of_what_is_no_number() -> None:
    assert cells_of(run_whole(ROUND, [["5", None, "x", "5"]], base=10, unfit="suppress"))[0][1:3] == [
        None,
        None,
    ]
    with pytest.raises(Unfit):
        run_whole(ROUND, [["5", "x"]], base=10)


def locally(rows: list[tuple[str | None, ...]], **chosen: Any) -> list[tuple[str | None, ...]]:
    table = whole([list(column) for column in zip(*rows, strict=True)])
    made = operation(
        LOCAL, {"maximum_share": 1.0, **chosen}, columns=tuple(f"c{i}" for i in range(len(rows[0])))
    )
    combos = Counter(zip(*(codes.tolist() for codes in table.codes), strict=True))
    codes = [np.array(column, np.int32) for column in zip(*combos, strict=True)]
    tally = Tally(table.dictionaries, codes, np.array(list(combos.values())))
    dictionaries = made.restore(through_file(made.fit(tally, lambda share: None)))
    outcome = made.apply(table.codes)
    return [
        tuple(
            None if c[i] < 0 else d[int(c[i])].as_py()
            for d, c in zip(dictionaries, outcome.codes, strict=True)
        )
        for i in range(len(rows))
    ]


@given(st.lists(st.tuples(cell, cell, cell), min_size=3, max_size=40), st.integers(2, 3))
def test_what_is_left_fits_enough_rows_and_nothing_cheaper_would(
    rows: list[tuple[str | None, ...]], k: int
) -> None:
    after = locally(rows, minimum_count=k, importance={"c0": 3.0})
    weights = (3.0, 1.0, 1.0)

    def fitting(kept: tuple[int, ...], row: tuple[str | None, ...]) -> int:
        return sum(all(other[i] == row[i] for i in kept) for other in rows)

    for before, made in zip(rows, after, strict=True):
        gone = [i for i in range(3) if made[i] != before[i]]
        assert all(made[i] is None for i in gone)
        shown = tuple(i for i in range(3) if i not in gone and before[i] is not None)
        # A cell that was missing before is as good as suppressed and costs nothing to leave.
        assert fitting(shown, before) >= k
        if fitting((0, 1, 2), before) >= k:
            assert not gone
        best = min(
            sum(weights[i] for i in range(3) if i not in kept)
            for size in range(4)
            for kept in combinations(range(3), size)
            if fitting(kept, before) >= k
        )
        assert sum(weights[i] for i in gone) <= best + 1e-9


def test_local_suppression_stops_at_its_limit() -> None:
    rows: list[tuple[str | None, ...]] = [("a", "x")] * 5 + [("b", "x")]
    assert locally(rows, minimum_count=2)[-1] == (None, "x")
    with pytest.raises(EngineError) as error:
        locally(rows, minimum_count=2, maximum_share=0.05)
    assert error.value.code == "suppression_over_limit"
    with pytest.raises(EngineError) as few:
        locally(rows[:1], minimum_count=2)
    assert few.value.code == "k_too_large"
    with pytest.raises(EngineError):
        locally(rows, importance={"z": 1.0})


# -- one row per person -------------------------------------------------------------------------------

CLAIM_CASES = {
    "statistical.row_per_person": [
        (lambda draw: str(draw.randrange(5)), 3, {"collected": {"c1": "values", "c2": "mean"}})
    ]
}
VISITS: list[Column] = [
    ["p", "q", "p", None, "p"],
    ["flu", "cold", "cold", "flu", "flu"],
    ["1", "5", "2", "7", "6"],
    ["x", "y", "z", "u", "v"],
]


def one_row(**chosen: Any) -> list[list[str | None]]:
    outcome = run_whole("statistical.row_per_person", VISITS, ("who", "illness", "cost", "note"), **chosen)
    return [[column[i] for column in cells_of(outcome)] for i in np.flatnonzero(~outcome.removed)]


def test_rows_of_a_person_become_one_with_their_values_and_figures() -> None:
    together = {"illness": "values", "cost": "sum", "note": "count"}
    assert one_row(collected=together, keep="first") == [
        ["p", "cold;flu", "9", "3"],
        ["q", "cold", "5", "1"],
        [None, "flu", "7", "1"],
    ]
    assert one_row(collected={"illness": "values", "cost": "mean", "note": "values"}, separator="|")[0][1:] in (
        ["cold|flu", "3", "v|x|z"], ["cold", "5", "y"], ["flu", "7", "u"],
    )  # fmt: skip


def test_the_subject_of_the_recipe_says_whose_the_rows_are_and_the_row_that_stays_keeps_its_cells() -> None:
    table = whole(VISITS)
    subjects = np.array([0, 1, 0, -1, -1], dtype=np.int32)
    names = ("who", "illness", "cost", "note")
    for keep, rows in (("first", [0, 1, 3, 4]), ("last", [1, 2, 3, 4])):
        made = operation("statistical.row_per_person", {"keep": keep}, 5, names)
        outcome = made.treat(Whole(table.dictionaries, table.codes, subjects), lambda share: None)
        assert np.flatnonzero(~outcome.removed).tolist() == rows
        assert outcome.report == {"persons": 4, "rows": 5, "most_rows": 2}
    drawn = [
        operation("statistical.row_per_person", {}, 5, names)._kept(np.array([0, 1, 0, 2, 3])).tolist()
        for _again in range(2)
    ]
    assert drawn[0] == drawn[1]


def test_samples_draw_persons_with_all_their_rows() -> None:
    table = whole([["a", "b", "a", "b", "a", "a"]])
    subjects = np.array([0, 0, 1, 2, 3, -1], dtype=np.int32)
    for method in ("simple", "stratified"):
        for seed in range(20):
            made = Sampling(
                SamplingSettings(fraction=0.4, method=method), Context(0, ("c0",), 6, Secrets(b"", seed))
            )
            outcome = made.treat(Whole(table.dictionaries, table.codes, subjects), None)
            assert outcome.removed[0] == outcome.removed[1]
            left = len({-7 if s < 0 else s for s in subjects[~outcome.removed].tolist()})
            assert outcome.report["persons"] == left
            assert outcome.report["sampling_fraction"] == left / 5


def test_a_sample_says_the_chances_that_each_had() -> None:
    """By drawing six hundred times: who is alone in a stratum is always drawn, and who has rows in several clusters more often."""
    table = whole([["a"] * 6 + ["b"] * 2 + ["c"]])
    subjects = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0], dtype=np.int32)
    for method, whose in (
        ("stratified", None),
        ("stratified", subjects),
        ("cluster", None),
        ("cluster", subjects),
    ):
        hits, stated = Counter[int](), {}
        for seed in range(600):
            made = Sampling(
                SamplingSettings(fraction=1 / 3, method=method), Context(0, ("c0",), 9, Secrets(b"", seed))
            )
            outcome = made.treat(Whole(table.dictionaries, table.codes, whose), None)
            who = np.arange(9) if whose is None else whose
            drawn = np.unique(who[~outcome.removed])
            hits.update(drawn.tolist())
            assert sum(number for _chance, number in outcome.report["chances"]) == len(drawn)
            stated |= dict.fromkeys((chance for chance, _number in outcome.report["chances"]), True)
        found = np.array([hits[one] / 600 for one in hits])
        apart = np.abs(found[:, None] - np.array(list(stated)))
        assert apart.min(axis=0).max() < 0.07, (method, whose is None)
        assert apart.min(axis=1).max() < 0.07, (method, whose is None)
    assert pytest.approx(max(stated)) == 2 / 3, "of the person in two of three clusters"


def test_groups_and_figures_count_persons() -> None:
    table = whole([["a", "a", "a", "b", "b"], ["1", "1", "90", "4", "5"]])
    subjects = np.array([0, 0, 1, 2, 3], dtype=np.int32)
    parameters = {"statistics": {"c1": "sum"}, "minimum_count": 2, "maximum_share": 1.0}
    made = operation(FIGURES, {**parameters, "minimum_count": 3}, 5, ("c0", "c1"))
    assert made.treat(Whole(table.dictionaries, table.codes, subjects), None).removed.all()
    made = operation(FIGURES, parameters, 5, ("c0", "c1"))
    outcome = made.treat(Whole(table.dictionaries, table.codes, subjects), None)
    assert outcome.report["cell_sizes"] == [[2, 2]]
    assert outcome.report["figures"]["c1"]["largest_share"] == pytest.approx(90 / 92, abs=1e-6)
    assert set(outcome.subjects.tolist()) == {-1}
