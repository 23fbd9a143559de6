"""Which projects have nobody who plans, and who could."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now, TruncDate

from projects.workflow import Role
from projects.workflow.posts import AppointedPost

from ..models import Membership, Project
from ..selectors import candidates

TODAY = TruncDate(Now())
_HELD = Q(
    user__appointments__post=AppointedPost.PLANNER,
    user__appointments__status="confirmed",
    user__appointments__starts_on__lte=TODAY,
) & (Q(user__appointments__ends_on=None) | Q(user__appointments__ends_on__gte=TODAY))


def is_planned(path: str = "pk") -> Exists:
    """Beside rows whose project is at ``path``: that somebody plans it who is active and holds the post today."""
    return Exists(
        Membership.objects.filter(
            _HELD, project=OuterRef(path), role=Role.PLANNER, ended_at=None, user__is_active=True
        )
    )


def successors(project: Project) -> list[Any]:
    """Who could plan the project: holders of the post without a role in it."""
    return [one for one in candidates(project) if one.tenure(AppointedPost.PLANNER)]


def projects_of(user_id: Any) -> QuerySet[Membership]:
    """The present roles of somebody, by the number of the project."""
    held = Membership.objects.filter(user=user_id, ended_at=None).select_related("project")
    return held.order_by("project__number")
