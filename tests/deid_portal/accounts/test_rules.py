"""Who does what with accounts: administrators by post, never to themselves, and two of them where a sign-in is taken over."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from deid_portal.accounts import rules
from deid_portal.accounts.events import Lost
from deid_portal.accounts.models import ApiToken, Recovery, SecondStep, User
from projects.workflow.posts import LIMITED, Post
from tests.projects.rows import account, appoint, change, put, unkept

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()


@pytest.fixture(autouse=True)
def the_day_stays(monkeypatch):
    """A run over midnight would end on another day than the one that its cases were made for."""
    monkeypatch.setattr(timezone, "localdate", lambda: TODAY)


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


def administrator() -> User:
    return account(post=Post.ADMINISTRATOR)


def test_administrators_are_so_by_post_while_they_are_active():
    users = {post: account(post=post, access_until=TODAY if post in LIMITED else None) for post in Post}
    assert [post for post, user in users.items() if rules.may_administer(user)] == [Post.ADMINISTRATOR]
    assert rules.may_administer(account(is_superuser=True)).code == "not_an_administrator"
    for days, allowed in ((-1, False), (0, True)):
        until = TODAY + timedelta(days=days)
        assert bool(rules.may_administer(account(post=Post.ADMINISTRATOR, access_until=until))) == allowed
    assert not rules.may_administer(account(post=Post.ADMINISTRATOR, is_active=False))


def test_nobody_does_it_to_their_own_account():
    by, other = administrator(), account()
    assert rules.may_administer_other(by, other)
    assert rules.may_administer_other(by, by).code == "not_yourself"
    assert rules.may_administer_other(other, by).code == "not_an_administrator"
    assert rules.may_administer_other(other, other).code == "not_an_administrator"


@pytest.mark.parametrize("lost", Lost)
def test_a_recovery_is_asked_for_once_and_for_what_there_is(lost):
    person = account()
    assert rules.may_ask_for_recovery(person, lost).code == (
        "" if lost == Lost.PASSWORD else "no_second_step"
    )
    step = put(SecondStep, user=person, confirmed=False)
    assert rules.may_ask_for_recovery(person, lost).code == (
        "" if lost == Lost.PASSWORD else "no_second_step"
    )
    change(step, confirmed=True)
    assert rules.may_ask_for_recovery(person, lost)
    row = put(Recovery, account=person, lost=lost, reason="lost it", asked_by=administrator())
    assert rules.may_ask_for_recovery(person, lost).code == "recovery_waits"
    assert rules.may_ask_for_recovery(account(), Lost.PASSWORD)
    other = next(one for one in Lost if one != lost)
    assert rules.may_ask_for_recovery(person, other)
    change(row, decided_at=timezone.now())
    assert rules.may_ask_for_recovery(person, lost)


def test_another_natural_person_allows_a_recovery():
    asking, person = administrator(), account()
    row = put(Recovery, account=person, lost=Lost.PASSWORD, reason="lost it", asked_by=asking)
    second = account(asking, post=Post.ADMINISTRATOR)
    for by in (fresh(asking), second):
        assert rules.may_decide_recovery(by, row, allow=True).code == "second_administrator"
        assert rules.may_decide_recovery(by, row, allow=False), "who asked takes it back"
    for allow in (True, False):
        assert rules.may_decide_recovery(administrator(), row, allow=allow)
        assert rules.may_decide_recovery(account(), row, allow=allow).code == "not_an_administrator"
    change(person, post=Post.ADMINISTRATOR)
    appoint(person, "administrator")
    made_by_asking = account(post=Post.ADMINISTRATOR, origin_id=asking.pk)
    assert rules.may_decide_recovery(made_by_asking, row, allow=True).code == "second_administrator"
    assert rules.may_decide_recovery(fresh(person), row, allow=True).code == "not_yourself"
    row.decided_at = timezone.now()
    assert rules.may_decide_recovery(administrator(), row, allow=True).code == "recovery_over"
    assert rules.may_decide_recovery(account(), row, allow=True).code == "not_an_administrator"


def test_a_token_neither_makes_nor_ends_another():
    token = ApiToken(pk=uuid.uuid4())
    assert rules.may_make_token(None)
    assert rules.may_make_token(token).code == "token_is_no_session"
    assert rules.may_revoke_token(None, uuid.uuid4())
    assert rules.may_revoke_token(token, token.pk)
    assert rules.may_revoke_token(token, uuid.uuid4()).code == "token_is_no_session"


def test_two_accounts_of_other_people_are_linked_and_taken_apart():
    by, one, other = administrator(), account(alone=True), account(alone=True)
    assert rules.may_link(by, one, other)
    assert rules.may_link(by, one, one).code == "same_account"
    assert rules.may_link(by, by, other).code == "not_yourself"
    assert rules.may_link(by, one, by).code == "not_yourself"
    assert rules.may_link(one, by, other).code == "not_an_administrator"
    assert rules.may_unlink(by, one).code == "not_linked"
    account(one)
    assert rules.may_unlink(by, one)
    assert rules.may_unlink(other, one).code == "not_an_administrator"
    account(by)
    assert rules.may_unlink(fresh(by), fresh(by)).code == "not_yourself"
