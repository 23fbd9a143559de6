"""What a run's report says of its protection: of which columns, by how much, on which clause or paper, and what it does not cover."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import techniques
from techniques.recipe.guarantees import guarantees

TREE = {
    "kind": "table",
    "rows": [["flu", "airways"], ["cough", "airways"], ["gout", "joints"], ["cramp", "joints"]],
}
DATA = pd.DataFrame({
    "age": [20, 21, 30, 31] * 10,
    "place": ["A", "B"] * 20,
    "disease": ["flu", "gout", "cough", "cramp"] * 10,
    "level": ["1", "2"] * 20,
    "income": range(40),
})  # fmt: skip


def _run(*steps: dict[str, Any]) -> dict[str, Any]:
    recipe = techniques.Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": list(steps)})
    return techniques.run(recipe, DATA, key=bytes(16), seed=bytes(32)).report


def _model(**more: Any) -> dict[str, Any]:
    free = {"age": {"kind": "free"}, "place": {"kind": "free"}}
    settings = {"k": 4, "recoding": "local", "hierarchies": free, **more}
    return {"technique": "model.k_anonymity", "columns": ["age", "place"], "parameters": settings}


def test_a_model_says_its_columns_and_k_and_what_it_is_not() -> None:
    report = _run(_model())
    (said,) = report["guarantee"]
    assert (said["code"], said["params"]) == ("heuristic_of_records", {"columns": "age, place", "k": 4})
    assert "over age, place" in said["text"]
    assert "at least 4 records" in said["text"]
    assert "not a mathematical proof" in said["text"]
    (model,) = [step for step in report["steps"] if step["technique"].startswith("model.")]
    assert model["clauses"] == ["B.1.1", "A.3.5"]
    assert "papers" not in model


@pytest.mark.parametrize(
    ("asked", "bounds", "clauses", "papers"),
    [
        ({"distinct": 2}, "l ≥ 2", ["B.1.2"], []),
        ({"distinct": 2, "alpha": 0.6}, "l ≥ 2, α ≤ 0.6", ["B.1.2"], ["Cao et al. 2018"]),
        ({"entropy": 1.5}, "H ≥ ln 1.5", ["B.1.2"], []),
        ({"recursive_l": 2, "recursive_c": 3}, "r₁ < 3.0·(r_2 + … + r_m)", ["B.1.2"], []),
        ({"t": 0.9}, "t ≤ 0.9", ["B.1.3"], []),
        ({"beta": 3}, "β ≤ 3.0", ["B.1.3"], ["Cao & Karras 2012"]),
    ],
)
def test_conditions_say_their_bounds_clause_and_paper(
    asked: dict[str, float], bounds: str, clauses: list[str], papers: list[str]
) -> None:
    report = _run(_model(sensitive={"disease": asked}))
    model, varied = report["guarantee"]
    assert model["params"]["k"] == 4
    assert (varied["code"], varied["params"]) == ("varied", {"column": "disease", "bounds": bounds})
    assert bounds in varied["text"]
    assert "not what somebody knows of a person beforehand" in varied["text"]
    (step,) = [one for one in report["steps"] if one["technique"].startswith("model.")]
    assert step["clauses"] == ["B.1.1", "A.3.5", *clauses]
    assert step.get("papers", []) == papers


def test_levels_that_persons_ask_for_name_their_paper_and_do_not_hide_the_record() -> None:
    settings = {"level_column": "level", "tree": TREE}
    report = _run(
        {"technique": "generalization.personal_levels", "columns": ["disease"], "parameters": settings}
    )
    assert report["steps"][0]["papers"] == ["Cao et al. 2018"]
    none, levels = report["guarantee"]
    assert none["code"] == "none"
    assert levels["code"] == "as_requested"
    assert "not whose record it is" in levels["text"]


def test_a_command_without_a_recipe_says_the_same() -> None:
    made = techniques.anonymize(
        DATA, ["age", "place"], k=4, sensitive={"disease": {"distinct": 2, "alpha": 0.6}}
    )
    assert made.report["conditions"] == {"k": 4, "sensitive": {"disease": {"distinct": 2, "alpha": 0.6}}}
    assert (made.report["clauses"], made.report["papers"]) == (
        ["B.1.1", "A.3.5", "B.1.2"],
        ["Cao et al. 2018"],
    )
    assert [one["code"] for one in made.report["guarantee"]] == ["heuristic_of_records", "varied"]


def test_columns_are_named_by_their_table_and_budgets_add_up() -> None:
    step = {
        "technique": "synthesis.private",
        "columns": ["a", "b"],
        "result": {"epsilon": 1.1, "delta": 1e-9},
    }
    found = guarantees({"left": {"steps": [step]}, "right": {"steps": [step, step]}})
    assert [one.code for one in found] == ["formal", "formal_of_rows"] * 3 + ["formal_together"]
    assert found[0].params == {"columns": "left.a, left.b"}
    assert found[-1].params == {"steps": 3, "epsilon": 3.3, "delta": 3e-9}


@pytest.mark.parametrize(
    ("earlier", "made_up", "after"),
    [
        ([], {"place": "A|B"}, []),
        ([{"technique": "randomization.noise", "columns": ["income"], "parameters": {"spread": 3}}], {"place": "A|B"}, []),
        ([{"technique": "generalization.rounding", "columns": ["age"], "parameters": {"base": 10}}], {"age": "20|30"}, []),
        ([{"technique": "statistical.sampling", "columns": ["income"], "parameters": {"fraction": 0.5}}], {"place": "A|B"}, ["1"]),
        ([_model(k=2)], {"place": "A|B"}, ["1"]),
    ],
)  # fmt: skip
def test_an_epsilon_says_which_steps_before_it_looked_at_several_rows(
    earlier: list[Any], made_up: dict[str, str], after: list[str]
) -> None:
    private = {"epsilon": 1, "domains": made_up}
    report = _run(
        *earlier, {"technique": "synthesis.private", "columns": list(made_up), "parameters": private}
    )
    said = [one["params"]["steps"] for one in report["guarantee"] if one["code"] == "formal_of_what_was_left"]
    assert said == after


def test_a_report_of_before_says_no_number_that_it_does_not_hold() -> None:
    step = {
        "technique": "model.k_anonymity",
        "columns": ["a"],
        "result": {"persons": 9, "sensitive": {"b": {}}},
    }
    said = [str(one) for one in guarantees({"": {"steps": [step]}})]
    assert "at least K people" in said[0]
    assert "meet the conditions of the recipe" in said[1]


@pytest.mark.parametrize(
    ("later", "changed"),
    [
        ({"technique": "generalization.rounding", "columns": ["income"], "parameters": {"base": 10}}, False),
        ({"technique": "suppression.remove_column", "columns": ["age"]}, False),
        ({"technique": "randomization.permutation", "columns": ["place"]}, True),
        ({"technique": "statistical.sampling", "columns": ["income"], "parameters": {"fraction": 0.5}}, True),
    ],
)
def test_what_is_said_of_a_model_says_which_later_steps_it_stood_before(
    later: dict[str, Any], changed: bool
) -> None:
    report = _run(_model(), later)
    said = [one for one in report["guarantee"] if one["code"] == "changed_later"]
    assert [one["params"] for one in said] == ([{"steps": "2", "columns": "age, place"}] if changed else [])


def test_rows_without_any_value_are_counted_apart() -> None:
    others = pd.concat([DATA, DATA.iloc[[0]].assign(age=99, place="C")])
    made = techniques.anonymize(others, ["age", "place"], k=5, suppression_limit=0.05, hierarchies={})
    starred = int((made.table[["age", "place"]] == "*").all(axis=1).sum())
    said = [one["params"] for one in made.report["guarantee"] if one["code"] == "starred"]
    assert said == ([{"rows": starred, "columns": "age, place"}] if starred else [])
