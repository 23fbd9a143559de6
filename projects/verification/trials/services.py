"""Who may have a result measured before it is handed over, and the only writer of what was measured."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from approvals.request_cache import one_reading
from projects.core.models import Project
from projects.core.rules import may_act_in
from projects.core.services import project_lock
from projects.identification.selectors import verdicts_hash
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from projects.objective.selectors import basis_hash
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.processing.runs.selectors import latest_run, results_by_table
from projects.processing.runs.services import hash_facts, on_run_end
from projects.workflow import State
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .. import events
from ..enums import TRIAL_JOB
from ..reports.gate import Measurement
from ..rules import VerificationReason
from .models import Trial


def trials_of(project: Project) -> QuerySet[Trial]:
    """All of them, newest first."""
    return Trial.objects.filter(project=project).select_related(
        "project", "run__recipe_version", "run__project", "requested_by"
    )


@one_reading
def may_try(user: Person, project: Project) -> Verdict:
    """The executor, while the data are processed, once there is a result by the verdicts as they are; one at a time."""
    verdict = may_act_in(user, project, State.PROCESSING)
    if not verdict:
        return verdict
    run = run_to_try(project)
    if run is None:
        return deny(VerificationReason.NOTHING_TO_TRY)
    if project.trials.filter(ended_at=None).exists():
        return deny(VerificationReason.TRIAL_UNDER_WAY)
    return ALLOW


def run_to_try(project: Project) -> Run | None:
    """The newest result, if it was made by the verdicts as they are now."""
    run = latest_run(project)
    return run if run is not None and run.recipe_version.verdicts_hash == verdicts_hash(project) else None


def trial_start(project: Project, *, by: Person) -> tuple[Trial, Job]:
    """Measure the written result of the current run by every check of the gate, as a job."""
    with recording(events.TRIAL_STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        may_try(by, project).require()
        run = run_to_try(project)
        assert run is not None  # as the rule requires
        trial = _trial_create(run, by=by)
        event.subject = trial.subject
        event.facts.update(run=str(run), **hash_facts("result", results_by_table(run)))
        return trial, _queue(trial, by=by)


def trial_plan(run: Run, *, by: Person) -> Trial:
    """Have the result of ``run`` measured once there is one; called where the run is started, under the project's lock."""
    project = run.project
    if project.trials.filter(ended_at=None).exists():
        deny(VerificationReason.TRIAL_UNDER_WAY).require()
    with recording(events.TRIAL_PLANNED, by=by, project_id=project.pk, run=str(run)) as event:
        trial = _trial_create(run, by=by)
        event.subject = trial.subject
        return trial


def _trial_create(run: Run, *, by: Person) -> Trial:
    """Under the project's lock."""
    return Trial.objects.create(
        project=run.project,
        run=run,
        number=result_number(Trial, run.project),
        targets_hash=basis_hash(run.project),
        requested_by=by,
    )


def _queue(trial: Trial, *, by: Person) -> Job:
    return result_queue(trial, TRIAL_JOB, title=gettext_noop("Measure the result as a trial"), by=by)


@on_run_end
def trial_follow(run: Run) -> None:
    """Measure the result that a trial has waited for; without a result there is none."""
    for trial in Trial.objects.filter(run=run, job_id=None, ended_at=None):
        if run.status != RunStatus.SUCCEEDED:
            trial_break_off(trial, code="run_without_result")
        else:
            _queue(trial, by=trial.requested_by)


def trial_complete(trial: Trial, measurement: Measurement) -> Trial:
    """Record what was measured; called once, in the transaction that ends the job."""
    failed = sum(result.passed is not True for result in measurement.checks)
    facts: dict[str, Any] = {"checks": len(measurement.checks), "failed": failed}
    with recording(events.TRIAL_MEASURED, by=None, project_id=trial.project_id, **facts) as event:
        trial = result_lock(trial)
        stored = measurement.as_json()
        trial.checks, trial.report = stored["checks"], stored["report"]
        trial.content_hash = canonical_hash([trial.checks, trial.report, trial.targets_hash])
        result_end(trial)
        event.subject = trial.subject
        return trial


def trial_break_off(trial: Trial, *, code: str) -> None:
    """Record that nothing was measured: the job failed or was cancelled."""
    result_break_off(trial, events.TRIAL_BROKEN_OFF, code=code)
