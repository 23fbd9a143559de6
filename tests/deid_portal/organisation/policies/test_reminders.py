"""The policy library reminds: owners of their reviews, administrators of what is left alone, everybody of what they have not read."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone, translation

from deid_portal.messaging.enums import MessageKind
from deid_portal.messaging.models import Message
from deid_portal.messaging.tasks import run
from deid_portal.organisation.policies.home import READING_DAYS, REVIEW_NEAR_DAYS, library_to_do
from deid_portal.organisation.policies.services import policy_review, version_acknowledge
from projects.core.tasks_registry import tasks_of
from tests.deid_portal.organisation.policies.test_policies import added, approved, wording

pytestmark = pytest.mark.django_db


def today() -> date:
    """The day it is, however the clock of a test is moved."""
    return timezone.localdate(datetime.now(UTC))


def review_day() -> date:
    return today() + timedelta(days=100)


@pytest.fixture(autouse=True)
def in_english():
    with translation.override("en"):
        yield


@pytest.fixture
def clock(monkeypatch):
    """Move it: ``clock(days)`` from today on, to noon."""

    def move(days: int = 0) -> None:
        day: date = today() + timedelta(days=days)
        at = timezone.make_aware(datetime(day.year, day.month, day.day, 12))
        monkeypatch.setattr(timezone, "now", lambda: at)

    return move


def titles(person) -> list[str]:
    return [str(task.title) for task in tasks_of(person) if "Releases" in str(task.title)]


def reasons_of(person) -> list[str]:
    """Why somebody was written to, in order."""
    return list(Message.objects.filter(recipient=person).order_by("made_at").values_list("kind", flat=True))


def in_force(people, **more):
    return approved(people, wording=wording(**{"concerns": (), "review_on": review_day(), **more}))


def test_the_owner_is_reminded_once_in_each_period(people, clock):
    version = in_force(people)
    clock(99 - REVIEW_NEAR_DAYS)
    assert titles(people.executor) == []
    clock(100 - REVIEW_NEAR_DAYS)
    assert titles(people.executor) == ["Review “Releases” of the policy library"]
    clock(101)
    policy_review(
        version.policy, result="as it was", next_on=today() + timedelta(days=465), by=people.executor
    )
    assert titles(people.executor) == []
    clock(500)
    assert titles(people.executor) == ["Review “Releases” of the policy library"]


def test_by_message_it_is_near_due_soon_and_overdue_once_each(people, mailbox, reachable, clock):
    version = in_force(people)
    for day in (60, 71, 72, 98, 99, 100):
        clock(day)
        run()
    assert reasons_of(people.executor) == [MessageKind.NEW, MessageKind.REMINDER]
    assert reasons_of(people.administrator) == []
    for day in (101, 102, 130):
        clock(day)
        run()
    assert reasons_of(people.executor) == [MessageKind.NEW, MessageKind.REMINDER, MessageKind.OVERDUE]
    assert reasons_of(people.administrator) == [MessageKind.NEW]
    assert "The review of “Releases” is overdue" in mailbox.said("administrator@hospital.example")
    policy_review(
        version.policy, result="as it was", next_on=today() + timedelta(days=200), by=people.executor
    )
    for day in (150, 180, 201):
        clock(day)
        run()
    assert reasons_of(people.executor)[3:] == [MessageKind.NEW, MessageKind.OVERDUE]
    assert reasons_of(people.administrator) == [MessageKind.NEW] * 2


def test_only_administrators_beside_the_owner_learn_that_a_review_is_overdue(people, clock):
    in_force(people)
    clock(100)
    assert titles(people.administrator) == []
    clock(101)
    assert titles(people.administrator) == [
        "The review of “Releases” is overdue: see to it, or give it to another owner"
    ]
    assert [titles(one) for one in (people.planner, people.auditor, people.recipient)] == [[], [], []]


def test_an_administrator_who_owns_it_has_one_task(people, clock):
    approved(people, owner=people.administrator, wording=wording(concerns=(), review_on=review_day()))
    clock(101)
    assert titles(people.administrator) == ["Review “Releases” of the policy library"]


def test_who_has_not_acknowledged_is_reminded_and_who_has_is_not(people, mailbox, reachable, clock):
    version = in_force(people, concerns=("staff",))
    version_acknowledge(version, by=people.supervisor)
    for day in (0, 1, READING_DAYS - 3, READING_DAYS, READING_DAYS + 1, READING_DAYS + 9):
        clock(day)
        run()
    assert reasons_of(people.executor) == [MessageKind.NEW, MessageKind.REMINDER, MessageKind.OVERDUE]
    assert [reasons_of(one) for one in (people.supervisor, people.auditor)] == [[], []]
    assert "Read and acknowledge “Releases" in str(mailbox.mails[0].get_content())
    version_acknowledge(version, by=people.executor)
    assert titles(people.executor) == []


def test_it_is_to_be_read_before_it_takes_effect_where_that_is_later(people):
    in_force(people, concerns=("staff",), effective_on=today() + timedelta(days=60))
    (task,) = [task for task in tasks_of(people.executor) if "Releases" in str(task.title)]
    assert task.deadline.due == today() + timedelta(days=60)


def test_the_library_costs_a_home_page_one_statement(people, django_assert_num_queries):
    for title in ("One", "Two", "Three"):
        approved(people, title=title)
    with django_assert_num_queries(1):
        assert len(library_to_do(people.executor)) == 3


def test_an_internal_policy_that_waits_reminds_senior_management(people):
    before = [titles(one) for one in (people.management, people.administrator, people.planner)]
    added(people)
    waits = ["Decide on “Releases · 1”"]
    assert before == [[], [], []]
    assert [titles(one) for one in (people.management, people.administrator)] == [waits, []]
    assert titles(people.planner) == [], "who proposed it does not decide"
