"""Who reads and edits what outlives a project, and that a second person decides about a version."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from deid_portal.organisation import rules
from deid_portal.organisation.models import EnvironmentCoefficients
from deid_portal.organisation.proposals import rules as proposals
from projects.workflow.posts import LIMITED, Post
from tests.projects.rows import account, unkept

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


def of(post: Post, days: int = 0) -> User:
    return account(post=post, access_until=TODAY + timedelta(days=days) if post in LIMITED else None)


def test_everybody_inside_reads_and_assessors_while_their_time_lasts():
    assert [post for post in Post if rules.may_read_organisation(of(post))] == [
        p for p in Post if p not in (Post.RECIPIENT, Post.TESTER)
    ]
    assert rules.may_read_organisation(of(Post.ASSESSOR, -1)).code == "inside_only"
    assert rules.may_read_organisation(of(Post.RECIPIENT)).code == "inside_only"
    assert rules.may_read_organisation(account(is_active=False)).code == "inside_only"


def test_planners_and_administrators_edit_and_propose():
    for ask in (rules.may_edit_metadata, proposals.may_propose):
        assert [post for post in Post if ask(of(post))] == [Post.PLANNER, Post.ADMINISTRATOR]
        assert ask(account(is_superuser=True)).code == "not_an_editor"
        assert ask(account(post=Post.PLANNER, is_active=False)).code == "not_an_editor"


@pytest.mark.parametrize("status", ["proposed", "in_force", "turned_down", "replaced"])
def test_another_editor_decides_once(status):
    made_by = of(Post.PLANNER)
    second = account(made_by, post=Post.ADMINISTRATOR)
    row = EnvironmentCoefficients(made_by=User.objects.get(pk=made_by.pk), status=status)
    waits = status == "proposed"
    assert proposals.may_decide(of(Post.PLANNER), row).code == ("" if waits else "decided_already")
    for own in (User.objects.get(pk=made_by.pk), second):
        assert proposals.may_decide(own, row).code == ("own_proposal" if waits else "decided_already")
    assert proposals.may_decide(of(Post.STAFF), row).code == "not_an_editor"
