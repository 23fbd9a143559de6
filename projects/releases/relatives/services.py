"""The only writer of measurements of related releases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Q

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import notify, project_lock
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from projects.objective.selectors import risk_targets
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.workflow import Role, State
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .. import events
from ..models import RelativesMeasurement
from .report import Finding
from .rules import may_measure
from .selectors import (
    Relative,
    is_about,
    is_under_way,
    measured_now,
    relatives_by_run,
    relatives_of,
    run_shown,
    sets_of,
)

RELATIVES_JOB = "releases.relatives"
Measured = TypeVar("Measured", bound=Callable[[RelativesMeasurement], None])
_measured: list[Callable[[RelativesMeasurement], None]] = []


def on_relatives_measured(function: Measured) -> Measured:
    """Subscribe to finished measurements: how monitoring has them in a re-assessment that is open."""
    _measured.append(function)
    return function


def measurement_start(project: Project, *, by: Person) -> tuple[RelativesMeasurement, Job]:
    """Measure the current result with its relatives, as a job."""
    with recording(events.RELATIVES_STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        run = run_shown(project)
        relatives = relatives_of(run)
        may_measure(by, project, run, relatives).require()
        assert run is not None
        made, job = _measurement(project, run, relatives, by)
        event.subject = made.subject
        event.facts["relatives"] = len(relatives)
        return made, job


def measurement_start_due(project: Project, *, by: Person) -> None:
    """Measure the current result with its relatives, unless that was done or is under way: called in the act of ``by`` that needs
    it. Nothing is recorded where it has none."""
    run = run_shown(project)
    relatives = relatives_of(run)
    if run is None or not relatives or is_under_way(project) or measured_now(project, run, relatives):
        return
    with recording(events.RELATIVES_DUE, by=None, project_id=project.pk, relatives=len(relatives)) as event:
        made, _job = _measurement(project_lock(project), run, relatives, by, by_portal=True)
        event.subject = made.subject


def measurements_start_waiting(released: Project) -> None:
    """Results that wait for a signature or for their release are measured beside what ``released`` hands out now: nobody signs without
    knowing what both tell."""
    states = (State.RELEASE_APPROVAL, State.APPROVED)
    waiting = Project.objects.filter(Q(state__in=states) | Q(suspended_from__in=states)).exclude(
        pk=released.pk
    )
    runs: dict[Any, Run] = {}
    # The newest first: what waits is the newest that succeeded.
    rows = Run.objects.filter(project__in=waiting, status=RunStatus.SUCCEEDED).order_by("-number")
    for run in rows.select_related("project", "started_by"):
        runs.setdefault(run.project_id, run)
    found = relatives_by_run(list(runs.values()))
    for run in runs.values():
        if any(one.project_id == released.pk for one in found[run.pk]):
            measurement_start_due(run.project, by=run.started_by)


def _measurement(
    project: Project, run: Run, relatives: Sequence[Relative], by: Person, *, by_portal: bool = False
) -> tuple[RelativesMeasurement, Job]:
    made = RelativesMeasurement.objects.create(
        project=project,
        run=run,
        number=result_number(RelativesMeasurement, project),
        k=risk_targets(project).k,
        relatives=[str(one.release_id) for one in relatives],
        sets=sets_of(run, relatives),
        requested_by=by,
    )
    title = gettext_noop("Measure a result with related releases")
    return made, result_queue(made, RELATIVES_JOB, title=title, by=by, by_portal=by_portal)


def measurement_complete(
    measurement: RelativesMeasurement, findings: Sequence[Finding]
) -> RelativesMeasurement:
    """Keep what was found; the planning manager and the supervisor are told."""
    risky = sum(one.is_risky for one in findings)
    facts: dict[str, Any] = {"sets": len(findings), "risky": risky}
    with recording(events.RELATIVES_MEASURED, by=None, project_id=measurement.project_id, **facts) as event:
        measurement = result_lock(measurement)
        measurement.findings = [one.model_dump(mode="json") for one in findings]
        kept = [
            str(measurement.run_id),
            measurement.k,
            measurement.relatives,
            measurement.sets,
            measurement.findings,
        ]
        measurement.content_hash = canonical_hash(kept)
        result_end(measurement)
        event.subject = measurement.subject
        about: dict[str, Any] = {"subject": str(measurement), **facts}
        notify(
            measurement.project, events.RELATIVES_MEASURED, (Role.PLANNER, Role.SUPERVISOR), by=None, **about
        )
        for function in _measured:
            function(measurement)
        _measure_what_came(measurement)
        return measurement


def measurement_break_off(measurement: RelativesMeasurement, *, code: str) -> None:
    """Record that the measuring failed or was cancelled."""
    result_break_off(measurement, events.RELATIVES_BROKEN_OFF, code=code)
    _measure_what_came(measurement)


def _measure_what_came(measurement: RelativesMeasurement) -> None:
    """What came while it was under way could not begin another one. Where nothing came, what broke off is not begun again."""
    run = run_shown(measurement.project)
    if run is not None and not is_about(measurement, run, relatives_of(run)):
        measurement_start_due(measurement.project, by=measurement.requested_by)
