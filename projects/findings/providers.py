"""The sources of findings that this package knows itself, what its samples leave in the store, and what they say to who judges a result."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from django.db.models import Exists, F, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from approvals.decisions.models import Review
from projects.core.audit_package.registry import Enclosure, encloses
from projects.core.models import Project
from projects.core.pages import Pointer, points_from
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.datasets.upload.scans import scan_enclosure
from projects.verification.models import Verification
from projects.verification.reports.parts import ReportPart, reports_along
from projects.verification.selectors import latest_verification, reads_along
from projects.workflow import MONITORING_PAGE, Stage

from .assessments import events as assessment_events  # noqa: F401
from .assessments import triggers as assessment_triggers  # noqa: F401
from .assessments.selectors import documents_of
from .enums import FindingSource
from .inspected import events as inspected_events  # noqa: F401
from .inspected import home as inspected_home  # noqa: F401
from .inspected import triggers as inspected_triggers  # noqa: F401
from .inspected.presentation import drawn_text, record_text, statement
from .inspected.selectors import result_samples_of
from .models import AssessmentDocument, CheckedStep, ReceivedSample, ResultSample
from .origins import Origin, origin_of
from .received import events, home, triggers  # noqa: F401

holds_files(
    Holder(
        ResultSample,
        "content",
        HeldKind.RESULT,
        gettext_lazy("Records that were drawn from the result"),
        F("number"),
    ),
    Holder(
        ReceivedSample,
        "content",
        HeldKind.RESULT,
        gettext_lazy("Records that were drawn in the enclave"),
        F("number"),
        path="release__project",
    ),
    Holder(
        AssessmentDocument,
        "stored",
        HeldKind.EVIDENCE,
        gettext_lazy("Document of the outside body"),
        F("order__number"),
        path="order__project",
    ),
)
reads_along(
    "was_inspected", Exists(ResultSample.objects.filter(run=OuterRef("run"), reported_at__isnull=False))
)


@encloses
def assessment_documents(project: Project) -> Iterator[Enclosure]:
    """What the outside bodies themselves wrote of their assessments."""
    for one in documents_of(project):
        yield scan_enclosure(f"assessment-{one.order.number}", one.stored)


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


@origin_of(FindingSource.RESULT)
def result(project: Project, origin_id: uuid.UUID) -> Origin | None:
    found = ResultSample.objects.filter(project=project, pk=origin_id).select_related("project").first()
    if found is None:
        return None
    label = _("Sample “%(number)s” of the result") % {"number": found}
    url = reverse("findings:result_sample", args=[project.pk, found.pk])
    return Origin(label, url, Stage.VERIFICATION)


@points_from(Stage.VERIFICATION)
def inspected_pointer(project: Project) -> Pointer | None:
    """For who judges the result, on the page and in the approval report: what samples of it have shown."""
    newest = latest_verification(project)
    if newest is None or not newest.was_inspected:  # type: ignore[attr-defined]
        return None
    samples = ResultSample.objects.filter(run=newest.run_id, reported_at__isnull=False)
    lines = [
        _("%(number)s: %(drawn)s. %(statement)s")
        % {"number": f"C{one.number}", "drawn": drawn_text(one), "statement": statement(one)}
        for one in samples
    ]
    return Pointer(
        title=_("The supervisor has looked through records of this result"),
        text=" ".join(lines),
        url=reverse("findings:result_samples", args=[project.pk]),
        label=_("Samples of the result"),
        tone="info" if all(one.found == 0 for one in samples) else "warn",
    )


@reports_along
def inspected_part(verification: Verification) -> ReportPart | None:
    """In the approval report, signed or not: each sample of this result that was reported on, with what repeats its draw."""
    samples = result_samples_of(verification.project).filter(run=verification.run_id)
    rows = [(f"C{one.number}", record_text(one)) for one in samples.exclude(reported_at=None)]
    return ReportPart(_("Samples of the result that the supervisor looked through"), rows) if rows else None
