"""What is hashed before a gate is opened: the result, and the file of every holder of its shares."""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace

import pytest
from django.utils import timezone

from deid_portal.organisation.services import entry_add
from projects.identification.enums import ColumnRole
from projects.identification.selectors import verdicts_of
from projects.processing.models import Forecast
from projects.processing.runs.selectors import latest_run
from projects.verification.gate.selectors import as_read, cases_of, sha256_of_result
from techniques.core.attributes import AttributeRole
from techniques.identification.metadata.forms import ValueForm
from tests.projects.rows import put, unkept

pytestmark = pytest.mark.django_db


def test_a_share_counts_by_what_was_written_down_and_by_what_is_read(story, monkeypatch):
    """A hash differs whichever of both comes first in the order of letters; the shares of other tables are not of this file."""
    of = latest_run(story.project).tables.get()
    kept, whole = of.result, of.result_sha256

    def found(said, noted, table=of.name):
        """Of a share that holds what the result holds, whose release and whose row say this."""
        stored = copy(kept)
        stored.sha256 = noted
        share = SimpleNamespace(table=table, stored=stored, sha256=said)
        monkeypatch.setattr("projects.verification.gate.selectors.share_files_of", lambda run_id: [share])
        return sha256_of_result(of, lambda share: None)

    assert found(whole, whole) == whole
    for other in ("0" * 64, "f" * 64):
        assert found(other, whole) == found(whole, other) == found(other, other) == ""
        assert found(other, other, "another") == whole


def test_a_case_is_what_verdicts_run_and_targets_say(story):
    project = story.fresh()
    run = latest_run(project)
    of = run.tables.get()
    ((case, table),) = cases_of(run, project).values()
    verdicts = verdicts_of(of.table)
    assert table == of
    assert {*case.roles} == {*verdicts}
    assert (case.unjudged, case.exempted, case.severities) == (frozenset(), {}, {})
    quasi = [column for column, verdict in verdicts.items() if verdict.role == ColumnRole.QUASI]
    assert quasi
    assert {*case.hierarchies} == {*quasi}
    assert {column for column, role in case.roles.items() if role == AttributeRole.QUASI_IDENTIFIER} == {
        *quasi
    }
    assert (case.rows_in, case.source.rows, case.result.rows) == (
        of.dataset.rows, of.dataset.rows, of.result_rows,
    )  # fmt: skip
    assert (case.sampling_fraction, case.rows_not_drawn, case.persons_not_drawn) == (None, 0, 0)
    assert (case.population, case.population_sha256, case.result_sha256) == (None, "", of.result_sha256)
    read = as_read({"": (case, of)}, lambda share: None)[""]
    assert read.read_sha256 == of.result_sha256


def test_the_attacker_is_the_one_of_the_forecast_of_the_same_recipe(story, people):
    """Plan and result are to be compared, so both assume the same; a forecast that did not end says nothing."""
    project = story.fresh()
    run = latest_run(project)
    of = run.tables.get()

    def forecast(number, known, measured_at):
        put(
            Forecast,
            project=project,
            recipe_version=run.recipe_version,
            dataset=of.dataset,
            number=number,
            question={"quasi": [], "sensitive": [], "attack": {"known": known, "most_known": 3}},
            requested_by=people.executor,
            measured_at=measured_at,
            content_hash="0" * 64 if measured_at else "",
        )

    ((before, _table),) = cases_of(run, project).values()
    assert before.attack is None
    with unkept():
        forecast(1, 0.7, timezone.now())
        forecast(2, 0.9, None)
        ((case, _table),) = cases_of(run, project).values()
    assert (case.attack.known, case.attack.most_known) == (0.7, 3)


def test_rules_on_values_that_hold_now_are_those_of_a_case(story, people):
    """With the version of the table in which they stand; none where the table has none."""
    project = story.fresh()
    ((case, _table),) = cases_of(latest_run(project), project).values()
    assert (case.forms, case.forms_version) == ((), "shipped")
    with unkept():
        entry = entry_add(
            name="工牌", meaning="m", format="f", data_types=[], field_names=["badge"], role=ColumnRole.DIRECT,
            value_form="EMP-[0-9]{6}", reason="x", by=people.planner,
        )  # fmt: skip
        ((case, _table),) = cases_of(latest_run(project), project).values()
        form = ValueForm(entry.kind, AttributeRole.DIRECT_IDENTIFIER, "EMP-[0-9]{6}")
        assert (case.forms, case.forms_version) == ((form,), "2")
