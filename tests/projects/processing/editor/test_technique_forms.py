"""Every technique can be set up in the editor: what a form shows and sends back is the same recipe."""

from __future__ import annotations

from typing import Any

import pytest

from projects.processing.editor.drafts import StepDraft, raw_of
from projects.processing.editor.forms import StepForm
from projects.processing.wording import parameter_lines
from techniques import catalogue
from techniques.recipe.presets import presets

HEADER = ["city", "pay", "fee"]
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *[(preset.technique, dict(preset.settings)) for preset in presets()],
    ("statistical.sampling", {"fraction": 0.25, "method": "cluster"}),
    ("statistical.aggregation", {"statistics": {"pay": "mean", "fee": "count"}, "result": "replace"}),
    ("generalization.controlled_rounding", {"base": 100.0, "within": ["city", "pay"]}),
    (
        "generalization.personal_levels",
        {
            "level_column": "fee",
            "tree": {"kind": "table", "rows": [["甲", "城", "*"], ["乙", "乡", "*"]]},
            "levels": {"甲": 3, "乙": 1},
        },
    ),
    ("suppression.rare_combinations", {"importance": {"pay": 2.5}, "minimum_count": 3}),
    ("encryption.deterministic", {"algorithm": "aes-siv", "hide_length": False, "joinable": "project"}),
    ("encryption.order_preserving", {"minimum": -1.5, "maximum": 99.0, "decimals": 1}),
    ("encryption.homomorphic", {"bits": "3072"}),
    ("encryption.secret_sharing", {"holder": 2, "holders": 5, "threshold": 3}),
    ("pseudonymization.name_dictionary", {"names": ["甲", "乙"], "mode": "one_to_one"}),
    ("randomization.correlated_noise", {"spread": 0.5, "exact": False}),
    ("randomization.permutation", {"within": ["city", "pay"]}),
    ("randomization.microaggregation", {"k": 7, "standardise": False}),
]


@pytest.mark.parametrize(("key", "chosen"), SETTINGS, ids=[key for key, _ in SETTINGS])
def test_a_form_gives_back_what_it_shows(key: str, chosen: dict[str, Any]):
    read = catalogue.get(key).settings
    given = read.model_validate(chosen, strict=True)
    raw = raw_of(key, given.model_dump(mode="json"), {name: place for place, name in enumerate(HEADER)})
    form = StepForm(StepDraft(key, [0, 1, 2], raw), 0, HEADER, [0, 1, 2], check=True)
    assert form.is_valid(), form.errors
    assert read.model_validate(form.parameters(), strict=True) == given
    assert len(parameter_lines(key, given.model_dump(mode="json"))) == len(catalogue.parameter_fields(key))


def test_the_column_of_levels_is_chosen_among_those_of_the_file():
    key = "generalization.personal_levels"
    step = StepDraft(key, [0], raw_of(key, {}, {}))
    form = StepForm(step, 0, HEADER, [0], check=True)
    assert [value for value, _label in form.fields["p-level_column"].choices] == ["", *HEADER]
    assert "p-level_column" in form.errors
    # A level that is no number is refused beside its field, by what the engine says of its place.
    assert form.place("parameters.levels.甲") == "p-levels"
    assert form.place("parameters.tree.table.rows") == "h-kind"
