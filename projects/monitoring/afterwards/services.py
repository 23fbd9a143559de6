"""The only writer of re-assessments after the end of a release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.rules import CoreReason
from projects.core.services import notify, notify_person, project_lock
from projects.jobs.models import Job
from projects.jobs.one_by_one import each_by_itself
from projects.jobs.services import job_start
from projects.releases.models import Release
from projects.workflow import Role
from techniques.core.messages import gettext_noop

from .. import events
from ..amendments.yardstick import yardstick_of
from ..models import LaterReassessment
from ..reasons import MonitoringReason
from ..report import Remeasurement
from . import rules
from .enums import LATER_MEASURE_JOB, NONE_LEFT, LaterOutcome, Question
from .incidents import incident_source
from .selectors import (
    can_be_measured,
    interval_of,
    last_concluded,
    laters_of_nothing,
    next_due,
    out_of,
    releases_to_assess,
)


def later_open(release: Release, *, by: Person | None = None) -> LaterReassessment:
    """Open a re-assessment of the copies that are out, notify the supervisor, and have the released file measured where it can be.

    ``by`` None: the clock, when it is time."""
    due = next_due(release, last_concluded(release), interval_of(release.project))
    with recording(events.LATER_OPENED, by=by, about=release, due_on=str(due)):
        project = project_lock(release.project)
        release = Release.objects.select_related("project", "released_by").get(pk=release.pk)
        (rules.may_begin(by, release) if by is not None else rules.can_begin(release)).require()
        later = LaterReassessment.objects.create(project=project, release=release, due_on=due)
        notify(project, events.LATER_OPENED, (Role.SUPERVISOR,), by=by, due_on=str(due))
        if can_be_measured(release):
            _measure_start(later, by=by or release.released_by, by_portal=by is None)
        return later


def later_open_due() -> int:
    """Open each whose time has come; called by the clock. Returns how many."""
    return each_by_itself(releases_to_assess(), lambda release: later_open(release) is not None)


def _measure_start(later: LaterReassessment, *, by: Person, by_portal: bool = False) -> Job:
    return job_start(
        LATER_MEASURE_JOB,
        project=later.project,
        subject=Subject("later_reassessment", str(later.pk), str(later)),
        title=gettext_noop("Measure the release again"),
        by=by,
        by_portal=by_portal,
    )


def later_measure_again(later: LaterReassessment, *, by: Person) -> Job:
    """Measure the released file once more, for instance after a measurement that broke off."""
    with recording(events.LATER_MEASURING, by=by, about=later.release):
        rules.may_measure(by, later).require()
        return _measure_start(later, by=by)


def later_measured(later: LaterReassessment, measurement: Remeasurement) -> LaterReassessment:
    """Record what was measured on the released file by the yardstick of today."""
    facts: dict[str, Any] = {"k": measurement.k, "met": measurement.met}
    with recording(events.LATER_MEASURED, by=None, about=later.release, **facts):
        project = project_lock(later.project)
        if measurement.amendments != [one.number for one in yardstick_of(project).amendments]:
            deny(MonitoringReason.AMENDED_SINCE).require()
        later = _locked(later)
        if later.concluded_at is not None:
            deny(MonitoringReason.CONCLUDED).require()
        later.measurement, later.measured_at = measurement.as_json(), timezone.now()
        later.met = measurement.met
        later.save()
        return later


def later_conclude(
    later: LaterReassessment,
    *,
    outcome: LaterOutcome,
    answers: Mapping[str, Mapping[str, Any]],
    reason: str,
    kind: str = "",
    severity: str = "",
    by: Person,
) -> LaterReassessment:
    """Conclude, with what is out kept as it is now: do nothing, ask the recipients for their copies, or report an incident of ``kind``
    and ``severity``. The next one follows as long as a copy is out."""
    outcome, reason = LaterOutcome(outcome), reason.strip()
    facts: dict[str, Any] = {"outcome": str(outcome)}
    with recording(events.LATER_CONCLUDED, by=by, about=later.release, reason=reason, **facts) as event:
        project_lock(later.project)
        later = _locked(later)
        rules.may_conclude(by, later).require()
        out = out_of(later.release)
        unmeasured = rules.awaits_measurement(later)
        rules.may_conclude_so(
            outcome, answers, out, kind=kind, severity=severity, unmeasured=unmeasured
        ).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        event.facts.update(copies=len(out.copies), public=out.is_public)
        later.answers = {
            one.value: {"yes": answers[one]["yes"], "words": answers[one].get("words", "").strip()}
            for one in Question
        }
        later.found, later.outcome, later.reason = out.as_json(), outcome, reason
        later.concluded_by, later.concluded_at = by, timezone.now()
        later.save()
        if outcome == LaterOutcome.RECALL:
            _recall(later, [copy.recipient for copy in out.copies], by=by)
        elif outcome == LaterOutcome.INCIDENT:
            incident_source().report(later, kind, severity, reason, by)
        return later


def later_end(later: LaterReassessment) -> LaterReassessment:
    """End one by itself of whose release no copy is out any more: nobody concludes, and the reason is that."""
    with recording(events.LATER_ENDED, by=None, about=later.release):
        project = project_lock(later.project)
        later = _locked(later)
        rules.can_end(later).require()
        later.found = out_of(later.release).as_json()
        later.outcome, later.reason, later.concluded_at = LaterOutcome.ENDED, NONE_LEFT, timezone.now()
        later.save()
        notify(project, events.LATER_ENDED, (Role.SUPERVISOR,), by=None)
        return later


def later_end_all() -> int:
    """End each for which nothing is left to assess; called by the clock. Returns how many."""
    return each_by_itself(laters_of_nothing(), lambda later: later_end(later) is not None)


def _recall(later: LaterReassessment, recipients: list[Person], *, by: Person) -> None:
    """Ask each for their copy; on their home page its destruction is to be stated since the release ended."""
    release = later.release
    with recording(events.COPIES_RECALLED, by=by, about=release, reason=later.reason, copies=len(recipients)):
        facts: dict[str, Any] = {"project": later.project, "subject": str(release), "reason": later.reason}
        for recipient in recipients:
            notify_person(recipient, events.COPIES_RECALLED, by=by, **facts)
        notify(
            later.project,
            events.COPIES_RECALLED,
            (Role.PLANNER,),
            by=by,
            subject=str(release),
            reason=later.reason,
        )


def _locked(later: LaterReassessment) -> LaterReassessment:
    rows = LaterReassessment.objects.select_for_update(of=("self",))
    return rows.select_related("project", "release__project").get(pk=later.pk)
