"""Settings and levels as people read them: every digit that was set, and what a level makes of the values."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from projects.jobs.models import Job
from projects.processing.wording import engine_text, level_text, parameter_lines, plain
from techniques.core.messages import EngineError
from techniques.recipe.recipe import Recipe

TABLE = {"kind": "table", "rows": [[str(n), "ABCDE"[n // 2], "low" if n < 5 else "high", "any"] for n in range(10)]}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1e-06, "0.000001"), (0.05, "0.05"), (2.5e-10, "0.00000000025"), (3.0, "3"), (1e20, "1" + "0" * 20), (7, "7")],
)  # fmt: skip
def test_a_setting_has_every_digit_and_no_power_of_ten(value, shown):
    assert plain(value) == shown
    assert float(plain(value)) == value


def test_no_setting_of_a_step_is_shown_as_a_power_of_ten():
    step = {"technique": "pseudonymization.keyed_hash", "columns": ["a"], "parameters": {}}
    (read,) = Recipe.from_data({"recipe": 1, "steps": [step]}).steps
    lines = dict(parameter_lines(step["technique"], read.parameters.model_dump(mode="json")))
    assert "0.000001" in lines.values()
    assert "1e-06" not in lines.values()


def test_a_setting_that_the_recipe_leaves_out_is_said_as_it_holds():
    """Whether pseudonyms join releases is not shown as a dash because nobody changed it."""
    step = {"technique": "pseudonymization.keyed_hash", "columns": ["a"], "parameters": {}}
    content = json.loads(Recipe.from_data({"recipe": 1, "steps": [step]}).canonical())
    (kept,) = content["steps"]
    assert "joinable" not in kept["parameters"]
    with translation.override("en"):
        lines = dict(parameter_lines(step["technique"], kept["parameters"]))
    assert lines["Where equal values get equal pseudonyms"] == "Only inside this run; the key is kept"
    whole = {"joinable": "run", "purpose": "", "domain": "", **kept["parameters"]}
    with translation.override("en"):
        assert dict(parameter_lines(step["technique"], whole)) == lines


@pytest.mark.parametrize(
    ("definition", "level", "highest", "said"),
    [
        (TABLE, 0, 3, "as it was"),
        (TABLE, 1, 3, "5 groups, such as A, B, C"),
        (TABLE, 2, 3, "the groups low, high"),
        # A top of one word is not a star.
        (TABLE, 3, 3, "every value is “any”"),
        ({"kind": "table", "rows": [["a", "*"], ["b", "*"]]}, 1, 1, "suppressed: every value is *"),
        ({"kind": "table", "rows": [["a", "A"], ["b", "B"]]}, 1, 2, "the groups A, B"),
        ({"kind": "table", "rows": [["a", "A"], ["b", "B"]]}, 2, 2, "suppressed: every value is *"),
        ({"kind": "star"}, 1, 1, "suppressed: every value is *"),
        ({"kind": "intervals", "widths": [0.00001, 10]}, 1, 3, "intervals of width 0.00001"),
        ({}, 2, 3, "level 2 of the hierarchy"),
    ],
)
def test_a_level_says_what_the_values_are(definition, level, highest, said):
    with translation.override("en"):
        assert level_text(definition, level, highest) == said


def test_columns_are_listed_as_the_language_lists_them():
    message = "%(path)s: the file has no column called %(columns)s."
    error = EngineError("columns_missing", message, path="subject", columns="town, age")
    job = Job(error_message=message, error_params=error.params)
    for text in (lambda: engine_text(error), lambda: job.error_text):
        with translation.override("zh-hans"):
            assert "town、age" in text()
        with translation.override("en"):
            assert "town, age" in text()
    assert Job(error_message="%(columns)d", error_params={"columns": 3}).error_text == "3"
