"""Reading re-assessments and changes, filtered by what the reader may see."""

from __future__ import annotations

import uuid

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import in_visible
from projects.releases.models import Release
from projects.verification.models import Verification
from projects.verification.reports.gate import Measurement

from .enums import ChangeKind
from .models import ChangeEvent, Reassessment


def reassessments_of(project: Project) -> QuerySet[Reassessment]:
    return (
        Reassessment.objects.filter(project=project)
        .select_related("change__reported_by", "release", "concluded_by", "project")
        .prefetch_related("acceptances__accepted_by")
    )


def reassessment_get(project: Project, reassessment_id: uuid.UUID) -> Reassessment:
    return reassessments_of(project).get(pk=reassessment_id)


def changes_of(project: Project) -> QuerySet[ChangeEvent]:
    return ChangeEvent.objects.filter(project=project).select_related("reported_by", "reassessment")


def board(user: Person) -> QuerySet[Reassessment]:
    """Every re-assessment not yet concluded in the projects that ``user`` may see, the most urgent first."""
    return (
        Reassessment.objects.filter(in_visible(user), concluded_at=None, release__ended_at=None)
        .select_related("project", "release", "change")
        .defer("release__files")
        .order_by("due_on", "pk")
    )


def counted(found: QuerySet[Reassessment]) -> dict[str, int]:
    """How many of the board are ``overdue``, how many are ``open`` beside these, and ``all`` of them; one statement."""
    late = Q(due_on__lt=timezone.localdate())
    return found.order_by().aggregate(
        all=Count("pk"),
        overdue=Count("pk", filter=late),
        open=Count("pk", filter=Q(opened_at__isnull=False) & ~late),
    )


def approved_measurement(release: Release) -> Measurement:
    """What was measured when the release was approved; nothing where that is no longer the verification that is sealed."""
    found = Verification.objects.filter(
        project_id=release.project_id, run_id=release.run_id, content_hash=release.verification_hash
    ).first()
    return found.measurement if found else Measurement()


def after_the_seal_broke(release: Release) -> Reassessment | None:
    """The look back that is open because the seal broke: the one that this opened, or the one that found it."""
    open_ones = Reassessment.objects.filter(release=release, opened_at__isnull=False, concluded_at=None)
    found = open_ones.filter(Q(change__kind=ChangeKind.SEAL) | Q(measurement__broken=True))
    return found.order_by("opened_at").first()


def is_looked_at(release: Release, kind: ChangeKind) -> bool:
    """Whether a look back that a change of ``kind`` called for waits for its conclusion."""
    waiting = Reassessment.objects.filter(release=release, change__kind=kind)
    return waiting.filter(concluded_at=None).exists()


def is_nothing_new(reassessment: Reassessment) -> bool:
    """Whether it was measured by what was signed and meets every target, no reported change of its release waits for a conclusion,
    and no other release is known to tell more of somebody together with it, or was not measured with it yet."""
    found = reassessment.remeasured
    if reassessment.measured_at is None or not found.met or found.amendments or reassessment.change_id:
        return False
    if found.relations is not None and not found.relations.is_settled:
        return False
    waiting = Reassessment.objects.filter(
        release=reassessment.release_id, change__isnull=False, concluded_at=None
    )
    return not waiting.exists()
