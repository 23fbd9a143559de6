"""β-likeness all the way: search, local recoding, command line, targets, form, and gate against a count of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from projects.objective.forms import RiskForm
from projects.objective.presentation import risk_rows
from projects.objective.targets.risk import RiskTargets
from projects.processing.recipes.suggestion import conditions_of, model_for
from projects.processing.wording import engine_text
from projects.verification.gate.conditions import not_in_model
from projects.verification.presentation import gate_rows
from techniques.catalogue.models import Conditions
from techniques.cli.condition_options import conditions, parse
from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe
from tests.projects.verification.gate.test_variety import RISK, TREE, case, measured, outcome, variety
from tests.techniques.models.k_anonymity.test_diverse_models import TABLES, naive_best, solve
from tests.techniques.models.k_anonymity.test_k_anonymity import LETTERS, NUMBERS

QUASI = {"a": LETTERS, "b": NUMBERS, "c": {"kind": "star"}}
BETAS = st.sampled_from([0.0, 0.4, 1.0, 2.5])
# Shares of the whole: a 3/8, b 1/2, c 1/8. The first class doubles c, the second has half as much again of b.
MIXED = [("1", v) for v in "aabc"] + [("2", v) for v in "abbb"]


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def gain(values: list[Any], table: list[Any]) -> float:
    """The greatest (p - q) / q, by its definition, with missing values as one of their own and as every known one."""
    whole, here = Counter(table), Counter(values)
    ratios = [here[value] / len(values) / (whole[value] / len(table)) for value in whole]
    missing = here[None]
    for value in set(whole) - {None} if missing else ():
        filled = (whole[value] + missing) / len(table)
        ratios.append((here[value] + missing) / len(values) / filled)
    return max(ratios) - 1


def holds(values: list[Any], table: list[Any], asked: dict[str, Any]) -> bool:
    return gain(values, table) <= asked["beta"] + 1e-9


def made(
    rows: list[tuple[Any, ...]], beta: float, **parameters: Any
) -> tuple[dict[str, Any], list[list[Any]]]:
    """The report of a model over a, b and c, and the sensitive values of each class of its result."""
    report, left, _gone = solve(
        {name: [row[i] for row in rows] for i, name in enumerate("abc")},
        {"s": [row[3] for row in rows]},
        hierarchies=QUASI,
        sensitive={"s": {"beta": beta}},
        **parameters,
    )
    classes = defaultdict(list)
    for row in left:
        classes[row[:3]].append(row[3])
    return report, list(classes.values())


@settings(max_examples=60, deadline=None)
@given(TABLES, st.integers(2, 3), st.sampled_from([0.0, 0.15, 0.5, 1.0]), BETAS)
def test_the_search_finds_the_least_loss_that_holds_it(rows: Any, k: int, limit: float, beta: float) -> None:
    wanted = naive_best(rows, k, limit, [{"beta": beta}], None, holds)
    if wanted is None:
        with pytest.raises(EngineError, match="no_solution"):
            made(rows, beta, k=k, suppression_limit=limit)
        return
    report, classes = made(rows, beta, k=k, suppression_limit=limit)
    assert report["proved_optimal"]
    assert report["loss"] == pytest.approx(wanted, abs=1e-9)
    whole = [row[3] for row in rows]
    assert all(len(inside) >= k and gain(inside, whole) <= beta + 1e-9 for inside in classes)
    assert report["sensitive"]["s"]["beta"] <= beta + 1e-9


@settings(max_examples=60, deadline=None)
@given(TABLES, st.integers(2, 3), st.sampled_from([0.0, 0.5]), BETAS)
def test_local_recoding_holds_it_in_every_class(rows: Any, k: int, limit: float, beta: float) -> None:
    try:
        _report, classes = made(rows, beta, k=k, suppression_limit=limit, recoding="local")
    except EngineError:
        assert naive_best(rows, k, limit, [{"beta": beta}], None, holds) is None
        return
    whole = [row[3] for row in rows]
    assert all(len(inside) >= k and gain(inside, whole) <= beta + 1e-9 for inside in classes)
    assert sum(map(len, classes)) >= (1 - limit) * len(rows) - 1e-9


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([*"abc", None])), min_size=2, max_size=30), BETAS
)
def test_what_two_classes_hold_their_union_holds(rows: Any, beta: float) -> None:
    """So a class that breaks it breaks it in every finer table, which the search prunes by."""
    whole = [value for _place, value in rows]
    first, second = ([value for at, value in rows if at == place] for place in (0, 1))
    if first and second and all(gain(one, whole) <= beta for one in (first, second)):
        assert gain(first + second, whole) <= beta + 1e-9


@pytest.mark.parametrize(("beta", "passed"), [(1.0, True), (0.99, False)])
def test_the_gate_measures_it_on_the_file(beta: float, passed: bool) -> None:
    assert outcome(MIXED, {"beta": beta}) == (passed, 1.0)
    assert outcome(MIXED, targets={"beta": beta}) == (passed, 1.0)
    # Held against the source, whose shares count rows that are gone: of b 4 in 9.
    assert outcome(MIXED, {"beta": beta}, before=[*MIXED, ("3", "c")]) == (True, 0.6875)


def test_the_gate_says_it_in_words_with_a_formula_and_a_remedy() -> None:
    found = measured(case(MIXED, {"beta": 0.5}))
    (row,) = [row for row in gate_rows(found.checks, found.report) if row.kind == "closeness"]
    assert (row.target, row.measured, row.clause) == ("≤ 0.5", "1", "B.1.3")
    assert "Where a value of s stands out most" in row.plain
    assert row.formula is not None
    assert row.formula.substituted == "β = 1 > 0.5"
    assert row.remedies


def test_of_a_changed_column_the_gate_takes_what_is_gone_at_the_worst() -> None:
    parameters = {"hierarchy": TREE, "level": 1}
    first = [{"technique": "generalization.hierarchy", "columns": ["s"], "parameters": parameters}]
    raw = [("1", v) for v in "abcd"] + [("2", v) for v in "addd"]
    rows = [(q, "x" if v in "abc" else "y") for q, v in raw]
    assert outcome(rows, {"beta": 0.5}, before=raw, first=first) == (True, 0.5)
    assert outcome(rows, {"beta": 0.4}, before=raw, first=first) == (False, 0.5)
    # A tenth of the rows is gone: a gain of 0.5 may be one of 1.5 / 0.9 - 1.
    long = [*raw * 9, *[("3", "a")] * 8]
    assert outcome(rows * 9, {"beta": 0.7}, before=long, first=first) == (True, 1.5 / 0.9 - 1)
    assert outcome(rows * 9, {"beta": 0.6}, before=long, first=first)[0] is None


def test_the_target_asks_for_it_and_the_first_recipe_holds_it() -> None:
    targets = RiskTargets(**RISK, beta=0.5)
    assert "beta" not in RiskTargets(**RISK).model_dump(mode="json")
    assert RiskTargets(**targets.model_dump(mode="json")) == targets
    parameters = {"k": 2, "hierarchies": {"q": {"kind": "star"}}, **conditions_of(targets, ["s"])}
    step = {"technique": model_for(targets), "columns": ["q"], "parameters": parameters}
    recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": [step]})
    checked = replace(case(MIXED), recipe=recipe, risk=targets)
    assert [check["measure"] for check in variety(checked)] == ["likeness"]
    assert not_in_model(checked, recipe.steps[0].parameters) == []  # type: ignore[arg-type]
    assert not_in_model(checked, None) == ["s"]


def test_the_form_of_the_targets_asks_for_it() -> None:
    said = {**RISK, "strict_cap": 0.5, "context_risk": 1, "reassess_months": 12, "why": "for this test"}
    form = RiskForm({**said, "beta": "0.5"}, sharing_type="controlled")
    assert form.is_valid(), form.errors
    (row,) = [row for row in risk_rows(form.content, "controlled") if row["key"] == "beta"]
    assert (row["target"], "by more than 0.5 times" in row["plain"]) == ("≤ 0.5", True)
    assert not RiskForm({**said, "beta": "-1"}, sharing_type="controlled").is_valid()


def test_recipes_without_it_are_written_as_they_always_were() -> None:
    assert "beta" not in Conditions(t=0.2).model_dump(mode="json")
    assert Conditions(beta=0.5).model_dump(mode="json")["beta"] == 0.5
    with pytest.raises(ValueError, match="at least one condition"):
        Conditions()


def test_the_command_line_asks_for_it_of_all_or_of_one(tmp_path: Any) -> None:
    assert conditions("s", parse(["s:beta=0.5"], ["s"])["s"]) == Conditions(beta=0.5)
    with pytest.raises(EngineError) as error:
        conditions("s", {"beta": "-1"})
    assert "beta from 0 to 1000" in engine_text(error.value)
    (tmp_path / "in.csv").write_text("q,s\n" + "".join(f"{q},{s}\n" for q, s in MIXED))
    for asked, classes in ("--sa s --beta 1", 2), ("--sa s --beta 0.9", 1), ("--sensitive s:beta=0.9", 1):
        result = tmp_path / f"{asked}.csv"
        command = [
            "anonymize",
            str(tmp_path / "in.csv"),
            str(result),
            "--qi",
            "q",
            "--k",
            "2",
            "--order",
            "kept",
        ]
        assert main([*command, *asked.split()]) == 0
        lines = result.read_text().splitlines()[1:]
        assert len({line.rpartition(",")[0] for line in lines}) == classes
