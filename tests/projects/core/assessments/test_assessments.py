"""Outside assessments: an assessor sees a project by an order, reports once, and sees it no more when the order is over."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import DatabaseError, models, transaction
from django.urls import reverse
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.proof import state_faults
from approvals.governance.verdict import Refused
from deid_portal.accounts.services import user_create
from projects.core.assessments.enums import Conclusion
from projects.core.assessments.models import AssessmentOrder
from projects.core.assessments.rules import may_be_ordered, may_order, may_report
from projects.core.assessments.selectors import due_again, is_ordered, orders_of
from projects.core.assessments.services import assessment_end, assessment_order, assessment_report
from projects.core.deadlines import months_later
from projects.core.models import Membership, Notification
from projects.core.rules import may_join, may_see_inside
from projects.core.selectors import project_get, visible_projects
from projects.core.services import project_create
from projects.core.tasks_registry import tasks_of
from projects.workflow import Role
from projects.workflow.posts import Post
from tests.approvals.governance.test_governance import raw_sql
from tests.projects.rows import put

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


@pytest.fixture
def order(project):
    """The one that every project of these tests begins with."""
    return orders_of(project).get()


@pytest.fixture
def second(people):
    """Another assessor, who has no order."""
    until = timezone.localdate() + timedelta(days=20)
    return user_create(
        username="second",
        password=None,
        full_name="Second Assessor",
        post=Post.ASSESSOR,
        access_until=until,
        by=None,
    )


def in_days(days):
    return timezone.localdate() + timedelta(days=days)


def ordered(project, assessor, by, until=None):
    return assessment_order(
        project, assessor=assessor, covers=" the gate ", until=until or in_days(10), by=by
    )


def sees(user, project):
    found = project in visible_projects(user)
    assert found is bool(may_see_inside(user, project)) is is_ordered(user, project)
    if not found:
        with pytest.raises(type(project).DoesNotExist):
            project_get(user, project.pk)
    return found


def test_an_assessor_sees_what_they_have_an_order_for_and_nothing_else(project, people, second):
    other = project_create(title="Another", by=people.outsider)
    assert sees(people.assessor, project)
    assert not sees(people.assessor, other)
    assert not sees(second, project)
    ordered(project, second, people.management)
    assert sees(second, project)


def test_who_works_on_what_is_assessed_orders_nothing(project, people, second):
    for who in ("planner", "executor", "outsider", "auditor", "assessor", "administrator", "superuser"):
        assert not may_order(getattr(people, who), project), who
        with pytest.raises(Refused):
            ordered(project, second, getattr(people, who))
    assert not sees(second, project)


@pytest.mark.parametrize("days", [-1, 21])
def test_an_order_ends_neither_before_today_nor_after_the_assessors_time(project, people, second, days):
    with pytest.raises(Refused) as refused:
        ordered(project, second, people.supervisor, in_days(days))
    assert refused.value.verdict.code == "assessment_day"
    assert ordered(project, second, people.supervisor, in_days(20)).is_in_force


def test_who_is_no_assessor_or_works_here_gets_no_order(project, people, second, order):
    assert may_be_ordered(people.auditor, project, in_days(1)).code == "not_an_assessor"
    assert may_be_ordered(people.assessor, project, in_days(1)).code == "assessment_ordered"
    models.Model.save(second)
    people.executor.person_id = second.person_id = second.pk
    for one in (people.executor, second):
        models.Model.save(one)
    assert may_be_ordered(second, project, in_days(1)).code == "assessor_works_here"


def test_who_has_assessed_a_project_gets_no_role_in_it(project, people, second, order):
    ordered(project, second, people.supervisor)
    people.outsider.person_id = second.person_id = second.pk
    for one in (people.outsider, second):
        models.Model.save(one)
    assert may_join(people.outsider, project, Role.EXECUTOR).code == "assesses_the_project"
    with pytest.raises(DatabaseError, match="gets no role in it"), transaction.atomic():
        put(Membership, project=project, user=people.outsider, role="executor")
    other = project_create(title="Another", by=people.planner)
    assert may_join(people.outsider, other, Role.EXECUTOR)


def test_it_is_over_after_its_last_day(project, people, second):
    order = ordered(project, second, people.supervisor, in_days(0))
    assert sees(second, project)
    raw_sql("DROP TRIGGER assessment_stays_as_ordered_update")
    raw_sql("UPDATE core_assessmentorder SET until = %s WHERE id = %s", in_days(-1).isoformat(), order.pk.hex)
    assert not sees(second, project)
    assert may_report(second, orders_of(project).get(pk=order.pk)).code == "assessment_over"


def test_it_is_ended_with_a_reason_and_an_event(project, people, order):
    with pytest.raises(Refused):
        assessment_end(order, reason="enough", by=people.planner)
    with pytest.raises(Refused):
        assessment_end(order, reason=" ", by=people.supervisor)
    assessment_end(order, reason="enough", by=people.management)
    assert not sees(people.assessor, project)
    with pytest.raises(Refused) as refused:
        assessment_end(order, reason="again", by=people.management)
    assert refused.value.verdict.code == "assessment_over"
    event = AuditEvent.objects.get(action="assessment.ended")
    assert (event.project_id, event.reason, event.subject) == (project.pk, "enough", str(order))


def test_the_report_is_written_once_by_who_has_the_order(
    project, people, second, order, django_capture_on_commit_callbacks
):
    for who in (people.supervisor, people.auditor, second):
        assert may_report(who, order).code == "assessment_not_yours"
    with pytest.raises(Refused):
        assessment_report(order, conclusion=Conclusion.CONFORMS, report="  ", by=people.assessor)
    with django_capture_on_commit_callbacks(execute=True):
        assessment_report(order, conclusion=Conclusion.DEVIATES, report="No test of k.", by=people.assessor)
    with pytest.raises(Refused) as refused:
        assessment_report(order, conclusion=Conclusion.CONFORMS, report="All well.", by=people.assessor)
    assert refused.value.verdict.code == "assessment_reported"
    order.refresh_from_db()
    assert (order.conclusion, order.report) == ("deviates", "No test of k.")
    assert sees(people.assessor, project), "until the last day: what was found is followed up"
    news = Notification.objects.get(user=people.supervisor, action="assessment.reported")
    assert (news.project, news.facts["conclusion"]) == (project, "deviates")


def test_an_assessor_has_the_task_until_the_report_is_there(project, people, order):
    def tasks():
        return [one.url for one in tasks_of(people.assessor)]

    url = reverse("core:assessments", args=[project.pk])
    assert url in tasks()
    assessment_report(order, conclusion=Conclusion.UNCLEAR, report="Not enough to see.", by=people.assessor)
    assert url not in tasks()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE core_assessmentorder SET covers = 'less'",
        "UPDATE core_assessmentorder SET until = '2099-01-01'",
        "UPDATE core_assessmentorder SET again_months = 3",
        "UPDATE core_assessmentorder SET assessor_id = (SELECT id FROM accounts_user WHERE username = 'auditor')",
        "UPDATE core_assessmentorder SET ordered_by_id = (SELECT id FROM accounts_user WHERE username = 'planner')",
        "UPDATE core_assessmentorder SET conclusion = 'conforms'",
        "UPDATE core_assessmentorder SET report = 'other'",
        "UPDATE core_assessmentorder SET reported_at = '2020-01-01 00:00:00'",
        "UPDATE core_assessmentorder SET ended_at = NULL, ended_by_id = NULL, end_reason = ''",
        "UPDATE core_assessmentorder SET end_reason = 'other'",
        "DELETE FROM core_assessmentorder",
    ],
)
def test_the_database_keeps_it_as_it_was_given(project, people, order, statement):
    assessment_report(order, conclusion=Conclusion.DEVIATES, report="No test of k.", by=people.assessor)
    assessment_end(order, reason="enough", by=people.supervisor)
    with pytest.raises(DatabaseError), transaction.atomic():
        raw_sql(statement)


@pytest.mark.parametrize(
    ("assessor", "by"), [("auditor", "supervisor"), ("assessor", "planner"), ("assessor", "executor")]
)
def test_the_database_takes_no_order_that_the_rules_refuse(project, people, order, assessor, by):
    assessment_end(order, reason="enough", by=people.supervisor)
    columns = "id, project_id, number, assessor_id, covers, until, ordered_by_id, ordered_at, conclusion, report, end_reason"
    chosen = (
        "'00000000000000000000000000000001', project_id, 2, (SELECT id FROM accounts_user WHERE username = %s), covers, until, "
        "(SELECT id FROM accounts_user WHERE username = %s), ordered_at, '', '', ''"
    )
    insert = f"INSERT INTO core_assessmentorder ({columns}) SELECT {chosen} FROM core_assessmentorder"
    with pytest.raises(DatabaseError), transaction.atomic():
        raw_sql(insert, assessor, by)
    raw_sql(insert, "assessor", "management")


def test_the_log_explains_every_order(project, people, order):
    assert not state_faults()
    raw_sql("DROP TRIGGER assessment_stays_as_ordered_update")
    raw_sql("UPDATE core_assessmentorder SET until = '2099-01-01'")
    (fault,) = state_faults()
    assert str(order.pk) in str(fault)


@pytest.mark.parametrize("who", ["auditor", "assessor"])
def test_the_home_page_leads_only_auditors_to_the_log(project, people, client, who):
    client.force_login(getattr(people, who), backend=BACKEND)
    page = client.get(reverse("core:home")).content.decode()
    assert project.number in page
    assert (reverse("audit:log") in page) is (who == "auditor")


@pytest.fixture
def browse(client):
    def go(user):
        client.force_login(user, backend=BACKEND)
        return client

    return go


def test_the_page_orders_reports_and_ends(project, people, second, browse):
    url = reverse("core:assessments", args=[project.pk])
    said = {"assessor": second.pk, "covers": "steps 2 and 3", "until": in_days(20).isoformat()}
    page = browse(people.supervisor)
    assert page.post(url, said | {"until": in_days(21).isoformat()}).status_code == 422
    assert page.post(url, said | {"covers": ""}).status_code == 422
    assert page.post(url, said).status_code == 302
    order = AssessmentOrder.objects.get(assessor=second)
    report = reverse("core:assessment_report", args=[project.pk, order.pk])
    end = reverse("core:assessment_end", args=[project.pk, order.pk])
    shown = browse(people.planner).get(url).content.decode()
    assert "steps 2 and 3" in shown
    assert report not in shown
    assert end not in shown
    shown = browse(second).get(url).content.decode()
    assert report in shown
    assert end not in shown
    assert browse(second).post(report, {"conclusion": "conforms"}).status_code == 422
    assert (
        browse(second).post(report, {"conclusion": "conforms", "report": "As it should be."}).status_code
        == 302
    )
    shown = browse(people.management).get(url).content.decode()
    assert "As it should be." in shown
    assert end in shown
    assert browse(people.management).post(end, {"reason": "read"}).status_code == 302
    assert browse(second).get(url).status_code == 404


def test_programs_order_report_and_end(project, people, second, browse):
    url = f"/api/projects/{project.pk}/assessments/"
    said = {"assessor": "second", "covers": "steps 2 and 3", "until": in_days(20).isoformat()}
    assert browse(people.supervisor).post(url, said | {"assessor": "auditor"}).status_code == 400
    made = browse(people.supervisor).post(url, said)
    assert made.status_code == 201
    assert (made.json()["assessor"], made.json()["conclusion"]) == ("Second Assessor", "")
    one = f"{url}{made.json()['id']}/"
    assert (
        browse(people.supervisor).post(f"{one}report/", {"conclusion": "conforms", "report": "x"}).status_code
        == 403
    )
    done = browse(second).post(f"{one}report/", {"conclusion": "conforms", "report": "x"})
    assert (done.status_code, done.json()["conclusion"]) == (200, "conforms")
    assert browse(people.planner).post(f"{one}end/", {"reason": "x"}).status_code == 403
    assert browse(people.management).post(f"{one}end/", {"reason": "x"}).json()["end_reason"] == "x"
    assert [row["number"] for row in browse(people.auditor).get(url).json()] == [2, 1]
    assert browse(second).get(url).status_code == 404


def test_a_project_that_is_assessed_again_is_a_task_of_the_supervisor_in_time(project, people, second, order):
    assessment_end(order, reason="enough", by=people.supervisor)
    again = assessment_order(
        project, assessor=second, covers="the gate", until=in_days(10), again_months=12, by=people.supervisor
    )
    assert due_again(again) is None
    assessment_report(again, conclusion=Conclusion.CONFORMS, report="All well.", by=second)
    again.refresh_from_db()
    reported = timezone.localdate(again.reported_at)
    day = due_again(again)
    assert day == months_later(reported, 12)

    def waits(user):
        return [one for one in tasks_of(user) if str(one.title) == "委托下一次外部评估"]

    with time_machine.travel(day - timedelta(days=31)):
        assert not waits(people.supervisor)
    with time_machine.travel(day - timedelta(days=29)):
        (task,) = waits(people.supervisor)
        assert task.due == day
        assert not waits(people.planner)
        assert not waits(people.management)
        third = user_create(
            username="third",
            password=None,
            full_name="Third Assessor",
            post=Post.ASSESSOR,
            access_until=in_days(20),
            by=None,
        )
        wrong = ordered(project, third, people.management, in_days(20))
        assert not waits(people.supervisor)
        assessment_end(wrong, reason="mistaken", by=people.management)
        assert waits(people.supervisor), "what came of nothing ends no series"
    with time_machine.travel(day + timedelta(days=1)):
        (late,) = waits(people.supervisor)
        assert late.deadline.is_overdue


def test_an_order_without_a_report_is_due_again_from_its_end(project, people, second):
    made = assessment_order(
        project, assessor=second, covers="the gate", until=in_days(10), again_months=1, by=people.supervisor
    )
    with time_machine.travel(in_days(11)):
        assert due_again(made) == months_later(made.until, 1)
    assessment_end(made, reason="ill", by=people.supervisor)
    made.refresh_from_db()
    assert due_again(made) == months_later(timezone.localdate(), 1)


def test_months_are_counted_from_one_on(project, people, second, browse):
    client = browse(people.supervisor)
    sent = {"assessor": str(second.pk), "covers": "the gate", "until": in_days(5), "again_months": "0"}
    answer = client.post(reverse("core:assessments", args=[project.pk]), sent)
    assert answer.status_code == 422
    assert "again_months" in answer.context["form"].errors
    client.post(reverse("core:assessments", args=[project.pk]), sent | {"again_months": "6"})
    assert AssessmentOrder.objects.get(assessor=second).again_months == 6
    page = client.get(reverse("core:assessments", args=[project.pk])).content.decode()
    assert "6个月后" in page
