"""Who reviews the records of a stage for senior management, and when: never who handed them in or supervised the stage."""

from __future__ import annotations

from approvals.decisions.models import ManagementOutcome, ReviewOutcome
from approvals.decisions.selectors import passed_review, review_latest, reviews_of
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from approvals.request_cache import one_reading
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.rules import has_role
from projects.workflow import Role, Stage

from ..reasons import MonitoringReason


@one_reading
def may_review_records(user: Person, project: Project, stage: Stage) -> Verdict:
    """Senior management of the project, at any time from when the supervisor passed the stage, as long as it stands as it was passed."""
    verdict = has_role(user, project, Role.MANAGEMENT)
    if not verdict:
        return verdict
    own = [one for one in reviews_of(project.pk) if one.stage == stage]
    took_part = [person for one in own for person in (one.submitted_by, one.reviewed_by, one.in_stead_of)]
    if any(user.is_same_person(one) for one in took_part if one is not None):
        return deny(MonitoringReason.OWN_STAGE)
    return passed_unchanged(project, stage)


def passed_unchanged(project: Project, stage: Stage) -> Verdict:
    """Whether the supervisor passed the stage last, and it has not changed since."""
    latest = review_latest(project.pk, stage)
    if latest is None or latest.outcome != ReviewOutcome.PASSED:
        return deny(MonitoringReason.NOT_PASSED)
    content = content_of(project, stage)
    if content is None or passed_review(project.pk, stage=stage, content_hash=content.hash) is None:
        return deny(MonitoringReason.CHANGED_SINCE)
    return ALLOW


def may_conclude_so(outcome: ManagementOutcome, deviations: int) -> Verdict:
    """Each deviation is a finding; of records that are in order there is none."""
    if (outcome == ManagementOutcome.DEVIATING) != (deviations > 0):
        return deny(MonitoringReason.DEVIATIONS)
    return ALLOW
