"""What the database itself refuses about orders of outside assessments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import AssessmentOrder, Project
from tests.projects.rows import account, allowed, member, put, refused, unkept

pytestmark = pytest.mark.django_db
APART = "who plans or executes a project orders no assessment of it"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def assessor(**given: Any) -> User:
    return account(post="assessor", access_until=timezone.localdate(), **given)


def order(**given: Any) -> AssessmentOrder:
    return put(AssessmentOrder, **{"assessor": assessor(), "covers": "all of it"} | given)


def test_an_assessor_is_given_an_order_and_reports_later() -> None:
    for nobody in (account(), account(post="auditor")):
        with refused("an external assessor is given an order"):
            order(assessor=nobody)
    with refused("reports later"):
        order(conclusion="conforms", report="as seen", reported_at=timezone.now())
    with refused("reports later"):
        order(ended_by=account(), ended_at=timezone.now(), end_reason="no longer wanted")
    with allowed():
        order()


def test_who_is_assessed_orders_nothing_and_assesses_nothing() -> None:
    project, elsewhere = put(Project), put(Project)
    for role in ("planner", "executor", "recipient"):
        works = member(project, role)
        for one in (works, account(works)):
            with refused(APART):
                order(project=project, ordered_by=one)
            with allowed():
                order(project=elsewhere, ordered_by=one)
    for role in ("supervisor", "management"):
        judges = member(project, role)
        for one in (judges, account(judges), account()):
            with allowed():
                order(project=project, ordered_by=one)
    for role in ("supervisor", "recipient"):
        second = assessor()
        first = account(second)
        member(project, role, first)
        with refused("who works on it does not assess it"):
            order(project=project, assessor=second)
        with allowed():
            order(project=elsewhere, assessor=second)


def test_who_assesses_gets_no_role() -> None:
    project, elsewhere, assesses = put(Project), put(Project), assessor()
    order(project=project, assessor=assesses)
    order(project=elsewhere)
    works = account(assesses)
    with refused("gets no role in it"):
        member(project, "recipient", works)
    for place, other in ((elsewhere, works), (project, account())):
        with allowed():
            member(place, "recipient", other)
