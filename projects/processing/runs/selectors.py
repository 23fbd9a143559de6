"""Reading runs. Callers have found the project among those that the reader may see."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from approvals.governance.draft import Subject
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.enums import DatasetStatus
from projects.datasets.models import Dataset, Table
from projects.datasets.selectors import current_dataset
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import named_tables

from ..enums import RunStatus
from ..models import Run, RunTable
from .shares import share_files_of, shares_are_sound

if TYPE_CHECKING:
    from techniques.tables.formats import FileFormat
from ..recipes.selectors import current_recipe


def runs_of(project: Project) -> QuerySet[Run]:
    return Run.objects.filter(project=project).select_related(
        "recipe_version", "dataset", "started_by", "result", "project"
    )


def run_get(project: Project, run_id: uuid.UUID) -> Run:
    return runs_of(project).get(pk=run_id)


@cached_read
def latest_run(project: Project) -> Run | None:
    """The latest succeeded run of the current recipe on the current data set, or None.

    A run of an older recipe, or of a data set of any table that was replaced, is history, not a result.
    """
    recipe, dataset = current_recipe(project), current_dataset(project)
    if recipe is None or dataset is None:
        return None
    runs = project.runs.filter(recipe_version=recipe, dataset=dataset, status=RunStatus.SUCCEEDED)
    if named_tables(project) or len(recipe.tables) > 1:
        runs = on_further_tables_now(runs)
    run = runs.select_related("started_by", "result").first()
    if run is not None:
        run.recipe_version, run.dataset = recipe, dataset
    return run


def on_further_tables_now(runs: QuerySet[Run]) -> QuerySet[Run]:
    """The runs that read the current data of every further table of their project, and nothing else."""
    current = (
        Dataset.objects.filter(table=OuterRef("table")).exclude(status=DatasetStatus.REFUSED).values("pk")
    )
    of_run = RunTable.objects.filter(run=OuterRef("pk"))
    replaced = of_run.exclude(table__removed_at=None, dataset=Subquery(current[:1]))
    further = Table.objects.filter(project_id=OuterRef("project_id"), position__gt=0, removed_at=None)
    missed = further.exclude(
        Exists(RunTable.objects.filter(run=OuterRef(OuterRef("pk")), table=OuterRef("pk")))
    )
    return runs.exclude(Exists(replaced) | Exists(missed))


@cached_read
def running_run(project: Project) -> Run | None:
    """The run that is queued or under way, or None; there is one at a time."""
    return project.runs.filter(status=RunStatus.RUNNING).first()


def run_estimate(runs: Iterable[Run], rows: int | None) -> float | None:
    """Seconds that a run over ``rows`` rows is likely to take, by the project's newest succeeded run."""
    for run in runs:
        if run.status == RunStatus.SUCCEEDED and run.finished_at and run.dataset.rows:
            return (run.finished_at - run.started_at).total_seconds() * (rows or 0) / run.dataset.rows
    return None


def run_subject(run: Run) -> Subject:
    """The processing stage's content, as reviews and documents judge it."""
    return Subject("run", str(run.pk), str(run), run_hash(run))


def run_hash(run: Run) -> str:
    """Content hash of the processing stage: recipe, input and result."""
    parts = [run.recipe_version.content_hash, run.dataset.sha256, run.result_sha256]
    for one in further_of(run):
        parts += [one.name, one.dataset.sha256, one.result_sha256]
    text = "\n".join(parts)
    return hashlib.sha256(text.encode()).hexdigest()


@cached_read
def further_of(run: Run) -> list[RunTable]:
    """What the run made of the tables after the first, by name."""
    if list(run.recipe_version.tables) == [run.recipe_version.first_name]:
        return []
    found = run.further.select_related("dataset__stored", "result", "table")
    # Hashes that are signed go by this order, and each database sorts names by rules of its own.
    return sorted(found, key=lambda one: one.name)


def tables_of_run(run: Run) -> dict[str, Run | RunTable]:
    """What the run read and wrote, by the names of its tables, the first one first."""
    return {run.recipe_version.first_name: run, **{one.name: one for one in further_of(run)}}


def result_hashes(run: Run) -> list[str]:
    """SHA-256 of each file that the run wrote, the first table's first; those of holders of shares by number."""
    shares = [f"share {share.number} {share.sha256}" for share in share_files_of(run.pk)]
    return [*(one.result_sha256 for one in tables_of_run(run).values()), *shares]


def results_are_sound(run: Run) -> bool:
    """Whether each stored file of the run is, by its row, the one that the run recorded."""
    return shares_are_sound(run.pk) and all(
        one.result is not None and one.result.sha256 == one.result_sha256
        for one in tables_of_run(run).values()
    )


def run_open(run: Run | RunTable) -> BinaryIO:
    """The result's plaintext as a seekable stream."""
    assert run.result is not None
    return store_open(run.result)


def run_format(run: Run | RunTable) -> FileFormat:
    """The format that the result was written in."""
    from techniques.tables.formats import FileFormat

    return FileFormat.model_validate(run.result_format)
