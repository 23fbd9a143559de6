"""What the database itself refuses about secret shares: that one person comes to hold two numbers (A.2.6)."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.releases.models import ShareHolding
from tests.projects.rows import account, allowed, another, change, delete, put, refused, unkept

pytestmark = pytest.mark.django_db
HERE, ELSEWHERE = uuid.uuid4(), uuid.uuid4()
ONE_NUMBER = "nobody holds shares of two numbers"


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def hold(holder: User, number: int, project: uuid.UUID = HERE) -> ShareHolding:
    return put(ShareHolding, holder=holder, number=number, project_id=project)


def test_nobody_holds_two_numbers_under_two_accounts():
    person = account()
    second = account(person)
    first = hold(person, 1)
    with refused(ONE_NUMBER):
        hold(second, 2)
    # Nor one after the other.
    change(first, ended_at=timezone.now())
    with refused(ONE_NUMBER):
        hold(second, 2)
    for holder, number, project in (
        (second, 1, HERE),
        (second, 2, ELSEWHERE),
        (account(), 2, HERE),
        (account(account()), 2, HERE),
    ):
        with allowed():
            hold(holder, number, project)


def test_a_holding_ends_whoever_turned_out_to_be_one_person():
    person, other = account(), account()
    rows = [hold(person, 1), hold(other, 2)]
    account(person)
    change(other, person_id=person.pk)
    for row in rows:
        with allowed():
            change(row, ended_at=timezone.now())


@pytest.mark.parametrize("name", ["project_id", "number", "holder_id"])
def test_a_number_is_never_exchanged(name):
    row = hold(account(), 1)
    with refused("a number of shares is never exchanged"):
        change(row, **another(row, name))
    with allowed():
        change(row, ended_at=timezone.now())


def test_a_holding_is_never_deleted():
    row = hold(account(), 1)
    with refused("a holding is ended, never deleted"):
        delete(row)
