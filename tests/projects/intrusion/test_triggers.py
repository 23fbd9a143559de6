"""What the database itself refuses about intruder tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from projects.core.models import Project
from projects.intrusion.models import IntruderClaim, IntruderTest
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
