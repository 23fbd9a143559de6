"""What the database itself refuses about intruder tests."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Membership, Project
from projects.intrusion.models import IntruderClaim, IntruderTest, Invitation
from projects.processing.models import Run
from tests.projects.rows import account, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def opened(**given: Any) -> IntruderTest:
    project = put(Project, state="verification")
    run = put(Run, project=project)
    return put(IntruderTest, **{"project": project, "run": run, "knowledge": "outsider"} | given)


def claim(test: IntruderTest | None = None, **given: Any) -> IntruderClaim:
    return put(IntruderClaim, **{"test": test or opened(), "made_by": account()} | given)


def end() -> dict[str, Any]:
    return {"attempts": 3, "conclusion": "so", "closed_by": account(), "closed_at": timezone.now()}


def test_a_test_stays_as_it_was_said() -> None:
    test = opened()
    for field in ("scope", "testers", "auxiliary", "number"):
        with refused("stays as it was opened and concluded"):
            change(test, **another(test, field))
    with refused("stays as it was opened and concluded"):
        change(test, knowledge="insider")
    with refused("is kept"):
        delete(test)
    change(test, **end())
    for new in ({"attempts": 9}, {"conclusion": "otherwise"}, {"closed_by": account()}):
        with refused("stays as it was opened and concluded"):
            change(test, **new)


def test_a_test_is_of_a_result_of_its_project() -> None:
    with refused("of a result of its project"):
        opened(run=put(Run))


def test_a_claim_stays_as_it_was_made_and_checked() -> None:
    one = claim()
    for field in ("record", "reference", "number"):
        with refused("stays as it was made"):
            change(one, **another(one, field))
    checked = {"verdict": "right", "checked_by": account(), "checked_at": timezone.now()}
    change(one, **checked)
    with refused("stays as it was made"):
        change(one, verdict="wrong")
    with refused("stays as it was made"):
        change(one, checked_by=account())
    with refused("is kept"):
        delete(one)


def test_another_person_checks_it() -> None:
    one = claim(made_by=account(alone=True))
    checked = {"verdict": "wrong", "checked_at": timezone.now()}
    with refused("intruder_claim_second_person|CHECK"):
        change(one, checked_by=one.made_by, **checked)
    with refused("another account"):
        change(one, checked_by=account(one.made_by), **checked)
    with allowed():
        change(one, checked_by=account(), **checked)


def test_the_end_waits_for_the_check_and_nothing_comes_after_it() -> None:
    test = opened()
    one = claim(test)
    with refused("once every claim is checked"):
        change(test, **end())
    change(one, verdict="wrong", checked_by=account(), checked_at=timezone.now())
    with refused("once every claim is checked"):
        change(test, **end() | {"attempts": 0})
    change(test, **end())
    with refused("once an intruder test is concluded"):
        claim(test)


def invited(test: IntruderTest | None = None, **given: Any) -> Invitation:
    day = timezone.localdate() + timedelta(days=3)
    given.setdefault("tester", account(post="tester", access_until=day, alone=True))
    return put(Invitation, **{"test": test or opened(), "until": day, "country": "CN"} | given)


def withdrawn() -> dict[str, Any]:
    return {"ended_by": account(), "ended_at": timezone.now(), "end_reason": "enough"}


def test_an_invitation_is_of_an_account_for_testers_that_lasts_as_long() -> None:
    with allowed():
        invited()
    day = timezone.localdate()
    for given in (
        {"tester": account(post="staff", alone=True)},
        {"tester": account(post="tester", access_until=day, alone=True)},
        {"test": concluded()},
        withdrawn(),
        {"looked_at": timezone.now(), "views": 1},
        {"country": None},
        {"country": ""},
    ):
        with refused("looks later"):
            invited(**given)


def concluded() -> IntruderTest:
    test = opened()
    change(test, **end())
    return test


def test_nobody_of_the_project_is_invited_or_invites() -> None:
    test, day = opened(), timezone.localdate() + timedelta(days=3)
    member = account(alone=True)
    put(Membership, project=test.project, user=member, role="executor")
    with refused("nobody of the project"):
        invited(test, invited_by=member)
    with refused("nobody of the project"):
        invited(test, tester=account(member, post="tester", access_until=day))
    supervisor = account(alone=True)
    put(Membership, project=test.project, user=supervisor, role="supervisor")
    with allowed():
        invited(test, invited_by=supervisor)


def test_who_was_invited_gets_no_role() -> None:
    one = invited()
    with refused("gets no role in it"):
        put(Membership, project=one.test.project, user=account(one.tester), role="executor")
    with allowed():
        put(Membership, project=one.test.project, user=account(alone=True), role="executor")


def test_an_invitation_stays_as_it_was_made() -> None:
    one = invited()
    for field in ("task", "until", "gets_file", "shows_verdicts"):
        with refused("stays as it was made"):
            change(one, **another(one, field))
    with refused("stays as it was made"):
        change(one, tester=account(post="tester", access_until=one.until, alone=True))
    with refused("is kept"):
        delete(one)
    change(one, views=2, looked_at=timezone.now())
    for new in (
        {"views": 1},
        {"looked_at": None, "views": 0},
        {"looked_at": timezone.now() - timedelta(days=1)},
    ):
        with refused("stays as it was made|CHECK|check constraint"):
            change(one, **new)
    change(one, fetches=1)
    with refused("stays as it was made"):
        change(one, fetches=0)
    change(one, **withdrawn())
    for new in ({"end_reason": "otherwise"}, {"ended_by": account()}, {"views": 3}, {"fetches": 2}):
        with refused("stays as it was made"):
            change(one, **new)


def test_who_is_invited_claims_by_their_own_invitation() -> None:
    one = invited()
    said = {"grounds": "so", "certainty": "sure"}
    with allowed():
        claim(one.test, invitation=one, made_by=one.tester, **said)
    other = invited(one.test)
    for test, given in (
        (one.test, {"invitation": other, "made_by": one.tester} | said),
        (opened(), {"invitation": one, "made_by": one.tester} | said),
        (one.test, {"made_by": one.tester}),
    ):
        with refused("by an invitation of their own"):
            claim(test, **given)
    change(one, **withdrawn())
    with refused("by an invitation of their own"):
        claim(one.test, invitation=one, made_by=one.tester, record=77, **said)


def test_what_an_invited_tester_said_stays() -> None:
    one = invited()
    said = {"grounds": "so", "certainty": "sure"}
    made = claim(one.test, invitation=one, made_by=one.tester, **said)
    for new in ({"grounds": "otherwise"}, {"certainty": "guess"}, {"invitation": invited(one.test)}):
        with refused("stays as it was made"):
            change(made, **new)
    other = claim(one.test)
    with refused("stays as it was made"):
        change(other, invitation=one, **said)


def test_a_record_that_two_testers_claim_is_of_one_person() -> None:
    first = invited()
    second, checked = (
        invited(first.test),
        {"verdict": "right", "checked_by": account(), "checked_at": timezone.now()},
    )
    for number, one in enumerate((first, second), 1):
        made = claim(
            first.test, invitation=one, made_by=one.tester, number=number, record=5, grounds="so", certainty="sure"
        )  # fmt: skip
        change(made, **checked)
    with allowed():
        change(first.test, **end() | {"attempts": 1})
