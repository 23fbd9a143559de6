"""What the database itself refuses about keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from projects.vault.models import Secret
from projects.vault.purposes import ONCE, PROJECT_KEY
from tests.projects.rows import account, allowed, change, put, refused, unkept

pytestmark = pytest.mark.django_db
DESTROYED = {"destroyed_at": timezone.now(), "destroyed_why": "over"}
PROPOSED = {"proposed_at": timezone.now(), "proposed_why": "over"}


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def secret(purpose: str = PROJECT_KEY) -> Secret:
    return put(Secret, purpose=purpose, wrapped_key=b"x")


def test_no_key_is_destroyed_that_nobody_proposed() -> None:
    row = secret()
    with refused("after somebody else proposed it"):
        change(row, destroyed_by=account(), **DESTROYED)
    # Both in one statement is no proposal.
    with refused("after somebody else proposed it"):
        change(row, destroyed_by=account(), proposed_by=account(), **PROPOSED, **DESTROYED)
    change(row, proposed_by=account(), **PROPOSED)
    with refused("who proposed the destruction of a key stays"):
        change(row, destroyed_by=account(), proposed_by=account(), **DESTROYED)
    with allowed():
        change(row, destroyed_by=account(), **DESTROYED)


def test_a_key_whose_one_use_is_over_goes_without_a_proposal() -> None:
    with allowed():
        change(secret(ONCE % 3), destroyed_by=account(), **DESTROYED)


def test_what_is_destroyed_stays_so() -> None:
    row = secret(ONCE % 3)
    change(row, destroyed_by=account(), **DESTROYED)
    with refused("what is destroyed stays so"):
        change(row, destroyed_by=None, destroyed_at=None, destroyed_why="")
