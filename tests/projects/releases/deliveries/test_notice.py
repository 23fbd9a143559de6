"""What whoever receives is told of a file hangs on how it was made, and on nothing else."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.releases.deliveries.notice import notice_from

HASH, NAMES = "pseudonymization.keyed_hash", "pseudonymization.name_dictionary"
ALONE, PROJECT, PURPOSE = (
    "anything beside this release",
    "releases of this project",
    "for the purpose “study”",
)
SHARED = "may have got the same name"


@pytest.mark.parametrize(
    ("technique", "chosen", "said"),
    [
        (HASH, {}, ALONE),
        (HASH, {"joinable": "never"}, ALONE),
        (HASH, {"joinable": "project"}, PROJECT),
        (HASH, {"joinable": "purpose", "purpose": "study"}, PURPOSE),
        (NAMES, {}, SHARED),
        (NAMES, {"mode": "one_to_one"}, ALONE),
        ("pseudonymization.random", {}, ALONE),
    ],
)
def test_a_recipient_is_told_with_what_pseudonyms_may_be_joined(technique, chosen, said):
    step = {"technique": technique, "columns": ["病历号"]}
    recipe = {"steps": [step | {"parameters": chosen}]}
    with translation.override("en"):
        (change,) = notice_from({"steps": [step]}, 10, recipe).changes
    assert [words for words in (ALONE, PROJECT, PURPOSE, SHARED) if words in change.effect] == [said]


def test_a_technique_that_a_later_version_dropped_is_still_named():
    (change,) = notice_from({"steps": [{"technique": "gone.by", "columns": ["a"]}]}, 10, {}).changes
    assert (change.name, change.columns) == ("gone.by", ["a"])


@pytest.mark.parametrize(
    ("technique", "chosen", "stand_for", "missing"),
    [
        ("statistical.aggregation", {"result": "table"}, "groups", 100),
        ("statistical.aggregation", {}, "groups", 100),
        ("statistical.aggregation", {"result": "replace"}, "records", 60),
        ("synthesis.sequential", {}, "made_up", 100),
        (HASH, {}, "records", 60),
    ],
)
def test_rows_with_the_figures_of_their_groups_are_records_still(technique, chosen, stand_for, missing):
    step = {"technique": technique, "columns": ["费用"]}
    kept = {"steps": [step], "rows_in": 100, "rows_out": 40}
    found = notice_from(kept, 40, {"steps": [step | {"parameters": chosen}]})
    assert (found.stand_for, found.rows_missing) == (stand_for, missing)
