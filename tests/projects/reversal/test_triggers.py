"""What the database itself refuses about reversals: another decider than a judge, and any way back (4.2 c)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Membership
from projects.reversal.models import ReversalRequest
from tests.projects.rows import account, allowed, another, appointed, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = uuid.uuid4(), uuid.uuid4()
NOW = timezone.now()
STAYS = "what was asked and what was decided stays as it is"
JUDGE = "only a supervisor or senior management"
OWN = "nobody decides about what they asked for under another account"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def member(role: str, project: uuid.UUID = HERE, user: User | None = None) -> User:
    user = user or account()
    put(Membership, user=appointed(user, role), role=role, project_id=project)
    return user


def asked(by: User | None = None, **given: Any) -> ReversalRequest:
    return put(
        ReversalRequest,
        project_id=HERE,
        asked_by=by or account(),
        way="mapping_table",
        reason="a patient's own wish",
        **given,
    )


def decided(by: User, status: str = "running") -> dict[str, Any]:
    return {"decided_by": by, "decided_at": NOW, "decision_reason": "as seen", "status": status}


def answered(row: ReversalRequest) -> dict[str, Any]:
    return {
        "answer_id": uuid.uuid4(),
        "found_count": 1,
        "readable_until": NOW + timedelta(hours=1),
        "status": "ready",
    }


def at(status: str) -> ReversalRequest:
    """A request that came to ``status`` by the acts of people."""
    row = asked()
    if status == "lapsed":
        change(row, status="lapsed")
    elif status != "waiting":
        change(row, **decided(member("supervisor"), "refused" if status == "refused" else "running"))
        change(row, job_id=uuid.uuid4())
    if status in ("ready", "ended"):
        change(row, **answered(row))
    if status == "failed":
        change(row, status="failed", failed_code="internal")
    if status == "ended":
        change(row, status="ended")
    row.refresh_from_db()
    return row


@pytest.mark.parametrize("role", ["supervisor", "management"])
def test_a_judge_of_the_project_decides(role):
    row = asked()
    with allowed():
        change(row, **decided(member(role)))
    with allowed():
        put(ReversalRequest, project_id=HERE, way="mapping_table", **decided(member(role)))
    with refused(JUDGE):
        change(row, **decided(member(role, ELSEWHERE)))


@pytest.mark.parametrize("role", ["planner", "executor", "recipient", None])
def test_nobody_else_decides(role):
    by = member(role) if role else account()
    with refused(JUDGE):
        change(asked(), **decided(by))
    with refused(JUDGE):
        put(ReversalRequest, project_id=HERE, way="mapping_table", **decided(by))


def test_nobody_decides_about_what_they_asked_for():
    asking = account()
    second = member("management", user=account(asking))
    row = asked(asking)
    with refused(OWN):
        change(row, **decided(second))
    with refused(OWN):
        asked(asking, **decided(second))
    with allowed():
        change(row, **decided(member("management")))
    # Other people's accounts say nothing.
    with allowed():
        change(asked(), **decided(second))


def test_what_was_decided_before_a_link_still_ends():
    judge, asking = member("supervisor"), account()
    row = asked(asking)
    change(row, **decided(judge))
    account(judge)
    change(asking, person_id=judge.pk)
    with allowed():
        change(row, status="failed", failed_code="decided_by_self")


QUESTION = (
    "id", "project_id", "number", "run_id", "table", "column", "asked_id", "values_count", "reason", "asked_by_id",
    "asked_at",
)  # fmt: skip


@pytest.mark.parametrize("name", [*QUESTION, "way"])
def test_what_was_asked_stays(name):
    row = at("waiting")
    with refused(STAYS):
        change(row, **({"way": "decryption"} if name == "way" else another(row, name)))


@pytest.mark.parametrize(
    "new",
    [
        {"decided_by_id": None},
        {"decided_at": None},
        {"decided_at": NOW + timedelta(days=1)},
        {"decision_reason": "another"},
        {"job_id": None},
        {"job_id": uuid.uuid4()},
        {"answer_id": None},
        {"answer_id": uuid.uuid4()},
        {"found_count": None},
        {"found_count": 9},
        {"readable_until": None},
        {"readable_until": NOW + timedelta(hours=2)},
        {"reads": 1},
    ],
)
def test_what_was_decided_and_answered_stays(new):
    row = at("ready")
    change(row, reads=2)
    with refused(STAYS):
        change(row, **new)


def test_another_judge_does_not_take_the_decision_over():
    row = at("running")
    with refused(STAYS):
        change(row, decided_by=member("management"))


def test_an_answer_is_read_more_often_and_for_less_time():
    row = at("ready")
    for new in ({"reads": 3}, {"readable_until": NOW}):
        with allowed():
            change(row, **new)


WAYS = {
    "waiting": ("refused", "running", "lapsed"),
    "running": ("ready", "failed"),
    "ready": ("ended",),
    "refused": (),
    "failed": (),
    "ended": (),
    "lapsed": (),
}


def moved(row: ReversalRequest, status: str) -> dict[str, Any]:
    """All that a row of ``status`` has; whether the constraints would have it is not what is asked here."""
    new: dict[str, Any] = {"status": status, "failed_code": "internal" if status == "failed" else ""}
    if status in ("refused", "running", "ready", "failed", "ended") and row.decided_by_id is None:
        new |= decided(member("supervisor"), status)
    if status in ("ready", "ended") and row.answer_id is None:
        new |= answered(row) | {"status": status}
    return new


@pytest.mark.parametrize(
    ("before", "after"), [(one, other) for one in WAYS for other in WAYS if one != other]
)
def test_a_request_goes_forward_only(before, after):
    row = at(before)
    if after in WAYS[before]:
        with allowed():
            change(row, **moved(row, after))
    else:
        with refused(STAYS):
            change(row, **moved(row, after))


def test_why_it_failed_stays():
    row = at("failed")
    with refused(STAYS):
        change(row, failed_code="wrong_state")


def test_a_request_is_never_deleted():
    row = at("waiting")
    with refused("a reversal is never deleted"):
        delete(row)
