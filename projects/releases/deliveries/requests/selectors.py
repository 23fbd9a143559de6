"""Reading requests to fetch, and fetches."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.core.models import Project

from .enums import FetchState
from .models import Fetch, FetchRequest, still_agreed

if TYPE_CHECKING:
    from ...models import Release


def _whole(found: QuerySet[FetchRequest]) -> QuerySet[FetchRequest]:
    related = found.select_related(
        "project", "release__project", "recipient", "decision__decided_by", "fetch"
    )
    return _agreed_along(related)


def _agreed_along(found: QuerySet[FetchRequest]) -> QuerySet[FetchRequest]:
    """Each with what its state asks about its agreement."""
    return found.annotate(agreed=Exists(still_agreed(FetchRequest.objects.filter(pk=OuterRef("pk")))))


def requests_of(project: Project) -> QuerySet[FetchRequest]:
    """All of them, the newest first."""
    return _whole(FetchRequest.objects.filter(project=project))


def requests_by(user: Person, release: Release) -> QuerySet[FetchRequest]:
    """What this person requested of a release, the newest first."""
    return _whole(FetchRequest.objects.filter(release=release, recipient=user.pk))


def request_get(project: Project, request_id: uuid.UUID) -> FetchRequest:
    return requests_of(project).get(pk=request_id)


def states_with(user: Person, release: Release, file: int) -> list[FetchState]:
    """The states of what ``user`` requested of one file of a release, the newest first."""
    return [one.state for one in requested(user.pk) if one.release_id == release.pk and one.file == file]


@cached_read
def requested(user_id: Any) -> list[FetchRequest]:
    """All that one person ever requested to fetch, of each project the newest first: a list of releases asks about every row."""
    found = FetchRequest.objects.filter(recipient=user_id)
    return list(_agreed_along(found.select_related("project", "release__project", "decision", "fetch")))


def approval_column(file: int) -> Subquery:
    """Of a row of deliveries: the request whose approval serves the next fetch of a file, the one whose time is over first."""
    found = FetchRequest.objects.filter(
        release=OuterRef("release"),
        recipient=OuterRef("recipient"),
        file=file,
        decision__approved=True,
        decision__holds_until__gte=timezone.now(),
        fetch=None,
    )
    return Subquery(still_agreed(found).order_by("decision__holds_until").values("pk")[:1])


def _fetches(found: QuerySet[Fetch]) -> QuerySet[Fetch]:
    return found.select_related(
        "project", "delivery__release", "delivery__recipient", "agreement", "request__decision__decided_by"
    )


def fetches_of(project: Project) -> QuerySet[Fetch]:
    """All that was handed to recipients since each fetch is kept, the newest first."""
    return _fetches(Fetch.objects.filter(project=project))


def fetches_by(user: Person, release: Release) -> QuerySet[Fetch]:
    """What this person fetched of a release, the newest first."""
    return _fetches(Fetch.objects.filter(delivery__release=release, delivery__recipient=user.pk))


def place_of(fetch: Fetch) -> int:
    """The how manieth fetch of its project it was; fetches are never removed."""
    before = Q(fetched_at__lt=fetch.fetched_at) | Q(fetched_at=fetch.fetched_at, pk__lte=fetch.pk)
    return Fetch.objects.filter(before, project=fetch.project).count()


def fetch_whole(fetch_id: Any) -> Fetch:
    """One fetch with all that its slip says."""
    return _fetches(Fetch.objects.all()).get(pk=fetch_id)
