"""What senior management found in the records of a stage, written with the findings that it raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from approvals.decisions.events import RECORDS_REVIEWED
from approvals.decisions.models import ManagementOutcome, ManagementReview
from approvals.decisions.selectors import review_latest
from approvals.decisions.services import management_review_record
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.services import notify, project_lock
from projects.findings.enums import FindingSource
from projects.findings.services import finding_raise
from projects.workflow import Role, Stage

from ..reasons import MonitoringReason
from .rules import may_conclude_so, may_review_records

NOTIFIED = (Role.PLANNER, Role.SUPERVISOR)


def records_review(
    project: Project,
    stage: Stage,
    *,
    content: str,
    object: str,
    time: datetime,
    process: str,
    result: str,
    measures: str,
    outcome: ManagementOutcome,
    by: Person,
    deviations: Sequence[Mapping[str, Any]] = (),
) -> ManagementReview:
    """Record the review with its five fields (5.6.1). The project stays where it is.

    ``content`` is the hash of what was looked at; ``deviations`` are the arguments of ``finding_raise`` for each, but for where it
    was found. Review and findings are written together or not at all.
    """
    outcome = ManagementOutcome(outcome)
    with governed_act():
        project = project_lock(project)
        may_review_records(by, project, stage).require()
        may_conclude_so(outcome, len(deviations)).require()
        review, judged = review_latest(project.pk, stage), content_of(project, stage)
        assert review is not None  # as the rule requires
        assert judged is not None
        if judged.hash != content:
            deny(MonitoringReason.CONTENT_CHANGED).require()
        made = management_review_record(
            review,
            subject=judged,
            object=object,
            time=time,
            process=process,
            result=result,
            measures=measures,
            outcome=outcome,
            by=by,
        )
        about = {"source": FindingSource.MANAGEMENT, "origin_id": made.pk, "stage": stage}
        for deviation in deviations:
            finding_raise(project, **(dict(deviation) | about), by=by)
        notify(project, RECORDS_REVIEWED, NOTIFIED, by=by, stage=str(stage), outcome=str(outcome))
        return made
