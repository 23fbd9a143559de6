"""What people are told, when, and that nothing is told twice or lost; through a real mail server."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from approvals.decisions.models import Decision
from deid_portal.accounts.services import profile_edit, user_set_active
from deid_portal.messaging.enums import MessageKind, MessageStatus, Pace, Problem, RobotKind
from deid_portal.messaging.models import CLAIM_LASTS, Message
from deid_portal.messaging.services import choice_set, failed_offer_again, robot_add
from deid_portal.messaging.tasks import run
from deid_portal.messaging.telling import collecting
from deid_portal.messaging.telling.collecting import collect
from deid_portal.messaging.telling.delivering import LONGEST_WAIT, deliver, wait_after
from projects.core.tasks_registry import tasks_of
from projects.findings.enums import FindingSeverity, FindingSource
from projects.findings.services import finding_act, finding_assign, finding_check, finding_raise
from projects.verification.services import release_decide
from projects.workflow import Stage, State
from tests.projects.objective.steps import fill, fresh, review, submit, write_plan
from tests.projects.verification.stories import ROLES, SmallStory

pytestmark = pytest.mark.django_db
SUPERVISOR, PLANNER, EXECUTOR, MANAGEMENT = (
    f"{name}@hospital.example" for name in ("supervisor", "planner", "executor", "management")
)


def today() -> date:
    """The day it is, however the clock of a test is moved; days of the plan are counted from it."""
    return timezone.localdate(datetime.now(UTC))


@pytest.fixture
def clock(monkeypatch):
    """Move it: ``clock(days, hour)`` from today on."""
    real = timezone.now

    def move(days: int = 0, hour: int = 12, minute: int = 0) -> None:
        day: date = today() + timedelta(days=days)
        at = timezone.make_aware(datetime(day.year, day.month, day.day, hour, minute))
        monkeypatch.setattr(timezone, "now", lambda: at)

    yield move
    monkeypatch.setattr(timezone, "now", real)


@pytest.fixture
def submitted(project, reachable):
    """The target waits for the supervisor, until ten days from today."""
    project = fill(project, reachable)
    write_plan(project, reachable, deadlines={"objective": (today() + timedelta(days=10)).isoformat()})
    submit(project, reachable)
    return fresh(project)


def raised(project, people, **more):
    said = {
        "source": FindingSource.REVIEW,
        "stage": Stage.OBJECTIVE,
        "severity": FindingSeverity.MAJOR,
        "title": "The column 身份证号 holds 310104",
        "description": "what was found",
        "owner": people.executor,
        "due_on": today() + timedelta(days=10),
    }
    return finding_raise(project, **said | more, by=people.supervisor)


def outcomes(**which):
    return set(Message.objects.filter(**which).values_list("kind", "status"))


def test_an_officer_gets_one_mail_when_something_newly_waits_for_her(submitted, mailbox, reachable, clock):
    clock()
    run()
    said = mailbox.said(SUPERVISOR)
    due = today() + timedelta(days=10)
    assert "De-identification portal: Review the target and the plan" in said.splitlines()[0]
    assert said.count(f"{submitted.number} {submitted.title}") == 1
    assert f"{due} (due in 10 days)" in said
    assert f"https://deid.example/projects/{submitted.pk}/continue/" in said
    assert "https://deid.example/messages/mine/" in said
    assert not mailbox.to(MANAGEMENT), "nothing waits for senior management yet"
    (mail,) = mailbox.to(SUPERVISOR)
    assert mail["Auto-Submitted"] == "auto-generated"
    run()
    clock(0, 18)
    run()
    assert len(mailbox.to(SUPERVISOR)) == 1
    review(submitted, reachable)
    run()
    assert len(mailbox.to(SUPERVISOR)) == 1
    assert "Newly waits for you" in mailbox.said(MANAGEMENT)


def test_what_comes_together_is_one_mail(submitted, mailbox, reachable, clock):
    raised(submitted, reachable)
    raised(submitted, reachable)
    clock()
    run()
    said = mailbox.said(EXECUTOR)
    assert said.splitlines()[0] == "De-identification portal: 2 things to see to"
    assert said.count("Correct a finding") == 2


def test_she_is_reminded_before_the_day_and_her_planner_is_told_after_it(
    submitted, mailbox, reachable, clock
):
    clock()
    run()
    mailbox.mails.clear()
    clock(6)
    run()
    assert not mailbox.mails
    clock(7)
    run()
    run()
    said = mailbox.said(SUPERVISOR)
    assert "Due soon" in said
    assert "(due in 3 days)" in said
    clock(10)
    run()
    assert len(mailbox.mails) == 1, "on the day itself nothing is overdue"
    mailbox.mails.clear()
    clock(11)
    run()
    clock(15)
    run()
    assert "Overdue" in mailbox.said(SUPERVISOR)
    said = mailbox.said(PLANNER)
    assert "Overdue with others in your projects" in said
    assert "(1 day overdue) · Supervisor Person" in said
    assert {mail["To"] for mail in mailbox.mails} == {SUPERVISOR, PLANNER}
    assert Message.objects.get(kind=MessageKind.ESCALATION).recipient == reachable.planner


def test_a_new_day_is_reminded_of_anew(submitted, mailbox, reachable, clock):
    finding = raised(submitted, reachable)
    clock()
    run()
    clock(8)
    run()
    assert len(mailbox.to(EXECUTOR)) == 2
    finding_assign(
        finding,
        owner=reachable.executor,
        due_on=today() + timedelta(days=20),
        reason="more time",
        by=reachable.supervisor,
    )
    run()
    assert len(mailbox.to(EXECUTOR)) == 3, "it was given to her anew"
    clock(17)
    run()
    assert len(mailbox.to(EXECUTOR)) == 4


def test_what_did_not_help_comes_back_as_something_new(submitted, mailbox, reachable, clock):
    finding = raised(submitted, reachable)
    run()
    finding_act(finding, action="done", by=reachable.executor)
    run()
    assert len(mailbox.to(EXECUTOR)) == 1
    finding_check(finding, effective=False, remark="no effect", by=reachable.management)
    run()
    assert len(mailbox.to(EXECUTOR)) == 2


def test_a_late_planner_is_told_to_senior_management(project, mailbox, reachable, clock):
    project = fill(project, reachable)
    write_plan(project, reachable, deadlines={"objective": (today() + timedelta(days=2)).isoformat()})
    clock()
    run()
    assert "due in 2 days" in mailbox.said(PLANNER)
    clock(1)
    run()
    assert len(mailbox.to(PLANNER)) == 1, "she was told three days before already: when it came"
    clock(3)
    run()
    assert "Planner Person" in mailbox.said(MANAGEMENT)
    assert len(mailbox.to(PLANNER)) == 2


def test_a_digest_comes_once_in_the_morning_instead(submitted, mailbox, reachable, clock):
    choice_set(pace=Pace.DAILY, robot=None, by=reachable.supervisor)
    clock(0, 7, 59)
    run()
    assert not mailbox.to(SUPERVISOR)
    clock(0, 8)
    run()
    said = mailbox.said(SUPERVISOR)
    assert "What waits for you" in said
    assert "Newly waits for you" not in said
    assert said.count(submitted.title) == 1
    clock(0, 15)
    run()
    assert len(mailbox.to(SUPERVISOR)) == 1
    clock(1, 9)
    run()
    assert len(mailbox.to(SUPERVISOR)) == 2, "it still waits"
    review(submitted, reachable)
    clock(2, 9)
    run()
    assert len(mailbox.to(SUPERVISOR)) == 2, "nothing waits: no overview"


def test_the_planners_overview_tells_who_is_late(submitted, mailbox, reachable, clock):
    choice_set(pace=Pace.DAILY, robot=None, by=reachable.planner)
    clock(11, 8)
    run()
    run()
    assert "Supervisor Person" in mailbox.said(PLANNER)
    assert outcomes(recipient=reachable.planner, kind=MessageKind.ESCALATION) == {("escalation", "sent")}


def test_an_unreachable_server_loses_nothing_and_stops_nobody(submitted, mailbox, reachable, robot, clock):
    """Mail is down: the robot's messages go, mail waits, and what is over by then is left out."""
    chat = robot_add(name="Chat", kind=RobotKind.WECOM, url=robot.url, by=reachable.administrator)
    choice_set(pace=Pace.AT_ONCE, robot=chat, by=reachable.executor)
    raised(submitted, reachable)
    mine = raised(submitted, reachable, owner=reachable.planner)
    mailbox.close()
    clock()
    run()
    assert not mailbox.mails
    assert len(robot.posts) == 1
    waiting = Message.objects.filter(status=MessageStatus.WAITING)
    assert set(waiting.values_list("recipient__username", flat=True)) == {"supervisor", "planner"}
    assert set(waiting.values_list("problem", "attempts")) == {(Problem.UNREACHABLE, 1)}
    mailbox.open()
    run()
    assert not mailbox.mails, "it is tried again after a while, not at once"
    finding_act(mine, action="done", by=reachable.planner)
    run()
    said = mailbox.said(SUPERVISOR)
    assert "Review the target" in said
    assert "Check the effect" in said, "what had failed goes along with what is new"
    clock(0, 12, 3)
    run()
    assert outcomes(recipient=reachable.planner, kind=MessageKind.NEW) == {("new", "dropped")}
    assert not mailbox.to(PLANNER)
    assert (len(mailbox.to(SUPERVISOR)), len(robot.posts)) == (1, 1)


def test_it_waits_longer_each_time_and_never_for_days():
    waits = [wait_after(attempts) for attempts in (1, 2, 3, 4, 5, 6, 100)]
    assert [wait.total_seconds() / 60 for wait in waits] == [2, 4, 8, 16, 32, 60, 60]
    assert max(waits) == LONGEST_WAIT


@pytest.mark.parametrize(
    ("answer", "status", "problem"),
    [
        ("550 no such mailbox", MessageStatus.FAILED, Problem.REFUSED),
        ("450 come again later", MessageStatus.WAITING, Problem.BUSY),
    ],
)
def test_a_refused_address_is_the_end_for_that_one_alone(
    submitted, mailbox, reachable, clock, answer, status, problem
):
    raised(submitted, reachable)
    mailbox.refuses[EXECUTOR] = answer
    clock()
    run()
    assert len(mailbox.to(SUPERVISOR)) == 1
    found = Message.objects.get(recipient=reachable.executor)
    assert (found.status, found.problem, found.attempts) == (status, problem, 1)
    mailbox.refuses.clear()
    run()
    assert not mailbox.to(EXECUTOR)
    if status == MessageStatus.FAILED:
        assert failed_offer_again(by=reachable.administrator) == 1
    clock(0, 13)
    run()
    assert len(mailbox.to(EXECUTOR)) == 1


@pytest.mark.parametrize(
    ("answer", "status"), [("554 no", MessageStatus.FAILED), ("452 full", MessageStatus.WAITING)]
)
def test_a_refused_text_is_the_end_and_a_full_server_is_not(
    submitted, mailbox, reachable, clock, answer, status
):
    mailbox.answer = answer
    clock()
    run()
    assert set(Message.objects.values_list("status", flat=True)) == {status}


def test_while_nothing_is_recorded_nothing_is_looked_for(
    submitted, mailbox, reachable, clock, django_assert_max_num_queries
):
    """A quiet night costs three statements a time; the next hour looks again, for days have ended then."""
    clock(10, 23)
    collect()
    with django_assert_max_num_queries(3):
        assert collect() == 0
    clock(11, 0)
    assert collect() == 2, "overdue: she and her planner"


def test_what_fails_for_one_is_looked_at_again(submitted, mailbox, reachable, clock, monkeypatch):
    """Tasks of the supervisor cannot be read: others are told, and as soon as they can, so is she."""
    clock()
    raised(submitted, reachable)

    def broken(person):
        if person.pk == reachable.supervisor.pk:
            raise ValueError
        return tasks_of(person)

    monkeypatch.setattr(collecting, "waiting_of", broken)
    run()
    assert {mail["To"] for mail in mailbox.mails} == {EXECUTOR}
    monkeypatch.undo()
    clock()
    run()
    assert {mail["To"] for mail in mailbox.mails} == {EXECUTOR, SUPERVISOR}


def test_who_was_lost_while_sending_is_followed_by_the_same_mail(submitted, mailbox, reachable, clock):
    """A worker takes the messages and is killed: nobody else takes them at once, and later they go under the same number."""
    clock()
    collect()
    number = "12345678-1234-4234-8234-123456789012"
    Message.objects.filter(recipient=reachable.supervisor).update(claim=number, claimed_at=timezone.now())
    assert deliver() == 0
    clock(0, 12, int(CLAIM_LASTS.total_seconds() // 60) + 1)
    assert deliver() == 1
    (mail,) = mailbox.to(SUPERVISOR)
    assert mail["Message-ID"] == f"<{number}@localhost>"


def test_who_left_or_wants_none_gets_none(submitted, mailbox, reachable, clock):
    choice_set(pace=Pace.NEVER, robot=None, by=reachable.supervisor)
    clock()
    run()
    assert not mailbox.mails
    choice_set(pace=Pace.AT_ONCE, robot=None, by=reachable.supervisor)
    collect()
    user_set_active(reachable.supervisor, active=False, by=reachable.administrator)
    run()
    assert not mailbox.mails
    assert outcomes(recipient=reachable.supervisor) == {("new", "dropped")}


def test_nobody_is_forgotten_while_no_server_is_set(submitted, mailbox, reachable, clock, settings):
    clock()
    collect()
    settings.DEID_MAIL_IS_SET = False
    run()
    assert not mailbox.mails
    settings.DEID_MAIL_IS_SET = True
    run()
    assert len(mailbox.to(SUPERVISOR)) == 1


def test_one_row_for_one_thing_whoever_collects(submitted, mailbox, reachable, clock):
    clock()
    assert collect() == 1
    assert collect() == 0
    assert Message.objects.count() == 1


def test_each_reads_it_in_their_language(submitted, mailbox, reachable, clock):
    profile_edit(reachable.supervisor, email=SUPERVISOR, language="zh-hans")
    clock()
    run()
    said = mailbox.said(SUPERVISOR)
    assert "新待办" in said
    assert "Newly" not in said


def test_no_text_holds_anything_of_the_data(people, reachable, mailbox, robot, settings):
    """Through all steps, with reasons and findings that name columns and values."""
    story = SmallStory(people)
    chat = robot_add(name="Chat", kind=RobotKind.WECOM, url=robot.url, by=reachable.administrator)
    choice_set(pace=Pace.AT_ONCE, robot=chat, by=reachable.management)
    story.reach(State.RELEASE_APPROVAL)
    run()
    raised(story.project, people)
    why = "姓名 holds " + story.secret[0]
    release_decide(story.fresh(), decision=Decision.RETURNED, reason=why, by=people.management)
    run()
    texts = [f"{mail['Subject']}\n{mail.get_content()}" for mail in mailbox.mails] + robot.texts
    assert len(texts) >= 2
    assert any("Returned for rework" in text for text in texts), "the reason was there to be told"
    private = {*ROLES, *story.secret, "310104", "身份证号"}
    assert [(word, text) for word in private for text in texts if word in text] == []
