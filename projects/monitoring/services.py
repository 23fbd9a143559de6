"""The only writer of what happens in monitoring and review."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.decisions.models import Review, ReviewOutcome
from approvals.decisions.services import review_record
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from approvals.sentences import Sentence
from projects.core.deadlines import months_later
from projects.core.evidence import content_of, work_of
from projects.core.models import Project
from projects.core.rules import CoreReason, stead_of
from projects.core.services import notify, project_lock, project_move
from projects.jobs.models import Job
from projects.jobs.one_by_one import each_by_itself
from projects.releases.models import Release
from projects.releases.relatives.services import measurement_start_due
from projects.releases.selectors import current_release
from projects.workflow import MOVES, STAGES, STATES, Move, Role, Stage, State

from . import events, rules
from .acceptance.rules import may_conclude_so
from .acceptance.selectors import acceptance_of
from .acceptance.services import acceptances_end
from .amendments.services import amendments_lapse
from .amendments.yardstick import yardstick_of
from .checklists.items import Answers, checklist_of
from .checklists.rules import answered, may_answer_so
from .documents import report_start
from .enums import ChangeKind, ReassessmentOutcome
from .measuring import reassessment_measure_start
from .models import ChangeEvent, Reassessment
from .report import Remeasurement
from .rules import may_review_stage

# A change wants an answer soon; a periodic re-assessment is opened this long before it is due.
DAYS_AFTER_A_CHANGE = 14
DAYS_BEFORE_DUE = 14
_MOVE_OF = {
    ReassessmentOutcome.VERIFY: Move.REOPEN_VERIFICATION,
    ReassessmentOutcome.PROCESS: Move.REOPEN_PROCESSING,
    ReassessmentOutcome.SUSPEND: Move.SUSPEND,
}
# The release goes on, at once or after the suspension.
_STAYS = (ReassessmentOutcome.KEEP, ReassessmentOutcome.SUSPEND)


def stage_review_record(
    project: Project,
    *,
    object: str,
    time: datetime,
    process: str,
    result: str,
    measures: str,
    outcome: ReviewOutcome,
    by: Person,
    answers: Answers | None = None,
) -> Review:
    """Record the review of the stage that is under review, with its five fields (5.6.1), and move the project.

    The review pins the content hash that it judged; passing moves on, returning moves back with the
    review's result as the reason. Both happen or neither. ``answers`` are those to the organisation's checklist, which
    passing needs where there is one.
    """
    with governed_act():
        project = project_lock(project)
        may_review_stage(by, project).require()
        row = STATES[State(project.state)]
        stage = row.stage
        content = content_of(project, stage)
        assert content is not None  # as the rule requires
        checklist = checklist_of(stage)
        may_answer_so(checklist, answers, passes=outcome == ReviewOutcome.PASSED).require()
        review = review_record(
            project_id=project.pk,
            stage=stage,
            subject=content,
            object=object,
            time=time,
            process=process,
            result=result,
            measures=measures,
            outcome=outcome,
            submitted_by=stage_submitter(project, stage),
            by=by,
            in_stead_of=stead_of(by, project),
            work_hash=work_of(project, stage) if outcome == ReviewOutcome.RETURNED else "",
            checklist=answered(checklist, answers) if checklist.items and answers is not None else None,
        )
        project_move(project, move=row.outcomes[outcome], by=by, reason=result)
        return review


def stage_submitter(project: Project, stage: Stage) -> Person:
    """Who submitted the stage for the review now open, by the audit log."""
    event = AuditEvent.objects.filter(
        project_id=project.pk, action=MOVES[STAGES[stage].submitted].audit_action
    ).first()
    return get_user_model().objects.get(pk=event.actor_id) if event else project.created_by


def change_report(
    project: Project, *, kind: ChangeKind, description: str | Sentence, happened_on: date, by: Person | None
) -> Reassessment:
    """Record a change (5.6.2 a–d) and open the re-assessment that it calls for.

    ``by`` None: the portal itself noticed it, as when a related release was registered, and says so in a sentence of its own.
    """
    with recording(events.CHANGE_REPORTED, by=by, about=project, change=str(ChangeKind(kind))):
        project = project_lock(project)
        if by is not None:
            rules.may_report_change(by, project).require()
        release = current_release(project)
        if release is None:
            deny(rules.MonitoringReason.NO_RELEASE).require()
            raise AssertionError
        change = ChangeEvent(project=project, kind=kind, happened_on=happened_on, reported_by=by)
        if isinstance(description, Sentence):
            change.noticed = description.as_json()
        else:
            change.description = description
        change.full_clean(exclude=["reported_by"])
        change.save()
        due = timezone.localdate() + timedelta(days=DAYS_AFTER_A_CHANGE)
        reassessment = Reassessment.objects.create(
            project=project, release=release, change=change, due_on=due
        )
        return reassessment_open(reassessment, by=by)


def _plan_next(reassessment: Reassessment) -> None:
    """Plan the next look, unless another one is open or planned in time: a risk that was accepted is looked at again on its day, a
    release that was suspended as soon as after a change."""
    until = None
    if reassessment.outcome == ReassessmentOutcome.SUSPEND:
        until = timezone.localdate() + timedelta(days=DAYS_AFTER_A_CHANGE)
    elif (accepted := acceptance_of(reassessment)) is not None and not reassessment.meets_targets:
        until = accepted.until
    others = Reassessment.objects.filter(release=reassessment.release, concluded_at=None)
    if not (others.filter(due_on__lte=until) if until else others).exists():
        reassessment_plan(reassessment.release, until=until)


def reassessment_plan(release: Release, *, until: date | None = None) -> Reassessment:
    """Plan the next periodic re-assessment of a release, by the interval of the targets (5.6.2) and on the day ``until`` at the
    latest."""
    project = release.project
    due = months_later(timezone.localdate(), yardstick_of(project).risk.reassess_months)
    due = min(due, until) if until is not None else due
    with recording(events.REASSESSMENT_PLANNED, by=None, about=project, due_on=str(due)):
        return Reassessment.objects.create(project=project, release=release, due_on=due)


def reassessment_open(reassessment: Reassessment, *, by: Person | None = None) -> Reassessment:
    """Open a re-assessment: tell the supervisor, and measure the released file again as a job."""
    project = reassessment.project
    with recording(events.REASSESSMENT_OPENED, by=by, about=project, due_on=str(reassessment.due_on)):
        reassessment = Reassessment.objects.select_for_update(of=("self",)).get(pk=reassessment.pk)
        if reassessment.opened_at is None:
            reassessment.opened_at = timezone.now()
            reassessment.save()
            due_on = str(reassessment.due_on)
            notify(project, events.REASSESSMENT_OPENED, (Role.SUPERVISOR,), by=by, due_on=due_on)
            for_whom = by or reassessment.release.released_by
            # Its jobs wait in this order, so that one worker has done the first before the second reads it.
            measurement_start_due(project, by=for_whom)
            reassessment_measure_start(reassessment, by=for_whom, by_portal=by is None)
        return reassessment


def reassessment_open_early(reassessment: Reassessment, *, by: Person) -> Reassessment:
    """The supervisor opens a planned re-assessment before its time."""
    rules.may_open(by, reassessment).require()
    return reassessment_open(reassessment, by=by)


def reassessment_measure_again(reassessment: Reassessment, *, by: Person) -> Job:
    """Measure the released file once more, for instance after a measurement that broke off."""
    project = reassessment.project
    with recording(events.REASSESSMENT_MEASURING, by=by, about=project):
        rules.may_measure(by, reassessment).require()
        return reassessment_measure_start(reassessment, by=by)


def reassessment_open_due() -> int:
    """Open every planned re-assessment whose time has come; called by the clock. Returns how many."""
    horizon = timezone.localdate() + timedelta(days=DAYS_BEFORE_DUE)
    due = Reassessment.objects.filter(
        opened_at=None, concluded_at=None, due_on__lte=horizon, release__ended_at=None
    ).select_related("project", "release")
    return each_by_itself(due, lambda one: reassessment_open(one) is not None)


def reassessment_measured(reassessment: Reassessment, measurement: Remeasurement) -> Reassessment:
    """Record what was measured on the released file by the yardstick of today."""
    facts: dict[str, Any] = {"k": measurement.k, "met": measurement.met}
    with recording(events.REASSESSMENT_MEASURED, by=None, about=reassessment.project, **facts):
        project = project_lock(reassessment.project)
        if measurement.amendments != [one.number for one in yardstick_of(project).amendments]:
            # Approved while this was measured; its approval has asked for another measurement.
            deny(rules.MonitoringReason.AMENDED_SINCE).require()
        reassessment = Reassessment.objects.select_for_update(of=("self",)).get(pk=reassessment.pk)
        reassessment.measurement, reassessment.measured_at = measurement.as_json(), timezone.now()
        reassessment.met = measurement.met
        reassessment.save()
        return reassessment


def reassessment_conclude(
    reassessment: Reassessment, *, outcome: ReassessmentOutcome, finding: str, by: Person
) -> Reassessment:
    """Conclude: keep the release and plan the next look, suspend it, or end it and go back to verify or process."""
    project = reassessment.project
    outcome = ReassessmentOutcome(outcome)
    with recording(events.REASSESSMENT_CONCLUDED, by=by, about=project, reason=finding, outcome=str(outcome)):
        project = project_lock(project)
        reassessment = Reassessment.objects.select_for_update(of=("self",)).get(pk=reassessment.pk)
        may_conclude_so(by, reassessment, outcome).require()
        if not finding.strip():
            deny(CoreReason.REASON_NEEDED).require()
        reassessment.outcome, reassessment.finding = outcome, finding.strip()
        reassessment.concluded_by, reassessment.concluded_at = by, timezone.now()
        reassessment.save()
        acceptances_end(reassessment)
        amendments_lapse(reassessment)
        if outcome in _STAYS:
            _plan_next(reassessment)
        if outcome != ReassessmentOutcome.KEEP:
            # A project that is re-opened ends its release (see providers.py).
            project_move(project, move=_MOVE_OF[outcome], by=by, reason=finding.strip())
        report_start(reassessment, by=by)
        return reassessment
