"""What the database itself refuses about impact assessments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from projects.impact.models import ImpactAssessment
from tests.projects.rows import account, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def assessment(**given: Any) -> ImpactAssessment:
    return put(ImpactAssessment, **({"outcome": "waiting", "content": {"level": "low"}} | given))


def decided(by: Any, outcome: str = "concluded") -> dict[str, Any]:
    return {"outcome": outcome, "decided_by": by, "decided_at": timezone.now(), "reason": "agreed"}


def test_nobody_decides_about_their_own_under_another_account() -> None:
    mine = account()
    second, row = account(mine), assessment(made_by=mine)
    with refused("under another account"):
        change(row, **decided(second))
    with refused("under another account"):
        assessment(made_by=mine, **decided(second))
    with allowed():
        change(row, **decided(account()))
    # Others who have two accounts, as the one who laid it down has.
    other = account()
    account(other)
    with allowed():
        change(row, **decided(other))
    with allowed():
        assessment(made_by=mine, **decided(other))


def test_a_decision_of_persons_who_are_linked_later_is_not_stuck() -> None:
    mine, judge = account(), account()
    row = assessment(made_by=mine, **decided(judge))
    account(judge)
    change(mine, person_id=judge.pk)
    with allowed():
        change(row, reason="agreed")


@pytest.mark.parametrize("waiting", [True, False])
@pytest.mark.parametrize(
    "name", ["content", "occasions", "about", "number", "content_hash", "made_by", "project"]
)
def test_what_was_laid_down_stays(name: str, waiting: bool) -> None:
    row = assessment(**({} if waiting else decided(account())))
    new = {"content": {}, "occasions": ["public"]}
    with refused("stays as it was laid down"):
        change(row, **({name: new[name]} if name in new else another(row, name)))


def test_what_was_decided_stays_and_is_kept() -> None:
    row = assessment(**decided(account()))
    for other in (
        {"outcome": "turned_down"},
        {"decided_by": account()},
        {"reason": "another"},
        {"outcome": "waiting", "decided_by": None, "decided_at": None},
    ):
        with refused("decided as it was decided"):
            change(row, **other)
    with refused("is kept"):
        delete(row)
