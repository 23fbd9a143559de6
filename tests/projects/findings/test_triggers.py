"""What the database itself refuses about findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from projects.findings.models import CheckedStep, Finding, FindingStep, SpotCheck
from tests.projects.rows import account, allowed, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
CLOSED = {"status": "closed", "closed_at": timezone.now()}


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def finding(**given: Any) -> Finding:
    said = {"source": "review", "stage": "objective", "severity": "minor", "title": "a", "description": "b"}
    return put(Finding, **said, due_on=timezone.localdate(), **given)


def test_nobody_closes_their_own() -> None:
    mine = account(alone=True)
    row = finding(owner=mine)
    with refused("nobody closes what they put right themselves"):
        change(row, closed_by=mine, **CLOSED)
    second = account(mine)
    with refused("nobody closes what they put right under another account"):
        change(row, closed_by=second, **CLOSED)
    with allowed():
        change(row, closed_by=account(), **CLOSED)
    # Others who have two accounts, as the owner has.
    other = account()
    account(other)
    with allowed():
        change(row, closed_by=other, **CLOSED)
    with allowed():
        finding(owner=mine, closed_by=other, **CLOSED)
    with refused("under another account"):
        finding(owner=mine, closed_by=second, **CLOSED)


def test_nobody_closes_what_they_did_before_it_was_given_to_somebody_else() -> None:
    """When it is closed, and in a row that is put in whole behind its steps."""
    mine, other = account(alone=True), account()
    row, to_come = finding(), uuid4()
    account(other)
    for one in (row.pk, to_come):
        put(FindingStep, finding_id=one, kind="action", text="done", by=mine)
        # A check is no corrective action, and what is done about another finding is none about this one.
        put(FindingStep, finding_id=one, kind="effective", text="seen", by=other)
    put(FindingStep, finding=finding(), kind="action", text="done", by=other)
    with refused("nobody closes what they put right themselves"):
        change(row, closed_by=mine, **CLOSED)
    second = account(mine)
    with refused("nobody closes what they put right under another account"):
        change(row, closed_by=second, **CLOSED)
    with refused("nobody closes what they put right under another account"):
        finding(id=to_come, closed_by=second, **CLOSED)
    for by in (account(), account(other)):
        with allowed():
            change(row, closed_by=by, **CLOSED)
        with allowed():
            finding(id=to_come, closed_by=by, **CLOSED)


def test_what_was_closed_by_persons_who_are_linked_later_is_not_stuck() -> None:
    mine, closer = account(), account()
    row = finding(owner=mine, closed_by=closer, **CLOSED)
    account(closer)
    change(mine, person_id=closer.pk)
    with allowed():
        change(row, title=row.title)


@pytest.mark.parametrize(("old", "new"), [(uuid4(), uuid4()), (uuid4(), None), (None, uuid4())])
def test_what_it_comes_from_stays(old: UUID | None, new: UUID | None) -> None:
    row = finding(origin_id=old)
    with refused("stays as it was raised"):
        change(row, origin_id=new)
    with allowed():
        change(row, origin_id=old)


def test_what_was_found_stays() -> None:
    row = finding()
    with refused("stays as it was raised"):
        change(row, title="less")
    with refused("a finding is never deleted"):
        delete(row)
    change(row, closed_by=account(), **CLOSED)
    with refused("what is closed stays closed"):
        change(row, status="open", closed_by=None, closed_at=None)


def test_steps_and_draws_are_written_once() -> None:
    step = put(FindingStep, kind="action", text="done")
    with refused("written once"):
        change(step, text="nothing")
    check = put(SpotCheck, seed="ff", size=1, reason="r", population=["a/b"])
    with refused("written once"):
        change(check, seed="00")
    drawn = put(CheckedStep, spot_check=check, stage="objective")
    with refused("what was drawn stays"):
        change(drawn, stage="processing")
    change(drawn, result="sound", remark="all", checked_by=account(), checked_at=timezone.now())
    with refused("what was drawn stays"):
        change(drawn, result="deviating")
