"""Who may review a stage, and when."""

from __future__ import annotations

from approvals.governance.person import Person
from approvals.governance.verdict import Verdict, deny, first_denial
from approvals.request_cache import one_reading
from projects.core.evidence import content_of, evidence_state
from projects.core.models import Project
from projects.core.rules import acts_as, deny_missing, has_role, in_state, may_hand_on
from projects.workflow import MOVES, REVIEW_STATES, STAGES, STATES, Role, State

from .amendments.selectors import was_amended_since
from .models import Reassessment
from .reasons import MonitoringReason as MonitoringReason


@one_reading
def may_review_stage(user: Person, project: Project) -> Verdict:
    """A supervisor, while the stage is under review, of content that exists."""
    verdict = first_denial(acts_as(user, project, Role.SUPERVISOR), in_state(project, *REVIEW_STATES))
    if verdict and content_of(project, project.stage) is None:
        return deny(MonitoringReason.NOTHING_TO_REVIEW)
    return verdict


def may_pass_stage(user: Person, project: Project) -> Verdict:
    """Reviewing, and everything is there that passing needs but this review itself."""
    verdict = may_review_stage(user, project)
    if not verdict:
        return verdict
    passed = STATES[State(project.state)].outcomes["passed"]
    missing = [
        text
        for evidence in MOVES[passed].requires
        if evidence != STAGES[project.stage].review
        for text in evidence_state(project, evidence).missing
    ]
    if missing:
        return deny_missing(missing)
    return may_hand_on(project, passed)


def may_report_change(user: Person, project: Project) -> Verdict:
    """Whoever works in the project inside may report that something changed."""
    inside = (Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR)
    return first_denial(has_role(user, project, *inside), in_state(project, State.MONITORING))


def may_measure(user: Person, reassessment: Reassessment) -> Verdict:
    """Have the released file measured once more: after a measurement broke off, or targets that changed."""
    is_planned = reassessment.opened_at is None
    return _may_look_back(user, reassessment, {MonitoringReason.NOT_OPEN: is_planned})


def may_open(user: Person, reassessment: Reassessment) -> Verdict:
    """Open a planned re-assessment before its time."""
    has_ended, is_open = reassessment.release.ended_at is not None, reassessment.opened_at is not None
    against = {MonitoringReason.NO_RELEASE: has_ended, MonitoringReason.ALREADY_OPEN: is_open}
    return _may_look_back(user, reassessment, against)


def may_conclude(user: Person, reassessment: Reassessment) -> Verdict:
    """The supervisor, once the re-assessment is open and the released file was measured again."""
    is_planned, unmeasured = reassessment.opened_at is None, reassessment.measured_at is None
    against = {
        MonitoringReason.NOT_OPEN: is_planned,
        MonitoringReason.NOT_MEASURED: unmeasured,
        MonitoringReason.AMENDED_SINCE: was_amended_since(reassessment),
    }
    return _may_look_back(user, reassessment, against)


def _may_look_back(
    user: Person, reassessment: Reassessment, against: dict[MonitoringReason, bool]
) -> Verdict:
    """A supervisor of a monitored project, until the re-assessment is concluded, where nothing is ``against`` it."""
    project = reassessment.project
    against = {MonitoringReason.CONCLUDED: reassessment.concluded_at is not None} | against
    return first_denial(
        has_role(user, project, Role.SUPERVISOR),
        in_state(project, State.MONITORING),
        *(deny(reason) for reason, holds in against.items() if holds),
    )
