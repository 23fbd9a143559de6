"""Reading deputations."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from approvals.governance.person import Person
from projects.core.selectors import people_for_roles
from projects.workflow.posts import AppointedPost

from ..models import Deputation, User
from .enums import DEPUTISED, DeputationStatus


def deputations() -> QuerySet[Deputation]:
    """All, the newest first, with everybody whom they name."""
    return Deputation.objects.select_related(
        "account", "deputy", "given_by__origin", "decided_by", "ended_by"
    )


def deputations_of(user: Person) -> QuerySet[Deputation]:
    """Those in which somebody has a deputy, or is one."""
    return deputations().filter(Q(account=user) | Q(deputy=user))


def deputations_waiting() -> QuerySet[Deputation]:
    return deputations().filter(status=DeputationStatus.WAITS)


def posts_of(account: User) -> list[AppointedPost]:
    """The posts of an account whose holders may have a deputy."""
    return [post for post in AppointedPost if post.value in DEPUTISED and account.tenure(post)]


def deputies_possible(account: User) -> list[Any]:
    """Who holds a post that ``account`` holds too; which of them may, the rule says."""
    posts = posts_of(account)
    return [
        one for one in people_for_roles().exclude(pk=account.pk) if any(one.tenure(post) for post in posts)
    ]
