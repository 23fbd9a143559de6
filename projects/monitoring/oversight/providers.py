"""Where senior management's reviews of records are named: as the source of findings, and in the approval report."""

from __future__ import annotations

import uuid

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.decisions.selectors import management_reviews_of
from projects.core.models import Project
from projects.findings.enums import FindingSource
from projects.findings.origins import Origin, origin_of
from projects.verification.models import Verification
from projects.verification.reports.parts import ReportPart, reports_along
from projects.workflow import Stage

from .presentation import management_rows, record_text


@origin_of(FindingSource.MANAGEMENT)
def management_review(project: Project, origin_id: uuid.UUID) -> Origin | None:
    """The review of records in which something was found."""
    found = next((one for one in management_reviews_of(project.pk) if one.pk == origin_id), None)
    if found is None:
        return None
    stage = Stage(found.stage)
    label = _("Review by senior management of the records of the stage “%(stage)s”") % {"stage": stage.label}
    return Origin(label, reverse("monitoring:oversight", args=[project.pk, stage.value]), stage)


@reports_along
def management_part(verification: Verification) -> ReportPart | None:
    """In the approval report: every review of records in the project, the oldest first."""
    rows = management_rows(verification.project, management_reviews_of(verification.project_id))
    said = [(row.stage_label, record_text(row)) for row in reversed(rows)]
    return ReportPart(_("Reviews by senior management of the records of the stages"), said) if said else None
