"""The grade of a column: part of its verdict where somebody gives one, and nothing where nobody does."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.tables.selectors import first_table
from projects.identification import selectors
from projects.identification.documents import report_context, report_write
from projects.identification.models import ColumnVerdict
from projects.identification.services import Given, confirmed, verdict_give, verdicts_give
from tests.projects.rows import change, refused

from .conftest import at_verdicts

START = at_verdicts
REASON = "as agreed with the clinic"
ENGLISH = {"accept-language": "en"}


def test_a_grade_is_part_of_the_verdict_and_one_more_makes_another(client, judged, ready_project, people):
    table = first_table(ready_project)
    before = selectors.verdicts_hash(ready_project)
    unchanged = selectors.verdicts_of(table)["诊断"]
    client.force_login(people.executor)
    address = reverse("api:identification-verdicts", args=[ready_project.pk])
    assert all("grade" not in row for row in client.get(address).json())
    given = {"column": "诊断", "role": "sensitive", "reason": unchanged.reason, "kind": unchanged.kind}
    hashes = [before]
    for grade in ("important", "sensitive", ""):
        body = {"round": str(judged.pk), "verdicts": [given | {"grade": grade}]}
        (row,) = client.put(address, body, content_type="application/json").json()
        assert row.get("grade", "") == grade
        hashes.append(selectors.verdicts_hash(ready_project))
    assert hashes[0] == hashes[3], "what nobody grades says what it said before"
    assert len(set(hashes)) == 3
    assert ColumnVerdict.objects.filter(column="诊断").count() == 4
    events = AuditEvent.objects.filter(action="identification.verdict_changed").order_by("seq")
    assert [one.facts["column_grade"] for one in events] == ["important", "sensitive", ""]
    assert not AuditEvent.objects.filter(
        action="identification.verdict_given", facts__has_key="column_grade"
    ).exists()


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Given("性别", "quasi", reason=REASON, grade="secret"), "unknown_grade"),
        (Given("诊断", "sensitive", reason=REASON, grade="general"), "grade_too_low"),
    ],
)
def test_what_is_no_grade(scanned, people, given, code):
    with pytest.raises(Refused, match=f"^{code}$"):
        verdicts_give(scanned, [Given("科室", "quasi", reason=REASON), given], by=people.executor)
    assert not ColumnVerdict.objects.exists()


def test_the_database_takes_no_such_grade(judged):
    verdict = selectors.verdicts_in(judged)["诊断"]
    for grade in ("general", "secret"):
        with refused("verdict_grade_known"):
            change(verdict, grade=grade)


def test_the_grade_of_other_roles_may_be_general(scanned, people):
    assert verdict_give(scanned, Given("科室", "quasi", reason=REASON, grade="general"), by=people.executor)


def test_a_verdict_from_before_is_confirmed_with_its_grade(scanned, people):
    row = verdict_give(scanned, Given("科室", "quasi", reason=REASON, grade="core"), by=people.executor)
    assert confirmed(row).grade == "core"


def test_the_drawer_and_several_at_once(scanned, ready_project, people, client):
    client.force_login(people.executor)
    page = reverse("identification:page", args=[ready_project.pk])
    sent = {"round": str(scanned.pk), "all-reason": REASON}
    line = sent | {"c3-role": "sensitive", "c3-reason": REASON, "c3-grade": "general"}
    answer = client.post(page, line, headers=ENGLISH)
    assert answer.status_code == 422
    form = next(row.form for row in answer.context["listing"].rows if row.report.position == 3)
    assert list(form.errors) == ["grade"]
    assert "a sensitive attribute cannot be graded as general data" in answer.content.decode()
    assert client.post(page, line | {"c3-grade": "important"}).status_code == 302
    several = sent | {"what": "picked", "pick": ["3", "4"], "c4-role": "quasi", "all-grade": "core"}
    assert client.post(page, several | {"c3-role": "sensitive"}).status_code == 302
    given = selectors.verdicts_in(scanned)
    assert {one.position: one.grade for one in given.values()} == {3: "core", 4: "core"}


def test_a_suggestion_is_accepted_with_the_grade_of_its_line(scanned, ready_project, people, client):
    client.force_login(people.executor)
    page = reverse("identification:page", args=[ready_project.pk])
    client.post(page, {"round": str(scanned.pk), "accept": "2", "c2-grade": "important"})
    (given,) = selectors.verdicts_in(scanned).values()
    assert (given.position, given.accepted, given.grade) == (2, True, "important")


def test_pages_and_papers_show_it_when_any_is_set(judged, ready_project, people, client):
    client.force_login(people.executor)
    pages = [reverse(f"identification:{name}", args=[ready_project.pk]) for name in ("page", "report")]
    said = "Core data never leave: 诊断. Let the recipe remove the columns."
    for page in pages:
        assert said not in client.get(page, headers=ENGLISH).content.decode()
    former = selectors.verdicts_in(judged)["诊断"]
    again = Given("诊断", "sensitive", former.kind, former.reason, grade="core")
    verdict_give(judged, again, by=people.executor)
    pages.append(reverse("identification:column", args=[ready_project.pk, former.position]))
    for page in pages:
        shown = client.get(page, headers=ENGLISH).content.decode()
        assert "Sensitive attribute · Core data" in shown, page
        assert (said in shown) == ("column" not in page), page
    with translation.override("en"):
        (table,) = report_context(ready_project, judged)["tables"]
        assert table["above"] == [said]
    assert report_write(judged, "en", by=people.executor).pk
