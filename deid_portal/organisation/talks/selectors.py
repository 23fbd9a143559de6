"""Reading the record of talks."""

from __future__ import annotations

import uuid

from django.db.models import Count, Q, QuerySet

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import visible_projects

from .enums import CounterpartKind
from .models import FollowUp, Talk


def talks(*, kind: str = "", wanted: str = "") -> QuerySet[Talk]:
    """Every one, the latest first, with how many of its follow-ups are open: ``open_count``. ``wanted`` is looked for in the names,
    the subject and what was said and corrected."""
    found = Talk.objects.select_related("recorded_by").order_by("-held_on", "-recorded_at", "pk")
    if kind in CounterpartKind.values:
        found = found.filter(kind=kind)
    if wanted:
        said = Q(counterpart__icontains=wanted) | Q(topic__icontains=wanted) | Q(outcome__icontains=wanted)
        corrected = Talk.objects.filter(corrections__text__icontains=wanted).values("pk")
        found = found.filter(said | Q(pk__in=corrected))
    return found.annotate(open_count=Count("follow_ups", filter=Q(follow_ups__closed_at=None)))


def talk_get(talk_id: uuid.UUID) -> Talk:
    """Raises ``Talk.DoesNotExist``."""
    return talks().select_related("policy").get(pk=talk_id)


def follow_up_get(talk_id: uuid.UUID, follow_up_id: uuid.UUID) -> FollowUp:
    """Raises ``FollowUp.DoesNotExist``, also for one of another talk."""
    return FollowUp.objects.select_related("talk", "owner").get(pk=follow_up_id, talk=talk_id)


def owns_follow_up(user: Person, talk: Talk) -> bool:
    """Whether something was to be done by ``user`` after it."""
    return FollowUp.objects.filter(talk=talk, owner=user.pk).exists()


def projects_seen(talk: Talk, user: Person) -> QuerySet[Project]:
    """Of the projects that it concerns those of which ``user`` may know."""
    return visible_projects(user).filter(pk__in=talk.projects.values("project")).order_by("-number")
