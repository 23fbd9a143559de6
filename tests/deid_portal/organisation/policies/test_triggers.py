"""What the database itself refuses about the policy library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from deid_portal.organisation.models import Policy, PolicyVersion
from tests.projects.rows import account, allowed, appoint, change, put, refused, unkept

pytestmark = pytest.mark.django_db
NOBODY = "senior management approves an internal policy"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def entry(kind: str) -> Policy:
    return put(Policy, kind=kind, owner=account())


def version(of: Policy, **given: Any) -> PolicyVersion:
    return put(
        PolicyVersion, policy=of, **{"made_by": account(), "text": "so it is", "reason": "why"} | given
    )


def decided(by: User) -> dict[str, Any]:
    said = {"status": "turned_down", "decision_reason": "so it is"}
    return said | {"decided_by": by, "decided_at": timezone.now()}


def appointed_as(post: str, **given: Any) -> User:
    """Who has this appointment alone."""
    made = put(User, username=str(uuid4()))
    appoint(made, post, **given)
    return made


@pytest.mark.parametrize("event", ["insert", "update"])
def test_an_internal_policy_is_approved_by_who_is_appointed_to_manage(event: str) -> None:
    """Others manage too, and there are entries of the other kind and appointments that nobody confirmed."""
    policy, law = entry("policy"), entry("law")
    manager, *others = (
        appointed_as("management"),
        appointed_as("supervisor"),
        appointed_as("management", status="ended", ended_at=timezone.now(), end_reason="over"),
    )
    appointed_as("management")

    def approve(of: Policy, by: User) -> None:
        if event == "insert":
            version(of, **decided(by))
        else:
            change(version(of), **decided(by))

    for nobody in others:
        with refused(NOBODY):
            approve(policy, nobody)
        with allowed():
            approve(law, nobody)
    with allowed():
        approve(policy, manager)
    with allowed():
        change(version(policy), status="proposed")


def test_nobody_approves_what_they_proposed_under_another_account() -> None:
    policy, mine = entry("policy"), account()
    second, other = account(mine), account()
    account(other)
    row = version(policy, made_by=mine)
    with refused("under another account"):
        change(row, **decided(second))
    with refused("under another account"):
        version(policy, made_by=mine, **decided(second))
    with allowed():
        change(row, **decided(other))
    with allowed():
        version(policy, made_by=mine, **decided(other))
    change(row, **decided(other))
    # Persons who are linked later stop nothing that was decided before.
    change(mine, person_id=other.person_id)
    with allowed():
        change(row, number=row.number)
