"""The inventory of personal information: by the verdicts, with what the rules found inside texts, beside the target's own words."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.audit.recording import recording
from projects.datasets.models import Table
from projects.identification import events, selectors
from projects.identification.documents import report_context, report_write
from projects.identification.inventory import inventory_of
from projects.identification.models import ColumnVerdict
from projects.identification.reports import columns_of
from projects.objective.events import PART_SAVED
from projects.objective.models import Objective
from tests.approvals.documents.printed import needs_poppler, text_of
from tests.projects.rows import change

from .conftest import HIDDEN_ROWS, at_verdicts

START = at_verdicts
ENGLISH = {"accept-language": "en"}


@pytest.fixture(autouse=True)
def in_english(judged):
    with translation.override("en"):
        yield


def found_in(project):
    return inventory_of(project, selectors.rounds_now(project))


def says(project, words):
    """The target's words on the personal information concerned."""
    with recording(PART_SAVED, by=None, about=project, part="factors"):
        found, _made = Objective.objects.get_or_create(
            project=project, defaults={"changed_by": project.created_by}
        )
        found.factors = {"personal_information": words}
        found.save()


def test_every_column_that_identifies_or_is_sensitive_is_in_it_once(judged, ready_project):
    given, reports = selectors.verdicts_in(judged), columns_of(judged)
    entries = found_in(ready_project).entries
    held = [(one.column, one.role, one.rows) for entry in entries for one in entry.held if not one.inside]
    expected = [(v.column, v.role, reports[v.column].present) for v in given.values() if v.role != "other"]
    assert sorted(held) == sorted(expected)
    assert expected
    for entry in entries:
        assert {given[one.column].kind for one in entry.held if not one.inside} <= {entry.kind, ""}


def test_what_hides_in_a_text_is_in_it_with_the_rows_in_which_it_was_found(judged, ready_project):
    entry = next(one for one in found_in(ready_project).entries if one.kind == "id_number")
    (inside,) = [one for one in entry.held if one.inside]
    assert (inside.column, inside.rows) == ("备注", len(HIDDEN_ROWS))
    assert "found by the rules inside the values of 3 rows" in inside.said
    assert any(not one.inside and one.column == "身份证号" for one in entry.held)


def test_the_targets_words_are_searched_for_every_name_that_is_known(judged, ready_project):
    says(ready_project, "Citizen identity number; 诊断")
    by_kind = {one.kind: one for one in found_in(ready_project).entries}
    assert by_kind["id_number"].is_named, "its name in the other language"
    named = {held.column for one in by_kind.values() if one.is_named for held in one.held}
    assert "诊断" in named, "the name of its column"
    assert found_in(ready_project).unnamed
    says(ready_project, "Nothing to speak of.")
    assert not [one.name for one in found_in(ready_project).entries if one.is_named]


def test_a_column_without_a_verdict_is_counted_and_not_listed(judged, ready_project):
    assert found_in(ready_project).open == 0
    with recording(events.VERDICT_CHANGED, by=None):
        verdict = ColumnVerdict.objects.get(round=judged, column="身份证号")
        change(verdict, superseded_at=verdict.decided_at)
    found = found_in(ready_project)
    assert found.open == 1
    assert "身份证号" not in [held.column for one in found.entries for held in one.held]


def test_a_table_that_was_not_searched_is_named(judged, ready_project):
    ((table, round_),) = selectors.rounds_now(ready_project)
    found = inventory_of(
        ready_project, [(table, round_), (Table(project=ready_project, name="laboratory"), None)]
    )
    assert found.unscanned == ("laboratory",)
    assert {held.table for one in found.entries for held in one.held} == {str(table)}
    assert found_in(ready_project).unscanned == ()


def test_the_page_the_interface_and_the_document_say_the_same(judged, ready_project, people, client, table):
    says(ready_project, "身份证号、备注")
    client.force_login(people.supervisor)
    page = client.get(reverse("identification:report", args=[ready_project.pk]), headers=ENGLISH)
    text = page.content.decode()
    assert "The target says of the personal information concerned: 身份证号、备注" in text
    answer = client.get(
        reverse("api:identification-inventory", args=[ready_project.pk]), headers=ENGLISH
    ).json()
    found = page.context["inventory"]
    assert [one["name"] for one in answer["entries"]] == [one.name for one in found.entries]
    assert [one["named"] for one in answer["entries"]] == [one.is_named for one in found.entries]
    assert answer["target"] == "身份证号、备注"
    for entry in found.entries:
        assert all(held.said in text for held in entry.held)
    assert found.unnamed_said in text
    assert report_context(ready_project, judged)["inventory"] == found
    assert not [value for value in (*table.secrets, *table.names) if value in text + str(answer)]


@needs_poppler
def test_it_is_printed(judged, ready_project, people, tmp_path):
    printed = text_of(report_write(judged, "en", by=people.executor), tmp_path)
    assert "Inventory of personal information" in printed
    assert "3 rows" in printed
