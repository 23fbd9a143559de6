"""Candidates for the release: successful runs that are compared by the same measures; queries and rules."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from approvals.request_cache import one_reading
from projects.core.models import Project
from projects.core.rules import may_act_in
from projects.identification.selectors import verdicts_hash
from projects.objective.selectors import basis_hash
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.processing.runs.selectors import on_current_data, runs_of
from projects.workflow import State

from ..models import Comparison
from ..rules import VerificationReason

LEAST, MOST = 2, 6


@one_reading
def candidate_runs(project: Project) -> list[Run]:
    """The newest successful run of every recipe on the current data and verdicts, newest first."""
    found: dict[str, Run] = {}
    runs = runs_of(project).filter(
        status=RunStatus.SUCCEEDED, recipe_version__verdicts_hash=verdicts_hash(project)
    )
    for run in on_current_data(runs).defer("recipe_version__content"):
        found.setdefault(run.recipe_version.content_hash, run)
    return list(found.values())


def comparisons_of(project: Project) -> QuerySet[Comparison]:
    """All of them, newest first."""
    return (
        Comparison.objects.filter(project=project)
        .select_related("project", "requested_by", "chosen_by", "chosen_run__recipe_version")
        .defer("chosen_run__recipe_version__content")
    )


def comparison_get(project: Project, comparison_id: uuid.UUID) -> Comparison:
    return comparisons_of(project).get(pk=comparison_id)


def may_compare(user: Person, project: Project, candidates: int | None = None) -> Verdict:
    """The executor, while the data is processed, once there are two candidates; ``candidates`` saves the count."""
    verdict = may_act_in(user, project, State.PROCESSING)
    if not verdict:
        return verdict
    if (len(candidate_runs(project)) if candidates is None else candidates) < LEAST:
        return deny(VerificationReason.TOO_FEW_CANDIDATES)
    if Comparison.objects.filter(project=project, ended_at=None).exists():
        return deny(VerificationReason.COMPARISON_UNDER_WAY)
    return ALLOW


def may_choose(user: Person, comparison: Comparison) -> Verdict:
    """The executor, while the data is processed, once from each comparison that still holds."""
    project = comparison.project
    verdict = may_act_in(user, project, State.PROCESSING)
    if not verdict:
        return verdict
    if comparison.measured_at is None:
        return deny(VerificationReason.NOT_MEASURED)
    if comparison.chosen_run_id is not None:
        return deny(VerificationReason.CHOSEN_ALREADY)
    known = {str(run.pk) for run in candidate_runs(project)}
    if comparison.targets_hash != basis_hash(project) or not known.issuperset(comparison.run_ids):
        return deny(VerificationReason.COMPARISON_OUTDATED)
    return ALLOW
