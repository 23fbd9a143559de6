"""A need is raised by the executor and answered by the planning manager; what was accepted is part of the plan."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone, translation

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.core.models import Notification
from projects.core.services import project_move
from projects.core.tasks_registry import tasks_of
from projects.objective import events
from projects.objective.completeness import missing_items
from projects.objective.enums import Part
from projects.objective.models import PlanVersion, ProjectNeed
from projects.objective.pages import steps
from projects.objective.plan.documents import plan_document_context
from projects.objective.plan.need.content import is_relative, need_read
from projects.objective.plan.need.services import need_answer, need_raise
from projects.objective.selectors import plan_content, plan_hash
from projects.workflow import Move
from tests.pages import sent_nowhere
from tests.projects.objective.steps import fill, fresh, submit
from tests.projects.rows import account, allowed, change, put, refused
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db

SAID = {
    "trigger": "use",
    "who": "An institute of epidemiology.",
    "act": "Rates by month and district.",
    "what": "Visits with month, district and diagnosis.",
    "ground": "Consent to research.",
    "scene": "Two researchers on one machine of the institute.",
    "benefit": "Waves of influenza are seen earlier.",
    "instead": ["aggregates"],
    "instead_why": "Tables of months are too coarse for a model of waves.",
    "structured": "yes",
    "bearable": "yes",
    "unrecoverable": "yes",
    "usable": "yes",
    "points_why": "A run on a sample.",
    "resources": "One person, one machine.",
    "skill": "Has done two such projects.",
    "time": "Two weeks.",
}


def said(**more):
    return need_read(SAID | more)


def raised(project, people, **more):
    return need_raise(fresh(project), need=said(**more), by=people.executor)


def answered(project, people, *, accept=True, number=1):
    return need_answer(
        fresh(project), number=number, accept=accept, reason="It fits our duties.", by=people.planner
    )


def page(project, name="need"):
    return reverse(f"objective:{name}", kwargs={"project_id": project.pk})


def missing(project):
    with translation.override("en"):
        return [str(item.text) for item in missing_items(fresh(project))]


def to_do(project):
    """Steps that have something left to do."""
    return [one.part for one in steps(fresh(project), missing_items(fresh(project))) if one.state == "todo"]


def test_a_project_without_a_need_says_nothing_of_one(project, people):
    project = fill(project, people)
    assert "need" not in plan_content(project)
    assert missing(project) == []


def test_the_target_waits_for_the_answer_and_then_says_what_was_accepted(project, people):
    project = fill(project, people)
    before = plan_hash(project)
    raised(project, people)
    assert missing(project) == ["The need that the executor raised has not been answered."]
    assert to_do(project) == [], "it is answered on a page of its own"
    assert plan_hash(fresh(project)) == before
    with pytest.raises(Refused):
        submit(project, people)
    answered(project, people)
    assert missing(project) == []
    assert plan_content(fresh(project))["need"]["who"] == SAID["who"]
    submit(project, people)
    version = PlanVersion.objects.get(project=project)
    shown = plan_document_context(version, language="en")["need"]
    assert {"key": "Who needs the data", "value": SAID["who"], "hint": "T/ISC 0078 5.1 a 2"} in shown


def test_what_was_sent_back_is_raised_anew(project, people):
    project = fill(project, people)
    raised(project, people)
    answered(project, people, accept=False)
    assert missing(project) == ["The need was sent back and has not been raised anew."]
    assert to_do(project) == []
    assert raised(project, people, benefit="Much earlier.").number == 2
    with pytest.raises(Refused):
        answered(project, people, number=1)
    answered(project, people, number=2)
    assert plan_content(fresh(project))["need"]["benefit"] == "Much earlier."


def test_what_is_not_beyond_recovery_is_not_for_everybody(project, people):
    project = fill(project, people, "public")
    raised(project, people, unrecoverable="unknown")
    answered(project, people)
    (text,) = missing(project)
    assert "under control only" in text
    assert to_do(project) == [Part.SHARING]
    assert is_relative(SAID | {"usable": "no"})
    assert not is_relative(SAID)


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor", "outsider"])
def test_only_the_executor_raises(project, people, who):
    with pytest.raises(Refused):
        need_raise(project, need=said(), by=getattr(people, who))


@pytest.mark.parametrize("who", ["executor", "supervisor", "management", "auditor", "outsider"])
def test_only_the_planning_manager_answers(project, people, who):
    raised(project, people)
    with pytest.raises(Refused):
        need_answer(fresh(project), number=1, accept=True, reason="So", by=getattr(people, who))


def test_it_is_answered_once_and_with_a_reason(project, people):
    raised(project, people)
    with pytest.raises(Refused):
        need_answer(fresh(project), number=1, accept=True, reason=" ", by=people.planner)
    answered(project, people)
    with pytest.raises(Refused):
        answered(project, people)


def test_nothing_is_raised_once_the_target_is_submitted(project, people):
    project = fill(project, people)
    submit(project, people)
    with pytest.raises(Refused):
        raised(project, people)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"trigger": "withdrawn"}, "due_on"),
        ({"instead": ["none", "queries"]}, "instead"),
        ({"instead": []}, "instead"),
        ({"who": " "}, "who"),
        ({"usable": "perhaps"}, "usable"),
        ({"more": "x"}, "more"),
    ],
)
def test_what_is_incomplete_is_named_by_its_field(more, field):
    with pytest.raises(ValidationError) as refused:
        said(**more)
    assert set(refused.value.message_dict) == {field}
    assert said(trigger="withdrawn", due_on="2027-01-31").due_on.isoformat() == "2027-01-31"


def test_both_are_told_and_the_log_says_so(project, people, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        raised(project, people)
        answered(project, people)
    messages = set(Notification.objects.filter(project=project).values_list("user__username", "action"))
    assert messages >= {("planner", events.NEED_RAISED), ("executor", events.NEED_ACCEPTED)}
    event = AuditEvent.objects.get(action=events.NEED_RAISED)
    assert event.facts == {"trigger": "use"}


def test_the_database_keeps_what_was_said_and_the_two_persons_apart(project, people):
    need = raised(project, people)

    def written(**values):
        with pytest.raises(DatabaseError), transaction.atomic(), recording(events.NEED_RAISED, by=None):
            ProjectNeed.objects.filter(pk=need.pk).update(**values)

    whole = {"is_accepted": True, "answer": "So", "answered_at": need.raised_at}
    written(answered_by=people.executor, **whole)
    written(answered_by=people.management, **whole)
    written(answered_by=people.planner, is_accepted=True)
    written(content={})
    answered(project, people)
    written(answer="Otherwise")
    written(is_accepted=False)
    with pytest.raises(DatabaseError), transaction.atomic(), recording(events.NEED_RAISED, by=None):
        ProjectNeed.objects.filter(pk=need.pk).delete()


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("at_once", [False, True])
def test_nobody_answers_what_they_raised_under_another_account(project, people, linked, at_once):
    """Written past the services, in one go or afterwards; that somebody else has two accounts is no reason."""
    raised_by = account(people.planner) if linked else people.executor
    row = {"project": project, "raised_by": raised_by, "content": SAID, "content_hash": "a" * 64, "number": 1}
    written = {
        "answered_by": people.planner,
        "answered_at": timezone.now(),
        "is_accepted": True,
        "answer": "So",
    }
    if not linked:
        for person in (people.planner, people.executor):
            account(person)
    need = None if at_once else put(ProjectNeed, **row)
    with refused("raised under another account") if linked else allowed():
        change(need, **written) if need else put(ProjectNeed, **row, **written)


def test_who_is_found_to_be_one_person_later_leaves_an_answered_need_as_it_is(project, people):
    need = raised(project, people)
    answered(project, people)
    account(people.planner)
    change(people.executor, person_id=people.planner.person_id)
    change(need, answer="It fits our duties.")


def test_on_the_pages(project, people, client):
    client.force_login(people.executor)
    refused = client.post(page(project), SAID | {"trigger": "expired"})
    assert refused.status_code == 422
    assert client.post(page(project), SAID).status_code == 302
    assert SAID["benefit"] in client.get(page(project)).content.decode()
    client.force_login(people.planner)
    refused = client.post(page(project, "need_answer"), {"answer": "accept", "number": 1})
    assert refused.status_code == 422
    assert sent_nowhere(refused.content.decode()) == []
    sent = {"answer": "accept", "number": 1, "reason": "It fits."}
    assert client.post(page(project, "need_answer"), sent).status_code == 302
    overview = client.get(page(project, "page"), headers={"accept-language": "en"}).content.decode()
    assert SAID["benefit"] in overview
    assert "It fits." in overview
    assert client.post(page(project, "need_answer"), sent).status_code == 403


def test_the_overview_of_a_need_asks_no_more(project, people, client, django_assert_max_num_queries):
    project = fill(project, people)
    raised(project, people)
    answered(project, people)
    client.force_login(people.planner)
    client.get(page(project, "page"))
    with django_assert_max_num_queries(10):
        client.get(page(project, "page"))


def test_the_same_through_the_api(project, people, client):
    address = reverse("api:objective-need", kwargs={"project_id": project.pk})
    answers = reverse("api:objective-need-answer", kwargs={"project_id": project.pk})
    client.force_login(people.executor)
    assert client.post(address, SAID, content_type="application/json").status_code == 201
    assert client.post(address, SAID | {"who": ""}, content_type="application/json").status_code == 400
    client.force_login(people.planner)
    sent = {"number": 1, "accept": False, "reason": "Tables would do."}
    answer = client.post(answers, sent, content_type="application/json")
    assert answer.json()["is_accepted"] is False
    (kept,) = client.get(address).json()
    assert (kept["answer"], kept["content"]["who"]) == ("Tables would do.", SAID["who"])


def tasks(person):
    """What a person has to do about needs."""
    with translation.override("en"):
        return [task for task in tasks_of(person) if " need" in str(task.title)]


def day(days):
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def test_the_planning_manager_is_reminded_of_a_need_without_an_answer(project, people):
    raised(project, people)
    (task,) = tasks(people.planner)
    assert (str(task.title), task.deadline) == ("Answer the need that the executor raised", None)
    assert [tasks(one) for one in (people.executor, people.supervisor, people.auditor)] == [[], [], []]
    raised(project, people, due_on=day(5))
    (task,) = tasks(people.planner)
    assert task.deadline.due.isoformat() == day(5)
    answered(project, people, accept=False, number=2)
    assert tasks(people.planner) == []


@pytest.mark.parametrize(("days", "shown"), [(31, []), (30, ["warn"]), (0, ["warn"]), (-1, ["fail"])])
def test_a_need_whose_day_is_near_or_over_without_a_release_reminds(project, people, days, shown):
    raised(project, people, due_on=day(days))
    answered(project, people)
    assert [task.tone for task in tasks(people.planner)] == shown


def test_an_accepted_need_without_a_day_reminds_of_nothing(project, people):
    raised(project, people)
    answered(project, people)
    assert tasks(people.planner) == []


def test_what_is_over_is_not_reminded_of(project, people):
    raised(project, people, due_on=day(-1))
    answered(project, people)
    project_move(fresh(project), move=Move.WITHDRAW, by=people.planner, reason="no use any more")
    assert tasks(people.planner) == []


def test_the_day_of_a_need_is_over_with_its_release(people):
    story = SmallStory(people)
    story.open()
    need_raise(story.project, need=said(due_on=day(-1)), by=people.executor)
    answered(story.project, people)
    for step in (
        *(story.determine_target, story.review, story.approve_plan, story.identify, story.review),
        *(story.process, story.review, story.verify, story.review, story.approve_release),
    ):
        step()
        story.project.refresh_from_db()
    assert len(tasks(people.planner)) == 1
    story.release()
    assert tasks(people.planner) == []
    project_move(fresh(story.project), move=Move.REOPEN_PROCESSING, by=people.supervisor, reason="again")
    assert tasks(people.planner) == []
