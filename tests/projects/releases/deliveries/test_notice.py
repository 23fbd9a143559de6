"""What whoever receives is told of a file hangs on how it was made, and on nothing else."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import translation

from projects.releases.deliveries import notice
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
        ("statistical.row_per_person", {"collected": {"费用": "sum"}}, "persons", 100),
        ("statistical.row_per_person", {"collected": {}}, "records", 60),
        ("synthesis.sequential", {}, "made_up", 100),
        (HASH, {}, "records", 60),
    ],
)
def test_rows_with_the_figures_of_their_groups_are_records_still(technique, chosen, stand_for, missing):
    step = {"technique": technique, "columns": ["费用"]}
    kept = {"steps": [step], "rows_in": 100, "rows_out": 40}
    found = notice_from(kept, 40, {"steps": [step | {"parameters": chosen}]})
    assert (found.stand_for, found.rows_missing) == (stand_for, missing)


@pytest.mark.parametrize(
    ("technique", "chosen", "stand_for"),
    [
        ("statistical.aggregation", {"result": "replace", "statistics": {"费用": "mean"}}, "records"),
        ("statistical.aggregation", {"result": "table", "statistics": {"费用": "mean"}}, "groups"),
        ("statistical.row_per_person", {"collected": {"费用": "sum"}}, "persons"),
        ("statistical.row_per_person", {"collected": {}}, "records"),
    ],
)
def test_a_recipient_is_told_what_the_rows_are_by_the_settings_of_the_run(
    monkeypatch, technique, chosen, stand_for
):
    # What is kept for the recipient at the run has no settings; those of the recipe decide.
    step = {"technique": technique, "columns": ["费用"]}
    version = SimpleNamespace(tables={"": {"steps": [step | {"parameters": chosen}]}})
    measured = SimpleNamespace(run=SimpleNamespace(recipe_version=version))
    monkeypatch.setattr(notice, "verification_of", lambda release: measured)
    kept = {"table": "", "notice": {"steps": [step], "rows_in": 100, "rows_out": 40}, "rows": 40}
    ((_name, found),) = notice.notices_of(SimpleNamespace(files=[kept]))
    assert found.stand_for == stand_for
