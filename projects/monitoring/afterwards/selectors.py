"""Which releases have ended with copies still out, whose these are, and what was concluded about them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from approvals.governance.person import Person
from projects.core.deadlines import months_later
from projects.core.models import Project
from projects.core.selectors import in_visible
from projects.processing.models import RunTable
from projects.releases.deliveries.copies.selectors import Copy, copies_of_releases, with_copies_out
from projects.releases.deliveries.files import sealed_files
from projects.releases.models import Publication, Release

from ..amendments.yardstick import yardstick_of
from ..models import LaterReassessment, Reassessment
from ..report import Remeasurement

DAYS_BEFORE_DUE = 14
"""A re-assessment is opened so many days before it is due."""


@dataclass(frozen=True)
class StillOut:
    """What of a release is out: ``copies`` that nobody has stated to be destroyed, ``stated`` others, and its ``publications``,
    which anybody could fetch."""

    copies: Sequence[Copy]
    stated: int
    publications: Sequence[Publication]

    @property
    def is_public(self) -> bool:
        return bool(self.publications)

    @property
    def fetched(self) -> int:
        """How often a file was fetched by whoever wanted it."""
        return sum(one.fetched for one in self.publications)

    @property
    def published_on(self) -> date | None:
        """Since when it was public."""
        days = [timezone.localdate(one.published_at) for one in self.publications]
        return min(days) if days else None

    def __bool__(self) -> bool:
        return bool(self.copies or self.publications)

    def as_json(self) -> dict[str, Any]:
        """As it is kept with a conclusion and given to programs."""
        return {
            "copies": [
                {
                    "recipient": str(one.recipient),
                    "fetched_on": timezone.localdate(one.fetched_at).isoformat(),
                    "over_since": one.over_since.isoformat() if one.over_since else "",
                }
                for one in self.copies
            ],
            "stated": self.stated,
            "public": self.is_public,
            "published_on": self.published_on.isoformat() if self.published_on else "",
            "fetched": self.fetched,
        }


def still_out(releases: Iterable[Release]) -> dict[uuid.UUID, StillOut]:
    """Of each release what is out; the statements are as many for one as for all."""
    found = list(releases)
    copies = copies_of_releases(found)
    public: dict[uuid.UUID, list[Publication]] = {}
    published = Publication.objects.filter(
        release__in=[one.pk for one in found], published_at__isnull=False
    ).prefetch_related("downloads")
    for one in published:
        public.setdefault(one.release_id, []).append(one)
    return {
        one.pk: StillOut(
            copies=[copy for copy in copies.get(one.pk, ()) if copy.statement is None],
            stated=sum(copy.statement is not None for copy in copies.get(one.pk, ())),
            publications=public.get(one.pk, ()),
        )
        for one in found
    }


def out_of(release: Release) -> StillOut:
    return still_out([release])[release.pk]


def ended_releases(project: Project) -> QuerySet[Release]:
    """Those of a project, the last that ended first."""
    return Release.objects.filter(project=project, ended_at__isnull=False).order_by("-ended_at")


def ended_get(project: Project, release_id: uuid.UUID) -> Release:
    return ended_releases(project).select_related("project", "released_by").get(pk=release_id)


def releases_to_assess() -> list[Release]:
    """The releases of all projects whose next re-assessment is to be opened by now."""
    today, horizon = timezone.localdate(), timezone.now() - timedelta(days=DAYS_BEFORE_DUE)
    open_ones = LaterReassessment.objects.filter(release=OuterRef("pk"), concluded_at=None)
    ended = Release.objects.filter(~Exists(open_ones), ended_at__isnull=False)
    # An interval is a month at least: what was assessed a few days ago is not asked about any further.
    last = Coalesce(Max("later_reassessments__concluded_at"), "ended_at")
    found: Any = with_copies_out(ended).annotate(last=last).filter(last__lte=horizon)
    found = found.select_related("project", "released_by").order_by("ended_at", "pk")
    soon = today + timedelta(days=DAYS_BEFORE_DUE)
    return [one for one in found if next_due(one, one.last, interval_of(one.project)) <= soon]


def laters_of_nothing() -> QuerySet[LaterReassessment]:
    """Those not concluded of all projects of whose release no copy is out any more, and which have not found that a target is missed."""
    out = with_copies_out(Release.objects.filter(pk=OuterRef("release")))
    found = LaterReassessment.objects.filter(~Exists(out), concluded_at=None).exclude(met=False)
    return found.select_related("project", "release__project").order_by("due_on", "pk")


def later_waiting(release: Release) -> LaterReassessment | None:
    """The one of a release that nobody has concluded."""
    found = LaterReassessment.objects.filter(release=release, concluded_at=None)
    return found.select_related("project", "release__project").first()


def interval_of(project: Project) -> int:
    """Months from one re-assessment to the next, by the targets of today."""
    return int(yardstick_of(project).risk.reassess_months)


def next_due(release: Release, last: datetime | None, months: int) -> date:
    """The day by which copies that are out are assessed: so many ``months`` after the ``last`` conclusion about them, or after the end
    of the release."""
    assert release.ended_at is not None  # of what has ended
    return months_later(timezone.localdate(last or release.ended_at), months)


def last_concluded(release: Release) -> datetime | None:
    """When the last re-assessment of its copies was concluded or ended."""
    moment: datetime | None = LaterReassessment.objects.filter(release=release).aggregate(
        last=Max("concluded_at")
    )["last"]
    return moment


def later_of(project: Project) -> QuerySet[LaterReassessment]:
    """All of a project, the newest first."""
    found = LaterReassessment.objects.filter(project=project)
    return found.select_related("project", "release__released_by", "concluded_by")


def later_get(project: Project, later_id: uuid.UUID) -> LaterReassessment:
    return later_of(project).get(pk=later_id)


def later_newest(releases: Iterable[Release]) -> dict[uuid.UUID, LaterReassessment]:
    """The newest of each release."""
    found = LaterReassessment.objects.filter(release__in=[one.pk for one in releases])
    return {one.release_id: one for one in found.select_related("concluded_by").order_by("opened_at")}


def later_board(user: Person) -> QuerySet[LaterReassessment]:
    """Those not concluded in the projects that ``user`` may see, the most urgent first."""
    found = LaterReassessment.objects.filter(in_visible(user), concluded_at=None)
    return found.select_related("project", "release").defer("release__files").order_by("due_on", "pk")


def can_be_measured(release: Release) -> bool:
    """Whether the bytes that were released, and the data that they are compared with, are still held."""
    tables = RunTable.objects.filter(run_id=release.run_id)
    gone = Q(dataset__stored__destroyed_at__isnull=False) | Q(subjects__destroyed_at__isnull=False)
    if tables.filter(gone).exists():
        return False
    return all(
        stored is not None and stored.destroyed_at is None for stored, _sealed in sealed_files(release)
    )


@dataclass(frozen=True)
class LastMeasured:
    """What was measured of the released file last, and when."""

    at: datetime
    found: Remeasurement


def last_measured(release: Release) -> LastMeasured | None:
    """In whichever re-assessment that was; None where there was none."""
    found = [
        LastMeasured(one.measured_at, one.remeasured)
        for model in (Reassessment, LaterReassessment)
        for one in model.objects.filter(release=release)
        .exclude(measured_at=None)
        .order_by("-measured_at")[:1]
        if one.measured_at is not None
    ]
    return max(found, key=lambda one: one.at, default=None)
