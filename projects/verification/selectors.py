"""Reading verifications. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.expressions import Combinable

from approvals.request_cache import cached_read
from projects.core.comments.selectors import comments_counted
from projects.core.models import Project
from projects.core.returns import justifications_in
from projects.datasets.tables.selectors import populations_now
from projects.jobs.models import Job
from projects.processing.models import Run
from projects.processing.runs.selectors import latest_run, result_hashes
from projects.workflow import Stage, State
from techniques.core.canonical import canonical_hash

from .enums import APPROVAL_JOB, MEASURE_JOB
from .models import Verification
from .trials.selectors import trial_counts


def verifications_of(project: Project) -> QuerySet[Verification]:
    """All of them, newest first: the history of the loops back."""
    return Verification.objects.filter(project=project).select_related(
        "project", "run__recipe_version", "run__project", "requested_by"
    )


def measured_with_classes(project: Project) -> Verification | None:
    """The newest whole one with what its classes are kept in, without what was measured. One that is under way, or has broken off,
    takes nothing from what was listed before it; that there is one is read along (:func:`was_requested_anew`)."""
    newer = Verification.objects.filter(project=OuterRef("project"), number__gt=OuterRef("number"))
    rows = project.verifications.select_related("project", "classes", "run__project")
    return (
        rows.filter(passed__isnull=False).defer("report", "checks").annotate(has_newer=Exists(newer)).first()
    )


def was_requested_anew(verification: Verification) -> bool:
    """Whether a measurement was requested after this one, which :func:`measured_with_classes` has read."""
    return bool(getattr(verification, "has_newer", False))


_read_along: dict[str, Combinable] = {}


def reads_along(name: str, expression: Combinable) -> None:
    """Have ``expression`` over a verification read along with the newest one, as its attribute ``name``: what a later package asks
    about it costs no statement of its own."""
    _read_along[name] = expression


HANDED_OUT = frozenset({State.MONITORING, State.CLOSED})


@cached_read
def latest_verification(project: Project) -> Verification | None:
    """The newest one, whatever became of it; along with it how many trials came before (:func:`.trials.selectors.trial_counts`),
    how many comments were made on the step (``comments_made``) and what packages have read along (:func:`reads_along`)."""
    related = project.verifications.select_related(
        "requested_by", "run__recipe_version", "run__project", "run__key", "run__seed"
    )
    counted = {**trial_counts("project"), "comments_made": comments_counted(Stage.VERIFICATION)}
    return related.annotate(**counted, **_read_along).first()


@cached_read
def newest_job(project: Project) -> Job | None:
    """The newest that measures or writes a report to be approved: what came before it is over and done with, for a
    report is only written of what was measured, and only of the newest."""
    return project.jobs.filter(kind__in=(MEASURE_JOB, APPROVAL_JOB)).select_related("requested_by").first()


def current_verification(project: Project) -> Verification | None:
    """The newest measurement, if it is complete and about exactly the current result and targets; or None.

    A project that was re-opened after its release is measured anew: something has changed since.

    An older complete one does not stand in for a newer one that broke off or is under way: the last look
    at the file has no answer then.
    """
    from projects.objective.selectors import basis_hash

    run, newest = latest_run(project), latest_verification(project)
    if run is None or newest is None or newest.passed is None:
        return None
    if newest.run_id != run.pk or newest.targets_hash != basis_hash(project):
        return None
    if project.reopened_at is not None and newest.requested_at < project.reopened_at:
        return None
    return None if has_other_populations(newest) else newest


def has_other_populations(verification: Verification) -> bool:
    """Whether other population tables are named now than those that were measured by. What becomes known after the release takes
    nothing from what was signed: re-assessments measure by it."""
    project = verification.project
    if State(project.suspended_from or project.state) in HANDED_OUT:
        return False
    report = verification.report
    found = [one.get("population") for one in (report, *report.get("tables", {}).values())]
    used = sorted(one["sha256"] for one in found if one)
    return used != sorted(one.sha256 for one in populations_now(project).values())


def content_hash_now(verification: Verification, run: Run) -> str:
    """SHA-256 of :func:`content_now`. A release is made only while it is the one that was signed."""
    return canonical_hash(content_now(verification, run))


def content_now(verification: Verification, run: Run) -> list[Any]:
    """What is judged: the measurement and the hash of every file of ``run`` that was measured, by the rows as they are now, and
    why work that was returned comes back as it was."""
    hashes = [*result_hashes(run), run.recipe_version.content_hash, verification.targets_hash]
    justified = justifications_in(run.project, *Stage)
    return [verification.checks, verification.report, *hashes, *([justified] if justified else [])]
