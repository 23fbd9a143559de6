"""What the database itself refuses about budgets and questions."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.queries.models import Grant, Query
from tests.projects import rows
from tests.projects.rows import account, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = uuid.uuid4(), uuid.uuid4()
NOW = timezone.now()
JUDGE = "only a supervisor or senior management of the project grants a budget"
OWN = "nobody grants what they proposed under another account"
STAYS = "what was proposed and what was decided stays as it is"
ANSWERED = "what was asked, charged and answered stays as it is"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def member(role: str, project: uuid.UUID = HERE, user: User | None = None) -> User:
    return rows.member(project, role, user)


def proposed(by: User | None = None, **given: Any) -> Grant:
    said = {"nano_epsilon": 10**9, "proposed_by": by or account(), "project_id": HERE} | given
    return put(Grant, **said)


def decided(by: User, status: str = "granted") -> dict[str, Any]:
    return {"decided_by": by, "decided_at": NOW, "decision_reason": "agreed", "status": status}


@pytest.mark.parametrize("role", ["supervisor", "management", "planner", "executor", "recipient", None])
def test_a_judge_of_the_project_decides_and_nobody_else(role):
    by = member(role) if role else account()
    judges = role in ("supervisor", "management")
    with allowed() if judges else refused(JUDGE):
        change(proposed(), **decided(by))
    with allowed() if judges else refused(JUDGE):
        proposed(**decided(by))
    if role:
        with refused(JUDGE):
            change(proposed(), **decided(member(role, ELSEWHERE)))


def test_nobody_grants_what_they_proposed_under_another_account():
    mine = account()
    second = member("management", user=account(mine))
    with refused(OWN):
        change(proposed(mine), **decided(second))
    with refused(OWN):
        proposed(mine, **decided(second))
    with allowed():
        change(proposed(), **decided(second))
    # Others who have two accounts, as who proposed it has.
    other = member("supervisor")
    account(other)
    with allowed():
        change(proposed(mine), **decided(other))
    with allowed():
        proposed(mine, **decided(other))


def test_a_grant_whose_persons_are_linked_later_is_not_stuck():
    judge, mine = member("supervisor"), account()
    row = proposed(mine)
    change(row, **decided(judge))
    account(judge)
    change(mine, person_id=judge.pk)
    with allowed():
        change(row, recipient_id=None)


AMOUNT = (
    "id",
    "project_id",
    "number",
    "dataset_id",
    "nano_epsilon",
    "delta",
    "part",
    "reason",
    "proposed_by_id",
    "proposed_at",
)
OTHER = {"delta": 0.001, "composition": "zcdp", "neighbours": "change", "exhaustion": "ask"}


@pytest.mark.parametrize("name", [*AMOUNT, "composition", "neighbours", "exhaustion"])
@pytest.mark.parametrize("waits", [True, False])
def test_what_was_proposed_stays(name, waits):
    row = proposed()
    if not waits:
        change(row, **decided(member("management")))
    with refused(STAYS):
        change(row, **({name: OTHER[name]} if name in OTHER else another(row, name)))


def test_for_whom_it_is_stays():
    for_all, for_one = proposed(), proposed(recipient=account())
    with refused(STAYS):
        change(for_all, recipient=account())
    for other in ({"recipient": account()}, {"recipient_id": None}):
        with refused(STAYS):
            change(for_one, **other)


@pytest.mark.parametrize("status", ["granted", "refused"])
def test_what_was_decided_stays(status):
    row = proposed()
    change(row, **decided(member("management"), status))
    for other in (
        {"status": "refused" if status == "granted" else "granted"},
        {"decision_reason": "another"},
        {"decided_by": member("supervisor")},
        {"decided_at": timezone.now()},
        {"status": "waiting", "decided_by": None, "decided_at": None, "decision_reason": ""},
    ):
        with refused(STAYS):
            change(row, **other)
    with refused("a budget is never deleted"):
        delete(row)


def asked(status: str = "running", **given: Any) -> Query:
    return put(Query, project_id=HERE, question={"kind": "count"}, loss={}, status=status, **given)


CHARGE = (
    "id",
    "project_id",
    "number",
    "dataset_id",
    "release_id",
    "recipient_id",
    "question_hash",
    "asked_at",
)


@pytest.mark.parametrize("name", [*CHARGE, "question", "loss", "person_key"])
def test_what_was_asked_and_charged_stays(name):
    """Even while it is being answered, along with the answer."""
    row, answer = asked(), {"status": "answered", "answer": {"value": 1}, "answered_at": NOW}
    new = {"question": {"kind": "sum"}, "loss": {"epsilon": 1}, "person_key": ["a"]}
    with refused(ANSWERED):
        change(row, **answer, **({name: new[name]} if name in new else another(row, name)))
    with allowed():
        change(row, **answer)


def test_a_question_is_answered_or_fails_once():
    answer = {"status": "answered", "answer": {"value": 1}, "answered_at": NOW}
    failed = {"status": "failed", "failed_code": "internal"}
    for new in (answer, failed):
        with allowed():
            change(asked(), **new)
    for new in ({"status": "refused"}, {"status": "running"}):
        with refused(ANSWERED):
            change(asked(), **new)
    for row in (asked(**answer), asked(**failed), asked("refused")):
        for new in (answer, failed):
            cleared = {"answer": None, "answered_at": None, "failed_code": ""} | new
            with refused(ANSWERED):
                change(row, **cleared)
    repeated = asked("repeated", same_as=asked())
    for other in (asked(), None):
        with refused(ANSWERED):
            change(repeated, same_as=other)
    for now in (answer, failed):
        with refused("query_repeats_another"):
            change(asked(), same_as=repeated.same_as, **now)
    with refused("a question is never deleted"):
        delete(repeated)
