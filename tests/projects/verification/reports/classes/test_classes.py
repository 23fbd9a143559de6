"""The classes of a measured result: listed as they are in the file, shown to who sees values of it, on the record."""

from __future__ import annotations

import csv
import io
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.models import StoredFile
from projects.datasets.store.holdings import holdings_of
from projects.datasets.tables.selectors import first_table
from projects.processing.runs.selectors import result_open, tables_of_run
from projects.verification import events
from projects.verification.models import Verification
from projects.verification.reports.classes import listing, selectors, services
from projects.verification.reports.classes.enums import WhyUnlisted
from projects.verification.reports.classes.presentation import said_of, sentences
from projects.verification.reports.classes.rules import ClassesReason, are_there
from projects.verification.reports.classes.selectors import ClassesPage
from projects.verification.selectors import measured_with_classes
from projects.verification.services import verification_break_off, verification_start
from projects.workflow import State
from techniques.disclosure_risk.classes import encode
from techniques.disclosure_risk.details import list_classes
from techniques.disclosure_risk.measure import measure
from tests.projects.rows import change

from ... import stories

pytestmark = pytest.mark.django_db
START = stories.measurable
ENGLISH = {"headers": {"accept-language": "en"}}
MOST_STATEMENTS = 21


@pytest.fixture
def measured(story):
    story.measure()
    return measured_with_classes(story.project)


def url(project, **more) -> str:
    return reverse("verification:classes", args=[project.pk], query=more)


def api(project, **more) -> str:
    return reverse("api:verification-classes", args=[project.pk], query=more)


def written(verification) -> Counter[tuple[str, ...]]:
    """The classes of the file, counted by this test itself."""
    (one,) = tables_of_run(verification.run).values()
    with result_open(one) as stream:
        rows = [*csv.DictReader(io.TextIOWrapper(stream, "utf-8-sig", newline=""))]
    return Counter((row["性别"], row["年龄"]) for row in rows)


def looked(verification, by, page: int = 1) -> ClassesPage:
    shown = services.classes_look(verification, first_table(verification.project), page=page, by=by)
    assert isinstance(shown, ClassesPage)
    return shown


def test_the_classes_are_those_of_the_file_the_smallest_first(measured, people):
    counted = written(measured)
    page = looked(measured, people.supervisor)
    assert page.columns == ["性别", "年龄"]
    rows = [(tuple(one.values), one.size) for one in page.rows]
    assert (
        dict(rows) == counted if len(counted) <= selectors.PAGE_CLASSES else set(rows) <= {*counted.items()}
    )
    assert [one.size for one in page.rows] == sorted(counted.values())[: selectors.PAGE_CLASSES]
    assert page.total == page.listed == len(counted)
    report = Verification.objects.get(pk=measured.pk).measurement.report
    assert page.total == report.risk.classes
    assert page.rows[0].size == report.risk.k
    assert [one.rows for one in page.rows] == [one.size for one in page.rows]


def test_classes_below_the_k_of_the_target_are_marked_and_counted(story, people, monkeypatch):
    kept = listing._of_table

    def with_a_larger_k(case, columns, ticking):
        return kept(case, columns, ticking) | {"k": 40}

    monkeypatch.setattr(listing, "_of_table", with_a_larger_k)
    story.measure()
    verification = measured_with_classes(story.project)
    small = sum(size < 40 for size in written(verification).values())
    page = looked(verification, people.supervisor)
    assert page.below == small
    assert [one.is_below for one in page.rows] == [one.size < 40 for one in page.rows]


def test_only_the_smallest_are_kept_and_the_list_says_so(story, people, monkeypatch):
    monkeypatch.setattr(listing, "MOST", 3)
    monkeypatch.setattr(selectors, "PAGE_CLASSES", 2)
    story.measure()
    verification = measured_with_classes(story.project)
    counted = written(verification)
    second = looked(verification, people.supervisor, page=9)
    assert (second.listed, second.total, second.number, second.pages) == (3, len(counted), 2, 2)
    assert (second.first, second.last, second.before, second.after) == (3, 3, 1, 0)
    assert second.rows[0].size == sorted(counted.values())[2]
    with override("en"):
        assert "The 3 smallest are listed" in " ".join(said_of(second))


@pytest.mark.parametrize("role", ["planner", "executor", "management", "assessor"])
def test_others_of_the_team_are_refused_and_nothing_is_recorded(client, measured, people, role):
    client.force_login(getattr(people, role))
    before = AuditEvent.objects.count()
    assert client.get(url(measured.project)).status_code == 403
    assert client.get(api(measured.project)).status_code == 403
    with pytest.raises(Refused):
        looked(measured, getattr(people, role))
    assert AuditEvent.objects.count() == before


@pytest.mark.parametrize("role", ["supervisor", "auditor"])
def test_who_looks_is_on_the_record_without_a_value(client, measured, people, role):
    client.force_login(getattr(people, role))
    answer = client.get(url(measured.project), **ENGLISH)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store, private"
    values, size = written(measured).most_common()[-1]
    for value in values:
        assert f"<td>{escape(value)}</td>" in page
    assert f'<td class="num">{size}</td>' in page
    event = AuditEvent.objects.order_by("-seq").first()
    assert (event.action, event.actor_id) == (events.CLASSES_SHOWN, str(getattr(people, role).pk))
    assert not any(value in str(event.facts) for value in values)


def test_programs_read_sizes_and_no_value_and_nothing_is_recorded(client, measured, people):
    client.force_login(people.supervisor)
    before = AuditEvent.objects.count()
    answer = client.get(api(measured.project, page="1"), **ENGLISH)
    assert client.head(api(measured.project)).status_code == 200
    assert AuditEvent.objects.count() == before
    found, page = answer.json(), looked(measured, people.supervisor)
    with override("en"):
        assert found["said"] == sentences(measured, page)
    shown = ("place", "size", "rows", "is_below")
    assert found["classes"] == [{name: getattr(one, name) for name in shown} for one in page.rows]
    assert page.rows
    assert (found["k"], found["total"], found["pages"]) == (page.k, page.total, page.pages)


def test_a_newer_measurement_without_an_answer_takes_nothing_from_the_list(client, story, measured, people):
    client.force_login(people.supervisor)
    newer, _job = verification_start(story.project, by=people.executor)
    for broken_off in (False, True):
        if broken_off:
            verification_break_off(newer, code="cancelled")
        assert measured_with_classes(story.project) == measured
        page = client.get(url(story.project), **ENGLISH).content.decode()
        assert 'class="watermarked"' in page
        assert "These are the classes of measurement V1; a newer one was requested" in page
        found = client.get(api(story.project), **ENGLISH).json()
        assert found["verification"] == str(measured.pk)
        assert found["classes"]
        assert "a newer one was requested" in found["said"][0]


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        (None, "was added after the measurement"),
        ({"why": WhyUnlisted.WITHOUT_RISK}, "no risk was measured by quasi-identifiers"),
        ({"why": WhyUnlisted.OF_GROUPS}, "its rows are those of groups"),
        ({"why": WhyUnlisted.SUBJECTS_UNKNOWN}, "it is not known whose the rows of the result are"),
        ({"why": WhyUnlisted.UNREAD}, "the files could not be read again"),
        (
            {"columns": ["年龄"], "total": 0, "persons": False, "k": 2, "looser": False, "classes": []},
            "The result has 0 classes by these columns.",
        ),
    ],
)
def test_where_nothing_is_listed_the_page_says_why_and_nothing_was_looked_at(
    client, story, people, monkeypatch, kept, says
):
    def listed(cases, _measured, _tick):
        return {str(of.table_id): kept for _case, of in cases.values() if kept is not None}

    monkeypatch.setattr(listing, "classes_listed", listed)
    story.measure()
    client.force_login(people.supervisor)
    before = AuditEvent.objects.count()
    page = client.get(url(story.project), **ENGLISH).content.decode()
    assert says in page
    assert 'class="watermarked"' not in page
    found = client.get(api(story.project), **ENGLISH).json()
    assert says in found["said"][0]
    assert found["classes"] == []
    assert AuditEvent.objects.count() == before


def test_an_older_verification_says_that_nothing_was_listed(client, measured, people):
    change(measured, classes=None)
    assert are_there(measured_with_classes(measured.project)).reason == ClassesReason.NOT_LISTED
    client.force_login(people.supervisor)
    before = AuditEvent.objects.count()
    page = client.get(url(measured.project), **ENGLISH).content.decode()
    assert "No classes were listed with this verification" in page
    said = client.get(api(measured.project), **ENGLISH).json()
    assert said["classes"] == []
    assert "No classes were listed with this verification" in said["said"][0]
    assert AuditEvent.objects.count() == before


def test_before_there_is_a_measurement_the_page_says_so(client, story, people):
    client.force_login(people.supervisor)
    page = client.get(url(story.project), **ENGLISH).content.decode()
    assert "There is no whole measurement of a result yet." in page
    assert client.get(api(story.project)).json()["verification"] is None


def test_a_newer_measurement_destroys_the_list_of_the_one_before(story, measured):
    first = measured.classes_id
    assert [one.stored.pk for one in holdings_of(story.project) if one.code.endswith(".classes")] == [first]
    story.measure()
    newest = measured_with_classes(story.project)
    assert StoredFile.objects.get(pk=first).destroyed_at is not None
    assert newest.classes.destroyed_at is None
    held = [one.stored.pk for one in holdings_of(story.project) if one.code.endswith(".classes")]
    assert held == [newest.classes_id]


def test_a_list_that_was_destroyed_is_shown_to_nobody(measured, people):
    change(measured.classes, destroyed_at=measured.measured_at)
    with pytest.raises(Refused) as refused:
        looked(measured, people.supervisor)
    assert refused.value.verdict.reason == ClassesReason.DESTROYED


def test_the_pages_of_the_list_are_named_after_classes(client, story, people, monkeypatch):
    monkeypatch.setattr(selectors, "PAGE_CLASSES", 2)
    story.measure()
    client.force_login(people.supervisor)
    page = client.get(url(story.project, page=2), **ENGLISH).content.decode()
    assert "<span>Earlier classes</span>" in page
    assert "<span>Later classes</span>" in page
    assert "Earlier rows" not in page


def test_the_verification_leads_who_may_to_the_list(client, measured, people):
    for role, leads in (("supervisor", True), ("executor", False)):
        client.force_login(getattr(people, role))
        page = client.get(reverse("verification:page", args=[measured.project_id])).content.decode()
        assert (url(measured.project) in page) is leads


def test_the_page_is_a_bounded_number_of_statements(client, measured, people, django_assert_max_num_queries):
    client.force_login(people.supervisor)
    client.get(url(measured.project))
    with django_assert_max_num_queries(MOST_STATEMENTS):
        client.get(url(measured.project))


def test_when_the_project_goes_back_the_list_is_not_shown(measured, people):
    change(measured.project, state=State.PROCESSING)
    with pytest.raises(Refused):
        looked(measured, people.supervisor)


def test_persons_are_counted_where_the_gate_counts_persons():
    table = pa.record_batch({"town": ["a", "a", "a", "b", "b", "c"]})
    whose = np.array([0, 0, 1, 2, 3, 4])
    found = list_classes(encode([table], ["town"]), subjects=whose)
    assert (found.sizes, found.rows) == ([1, 2, 2], [1, 3, 2])
    assert found.values[0].to_pylist() == ["c", "a", "b"]
    assert found.sizes[0] == measure([table], ["town"], subjects=whose).k
    assert list_classes(encode([table], ["town"]), subjects=whose, most=1).total == 3
