"""The only writer of comparisons: candidates are measured, and the executor says which goes forward."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import project_lock
from projects.datasets.tables.selectors import first_table
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from projects.objective.selectors import basis_hash
from projects.processing.models import Run
from projects.processing.recipes.objections import run_objections
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.sets import content_of
from projects.processing.rules import may_go_forward
from projects.processing.runs.selectors import latest_run, run_get
from projects.processing.runs.services import run_start
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .. import events
from ..models import Comparison
from ..reports.comparison import CandidateResult
from ..rules import VerificationReason
from .selectors import LEAST, MOST, candidate_runs, may_choose, may_compare

COMPARE_JOB = "verification.compare"


def comparison_start(project: Project, *, run_ids: Sequence[uuid.UUID], by: Person) -> tuple[Comparison, Job]:
    """Measure the chosen candidates by the checks of the gate, as a job."""
    with recording(events.COMPARISON_STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        may_compare(by, project).require()
        wanted = {str(one) for one in run_ids}
        runs = [run for run in candidate_runs(project) if str(run.pk) in wanted]
        if len(runs) < LEAST:
            deny(VerificationReason.TOO_FEW_CANDIDATES).require()
        if len(runs) > MOST:
            deny(VerificationReason.TOO_MANY_CANDIDATES, most=MOST).require()
        comparison = Comparison.objects.create(
            project=project,
            number=result_number(Comparison, project),
            run_ids=[str(run.pk) for run in sorted(runs, key=lambda run: run.number)],
            targets_hash=basis_hash(project),
            requested_by=by,
        )
        event.subject = comparison.subject
        event.facts["runs"] = len(runs)
        job = result_queue(comparison, COMPARE_JOB, title=gettext_noop("Compare candidate runs"), by=by)
        return comparison, job


def comparison_complete(comparison: Comparison, *, candidates: Sequence[CandidateResult]) -> Comparison:
    """Record what was measured of every candidate."""
    passed = sum(one.passed for one in candidates)
    facts: dict[str, Any] = {"runs": len(candidates), "passed": passed}
    with recording(events.COMPARISON_MEASURED, by=None, project_id=comparison.project_id, **facts) as event:
        comparison = result_lock(comparison)
        comparison.results = [one.as_json() for one in candidates]
        comparison.content_hash = canonical_hash([comparison.results, comparison.targets_hash])
        result_end(comparison)
        event.subject = comparison.subject
        return comparison


def comparison_break_off(comparison: Comparison, *, code: str) -> None:
    """Record that the measuring failed or was cancelled."""
    result_break_off(comparison, events.COMPARISON_BROKEN_OFF, code=code)


def candidate_choose(
    comparison: Comparison, *, run_id: uuid.UUID, reason: str, by: Person
) -> tuple[Comparison, Run | None]:
    """Say which candidate goes forward, and why. The candidate's recipe becomes the current version and runs again
    where its result is not the current one, or is older than the policy about cryptography; that run is returned."""
    reason = reason.strip()
    with governed_act():
        project = project_lock(comparison.project)
        comparison = result_lock(comparison)
        may_choose(by, comparison).require()
        if not reason:
            deny(CoreReason.REASON_NEEDED).require()
        if str(run_id) not in comparison.run_ids:
            deny(VerificationReason.NO_CANDIDATE).require()
        run = run_get(project, run_id)
        may_go_forward(run.recipe_version).require()
        facts: dict[str, Any] = {"run": run.number, "recipe": run.recipe_version.content_hash}
        with recording(events.CANDIDATE_CHOSEN, by=by, about=comparison, reason=reason, **facts):
            comparison.chosen_run, comparison.choice_reason = run, reason
            comparison.chosen_by, comparison.chosen_at = by, timezone.now()
            comparison.save()
            latest = latest_run(project)
            is_current = latest and latest.recipe_version.content_hash == run.recipe_version.content_hash
            if latest and is_current and not run_objections(latest):
                return comparison, None
            note = _("Run %(run)s goes forward (comparison %(number)s): %(reason)s") % {
                "run": run.number,
                "number": comparison.number,
                "reason": reason,
            }
            recipe_save(first_table(project), content=content_of(run.recipe_version), note=note, by=by)
            again, _job = run_start(project, by=by)
            return comparison, again
