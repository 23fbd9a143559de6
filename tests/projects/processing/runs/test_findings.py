"""What a run found is said of the run that found it, and of no other."""

from __future__ import annotations

from typing import Any

import pytest

from projects.processing.runs.findings import step_sentences, too_close
from techniques.recipe.recipe import Recipe
from tests.truth.released import patients, run, step, table_of

STAR = {"kind": "star"}
DOMAINS = {"性别": "男|女", "年龄": "0..120"}


def said(columns: str, one: dict[str, Any]) -> str:
    """Everything that is said of a step on these columns of the patients."""
    source = table_of([{name: row[name] for name in columns.split()} for row in patients()])
    _written, report, _subjects = run(Recipe.from_data({"recipe": 1, "steps": [one]}), source)
    return " ".join(step_sentences(report["steps"][0]))


@pytest.mark.parametrize(
    ("columns", "first", "second", "words"),
    [
        (
            "姓名",
            step("pseudonymization.name_dictionary", "姓名"),
            step("pseudonymization.name_dictionary", "姓名", mode="one_to_one", size=2000),
            "people counted by these names are too few",
        ),
        *(
            (
                "病历号",
                step("pseudonymization.keyed_hash", "病历号", **settings),
                step("pseudonymization.keyed_hash", "病历号"),
                words,
            )
            for settings, words in (
                ({"joinable": "project"}, "in every run of the project"),
                ({"joinable": "purpose", "purpose": "study"}, "in every project of the purpose “study”"),
                ({"joinable": "never"}, "its key is destroyed when it ends"),
            )
        ),
        (
            "性别 地区",
            step("model.k_anonymity", "性别", "地区", k=150, hierarchies={"性别": STAR, "地区": STAR}),
            step("model.k_anonymity", "性别", "地区", k=2, hierarchies={"性别": STAR, "地区": STAR}),
            "Nothing is left of",
        ),
        (
            "费用",
            step("generalization.top_bottom_coding", "费用", top_rows=20),
            step("generalization.top_bottom_coding", "费用", bottom_rows=20),
            "capped above at",
        ),
        (
            "性别 年龄",
            step("synthesis.private", "性别", "年龄", domains=DOMAINS),
            step("synthesis.sequential", "性别", "年龄", leaf_rows=20),
            "Differentially private: ε = 1",
        ),
        (
            "性别 年龄",
            step("synthesis.private", "性别", "年龄", domains=DOMAINS),
            step("synthesis.sequential", "性别", "年龄", leaf_rows=20),
            "Spent of the budget",
        ),
        (
            "性别 地区 费用",
            step("statistical.aggregation", "性别", "地区", "费用", statistics={"费用": "mean"}),
            step("statistical.sampling", "性别", "地区", "费用", fraction=0.5),
            "8 groups have figures; 0 of fewer than 10 rows were left out",
        ),
        (
            "性别",
            step("statistical.sampling", "性别", fraction=0.5),
            step("randomization.permutation", "性别"),
            "50 % of the rows were drawn",
        ),
    ],
)
def test_what_is_said_of_the_first_is_not_said_of_the_second(columns, first, second, words, english):
    assert words in said(columns, first)
    assert words not in said(columns, second)


@pytest.mark.parametrize("close", [True, False])
def test_rows_that_are_too_close_are_named_whether_the_run_stops_for_it_or_not(close, english):
    found = {
        "exact_match_share": 0.4, "exact_match_share_held_out": 0.01, "nearer_than_held_out": 0.8, "too_close": close,
    }  # fmt: skip
    text = " ".join(step_sentences({"result": {"closeness": found}}))
    assert ("too close to real rows" in text) is close
    assert too_close({"steps": [{}, {"result": None}, {"result": {"closeness": found}}]}) is close
    assert "40 %" in text


@pytest.fixture
def english():
    from django.utils import translation

    with translation.override("en"):
        yield
