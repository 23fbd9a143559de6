"""The sources of findings that this package knows itself: reviews of stages, spot checks, and samples of recipients."""

from __future__ import annotations

import uuid

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.decisions.models import Review
from projects.core.models import Project
from projects.workflow import MONITORING_PAGE, Stage

from .enums import FindingSource
from .models import CheckedStep, ReceivedSample
from .origins import Origin, origin_of
from .received import events, home, triggers  # noqa: F401


@origin_of(FindingSource.REVIEW)
def review(project: Project, origin_id: uuid.UUID) -> Origin | None:
    found = Review.objects.filter(project_id=project.pk, pk=origin_id).first()
    if found is None:
        return None
    stage = Stage(found.stage)
    label = _("Review of the stage “%(stage)s”") % {"stage": stage.label}
    return Origin(label, reverse(MONITORING_PAGE, args=[project.pk]), stage)


@origin_of(FindingSource.SPOT_CHECK)
def spot_check(project: Project, origin_id: uuid.UUID) -> Origin | None:
    found = CheckedStep.objects.filter(project=project, pk=origin_id).select_related("spot_check").first()
    if found is None:
        return None
    stage = Stage(found.stage)
    label = _("Spot check %(number)s, “%(stage)s”") % {"number": found.spot_check, "stage": stage.label}
    return Origin(label, reverse("findings:page", args=[project.pk]), stage)


@origin_of(FindingSource.RECEIVED)
def received(project: Project, origin_id: uuid.UUID) -> Origin | None:
    found = (
        ReceivedSample.objects.filter(release__project=project, pk=origin_id)
        .select_related("release")
        .first()
    )
    if found is None:
        return None
    label = _("Sample “%(number)s”") % {"number": found}
    return Origin(label, reverse("findings:page", args=[project.pk]), Stage.RELEASE)
