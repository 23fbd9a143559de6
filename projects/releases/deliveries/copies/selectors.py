"""Which copies were fetched, since when nobody may have them, and who has stated that theirs is destroyed."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on
from projects.core.enums import SharingType
from projects.core.models import Project

from ...models import Agreement, CopyStatement, Delivery, Publication, Release

DAYS = 14
"""So many days after their time is over recipients state what became of their copies."""


@dataclass(frozen=True)
class Copy:
    """What one recipient fetched of one release: last when, since when it may not be kept, and what was stated of it."""

    release: Release
    recipient: Any
    fetched_at: datetime
    over_since: date | None
    statement: CopyStatement | None

    @property
    def deadline(self) -> Deadline | None:
        """The day by which its destruction is to be stated; None while it may be kept."""
        return None if self.over_since is None else deadline_on(self.over_since + timedelta(days=DAYS))

    @property
    def is_missing(self) -> bool:
        """Whether its time is over and nothing was stated."""
        return self.over_since is not None and self.statement is None


def copies_of(project: Project) -> list[Copy]:
    """Every copy that recipients fetched of the releases of a project, by when it was first fetched."""
    return _copies(Delivery.objects.filter(release__project=project))


def copies_of_releases(releases: Iterable[Release]) -> dict[uuid.UUID, list[Copy]]:
    """Every copy that recipients fetched, by release, in the order in which they were."""
    found: dict[uuid.UUID, list[Copy]] = {}
    for copy in _copies(Delivery.objects.filter(release__in=[one.pk for one in releases])):
        found.setdefault(copy.release.pk, []).append(copy)
    return found


def with_copies_out(releases: QuerySet[Release]) -> QuerySet[Release]:
    """Those of which somebody fetched a copy and has not stated since that it is destroyed, or of which one was public."""
    stated = CopyStatement.objects.filter(
        release=OuterRef("release"), recipient=OuterRef("recipient"), stated_at__gte=OuterRef("fetched_at")
    )
    fetched = Delivery.objects.filter(~Exists(stated), release=OuterRef("pk"), fetched_at__isnull=False)
    public = Publication.objects.filter(release=OuterRef("pk"), published_at__isnull=False)
    return releases.filter(Q(Exists(fetched)) | Q(Exists(public)))


def copies_under(agreements: QuerySet[Agreement]) -> list[Copy]:
    """Every copy that was fetched, last, under one of ``agreements``."""
    over = Q(ended_at=None) | Q(ended_at__gte=OuterRef("fetched_at"))
    under = agreements.order_by().filter(
        over,
        project=OuterRef("release__project"),
        recipient=OuterRef("recipient"),
        recorded_at__lte=OuterRef("fetched_at"),
    )
    return _copies(Delivery.objects.filter(Exists(under)), agreements)


def copies_with(user: Person) -> list[Copy]:
    """Every copy that ``user`` fetched."""
    return _copies(Delivery.objects.filter(recipient=user.pk))


def copy_of(user: Person, release: Release) -> Copy | None:
    """The copy that ``user`` fetched of ``release``, if any."""
    return next(iter(_copies(Delivery.objects.filter(recipient=user.pk, release=release))), None)


def _copies(deliveries: Any, under: QuerySet[Agreement] | None = None) -> list[Copy]:
    """``under``: the agreements by which somebody may keep a copy, where it is not every one of the project."""
    rows = deliveries.filter(fetched_at__isnull=False).select_related("release__project", "recipient")
    last = {(one.release_id, one.recipient_id): one for one in rows.order_by("fetched_at")}
    if not last:
        return []
    releases = {release for release, _person in last}
    stated = {
        (one.release_id, one.recipient_id): one
        for one in CopyStatement.objects.filter(release__in=releases).order_by("stated_at")
    }
    projects = {one.release.project_id for one in last.values()}
    agreements: dict[tuple[Any, Any], list[Agreement]] = {}
    kept_by = Agreement.objects.all() if under is None else under.order_by()
    for agreement in kept_by.filter(project__in=projects):
        agreements.setdefault((agreement.project_id, agreement.recipient_id), []).append(agreement)
    return [
        Copy(
            one.release,
            one.recipient,
            one.fetched_at,
            _over_since(one.release, agreements.get((one.release.project_id, one.recipient_id), ())),
            _about(stated.get(key), one.fetched_at),
        )
        for key, one in last.items()
    ]


def _about(statement: CopyStatement | None, fetched_at: datetime) -> CopyStatement | None:
    """What was stated of what was fetched then: a copy that is fetched anew has nothing said of it yet."""
    return statement if statement is not None and statement.stated_at >= fetched_at else None


def _over_since(release: Release, agreements: Iterable[Agreement]) -> date | None:
    """The release has ended, or no agreement with its recipient is in force any more."""
    days = [] if release.ended_at is None else [timezone.localdate(release.ended_at)]
    if release.project.sharing_type != SharingType.PUBLIC and not any(one.in_force for one in agreements):
        days += [max(ends)] if (ends := [_end(one) for one in agreements]) else []
    return min(days) if days else None


def _end(agreement: Agreement) -> date:
    over = agreement.valid_until + timedelta(days=1)
    return over if agreement.ended_at is None else min(over, timezone.localdate(agreement.ended_at))
