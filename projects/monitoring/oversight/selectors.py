"""Reading what senior management found in the records of stages."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from approvals.decisions.models import ManagementReview
from approvals.decisions.selectors import management_reviews_of
from projects.core.models import Project
from projects.findings.enums import FindingSource
from projects.findings.models import Finding
from projects.workflow import STAGES, Stage

REVIEWED_STAGES = tuple(stage for stage, row in STAGES.items() if row.review is not None)


def of_stage(project: Project, stage: Stage) -> list[ManagementReview]:
    """Those of one stage, youngest first."""
    return [one for one in management_reviews_of(project.pk) if one.stage == stage]


def findings_by_review(reviews: Sequence[ManagementReview]) -> dict[uuid.UUID, list[Finding]]:
    """The findings that each of ``reviews`` raised, by number; one statement for all, none where there are no reviews."""
    raised: dict[uuid.UUID, list[Finding]] = {one.pk: [] for one in reviews}
    if raised:
        found = Finding.objects.filter(source=FindingSource.MANAGEMENT, origin_id__in=list(raised))
        for finding in found.select_related("project").order_by("number"):
            assert finding.origin_id is not None  # as the filter requires
            raised[finding.origin_id].append(finding)
    return raised
