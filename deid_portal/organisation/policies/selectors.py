"""Reading the policy library."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone

from approvals.governance.person import Person
from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.core.selectors import visible_projects
from projects.objective.models import Objective
from projects.workflow import TERMINAL

from ..proposals.models import ProposalStatus
from .enums import CONCERNED
from .models import Policy, PolicyAcknowledgement, PolicyReview, PolicyVersion


@dataclass(frozen=True)
class Reader:
    """Somebody whom the version in force concerns, and when they acknowledged it; None: not yet."""

    person: User
    at: datetime | None


@dataclass(frozen=True)
class Entry:
    """An entry as the list shows it: the version in force, and how many of those concerned have acknowledged it."""

    policy: Policy
    version: PolicyVersion | None
    waits: bool
    concerned: int
    acknowledged: int


def policy_get(policy_id: uuid.UUID) -> Policy:
    """Raises ``Policy.DoesNotExist``."""
    return Policy.objects.select_related("owner").get(pk=policy_id)


def versions_of(policy: Policy) -> QuerySet[PolicyVersion]:
    """Every version, the newest first."""
    return PolicyVersion.objects.filter(policy=policy).select_related("policy", "made_by", "decided_by")


def version_get(policy_id: uuid.UUID, version_id: uuid.UUID) -> PolicyVersion:
    """Raises ``PolicyVersion.DoesNotExist``, also for a version of another entry."""
    found = PolicyVersion.objects.select_related("policy", "made_by", "decided_by", "stored")
    return found.get(pk=version_id, policy=policy_id)


def in_force_of(policy: Policy) -> PolicyVersion | None:
    """The version that was approved last."""
    return versions_of(policy).filter(status=ProposalStatus.IN_FORCE).first()


def reviews_of(policy: Policy) -> QuerySet[PolicyReview]:
    return PolicyReview.objects.filter(policy=policy).select_related("by")


def _inside() -> QuerySet[User]:
    lasts = Q(access_until=None) | Q(access_until__gte=timezone.localdate())
    return User.objects.filter(lasts, is_active=True)


def owners() -> QuerySet[User]:
    """Who may own an entry."""
    return _inside().filter(post__in=CONCERNED).order_by("full_name")


def readers_of(version: PolicyVersion) -> list[Reader]:
    """Whom the version concerns: who has not acknowledged it first, then by name."""
    read = dict(PolicyAcknowledgement.objects.filter(version=version).order_by().values_list("by", "at"))
    people = _inside().filter(post__in=version.concerns).order_by("full_name")
    found = [Reader(person, read.get(person.pk)) for person in people]
    return sorted(found, key=lambda one: one.at is not None)


def has_acknowledged(user: Person, version: PolicyVersion) -> bool:
    return PolicyAcknowledgement.objects.filter(version=version, by=user.pk).exists()


def entries() -> list[Entry]:
    """The library, by kind and title."""
    current = PolicyVersion.objects.filter(
        status__in=(ProposalStatus.IN_FORCE, ProposalStatus.PROPOSED)
    ).defer("text")
    policies = Policy.objects.select_related("owner").prefetch_related(
        Prefetch("versions", queryset=current, to_attr="now")
    )
    by_post = dict(_inside().order_by().values_list("post").annotate(n=Count("pk")))
    read = {
        (row["version"], row["by__post"]): row["n"]
        for row in PolicyAcknowledgement.objects.filter(
            version__status=ProposalStatus.IN_FORCE, by__in=_inside()
        )
        .order_by()
        .values("version", "by__post")
        .annotate(n=Count("pk"))
    }
    found = []
    for policy in policies:
        held = {one.status: one for one in policy.now}
        version = held.get(ProposalStatus.IN_FORCE)
        posts = version.concerns if version is not None else []
        found.append(
            Entry(
                policy,
                version,
                waits=ProposalStatus.PROPOSED in held,
                concerned=sum(by_post.get(post, 0) for post in posts),
                acknowledged=sum(read.get((version.pk, post), 0) for post in posts) if version else 0,
            )
        )
    return found


def resting_on(policy: Policy) -> list[tuple[Project, int]]:
    """The projects that are not over and rest on a version of ``policy``, each with its number."""
    found = Objective.objects.filter(rests_on__isnull=False).exclude(project__state__in=TERMINAL)
    rows = found.select_related("project").only("rests_on", "project")
    return [
        (row.project, int(ground["version"]))
        for row in rows
        for ground in row.rests_on or ()
        if ground["policy"] == str(policy.pk)
    ]


def resting_seen(policy: Policy, user: Person) -> list[tuple[Project, int]]:
    """Of :func:`resting_on`, what ``user`` may know of."""
    rows = resting_on(policy)
    seen = set(visible_projects(user).filter(pk__in=[p.pk for p, _n in rows]).values_list("pk", flat=True))
    return [(project, number) for project, number in rows if project.pk in seen]
