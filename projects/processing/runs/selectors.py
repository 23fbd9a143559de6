"""Reading runs. Callers have found the project among those that the reader may see."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, BinaryIO

from django.db.models import Exists, OuterRef, Prefetch, QuerySet, Subquery, prefetch_related_objects

from approvals.governance.draft import Subject
from approvals.request_cache import cached_read, known
from projects.core.models import Project
from projects.core.returns import justifications_in
from projects.datasets.enums import DatasetStatus
from projects.datasets.models import Dataset, Table
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import current_datasets, tables_of
from projects.workflow import Stage
from techniques.core.canonical import canonical_hash

from ..enums import RunStatus
from ..models import Run, RunTable
from ..recipes.selectors import current_recipe
from .shares import share_files_of, shares_are_sound

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects
    from techniques.tables.formats import FileFormat

RUN = "run"
"""The kind of the content that a review of the processing judges."""

TABLES = Prefetch("tables", RunTable.objects.select_related("table", "dataset__stored", "result", "subjects"))
"""With a list of runs: what they read and wrote."""


def runs_of(project: Project) -> QuerySet[Run]:
    found = Run.objects.filter(project=project).select_related(
        "recipe_version", "started_by", "project", "key", "seed"
    )
    return found.prefetch_related(TABLES)


def run_get(project: Project, run_id: uuid.UUID) -> Run:
    return runs_of(project).get(pk=run_id)


@cached_read
def latest_run(project: Project) -> Run | None:
    """The latest succeeded run of the current recipe on the current data of every table, or None.

    A run of an older recipe, or of a data set of any table that was replaced, is history, not a result.
    """
    recipe = current_recipe(project)
    if recipe is None:
        return None
    runs = project.runs.filter(recipe_version=recipe, status=RunStatus.SUCCEEDED)
    with_tables = runs.select_related("started_by", "key", "seed").prefetch_related(TABLES)
    current = known(current_datasets, project)
    if current is None:
        run = on_current_data(with_tables).first()
    else:
        run = with_tables.first()
        if run is not None and not _has_read(run, current, tables_of(project)):
            # A table that came and went may have left an older one that still holds.
            run = on_current_data(with_tables).first()
    if run is not None:
        run.recipe_version = recipe
    return run


def _has_read(run: Run, current: Mapping[uuid.UUID, Dataset], tables: Iterable[Table]) -> bool:
    """What :func:`on_current_data` asks the database, where the data sets are known: half the time."""
    read = {one.table_id: one.dataset_id for one in run.tables.all()}
    return read == {table.pk: current[table.pk].pk if table.pk in current else None for table in tables}


def on_current_data(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Those of the runs that read what now stands in every table of their project, and nothing else."""
    sources = Dataset.objects.filter(table=OuterRef("table"), population=False)
    current = sources.exclude(status=DatasetStatus.REFUSED).values("pk")
    of_run = RunTable.objects.filter(run=OuterRef("pk"))
    replaced = of_run.exclude(table__removed_at=None, dataset=Subquery(current[:1]))
    read = RunTable.objects.filter(run=OuterRef(OuterRef("pk")), table=OuterRef("pk"))
    missed = Table.objects.filter(project_id=OuterRef("project_id"), removed_at=None).exclude(Exists(read))
    return runs.exclude(Exists(replaced) | Exists(missed))


def run_estimate(runs: Iterable[Run], rows: int) -> float | None:
    """Seconds that a run over ``rows`` rows is likely to take, by the project's newest succeeded run."""
    for run in runs:
        read = sum(one.dataset.rows or 0 for one in tables_of_run(run).values())
        if run.status == RunStatus.SUCCEEDED and run.finished_at and read:
            return (run.finished_at - run.started_at).total_seconds() * rows / read
    return None


def work_hash(project: Project) -> str:
    """What people have put into the processing: the recipe, and the data it is about. "" before there is a recipe."""
    recipe = current_recipe(project)
    if recipe is None:
        return ""
    return canonical_hash([recipe.content_hash, *(d.sha256 for d in current_datasets(project).values())])


def run_subject(run: Run) -> Subject:
    """The processing stage's content, as reviews and documents judge it."""
    return Subject(RUN, str(run.pk), str(run), run_hash(run))


def run_hash(run: Run) -> str:
    """Content hash of the processing stage: recipe, input, result of every table and whose its rows are where kept, and why
    it comes back as it was."""
    tables = tables_of_run(run).items()
    parts = [part for name, one in tables for part in (name, one.dataset.sha256, one.result_sha256)]
    parts += [f"subjects {name} {one.subjects.sha256}" for name, one in tables if one.subjects]
    # The first table stands without its name, as hashes were that people have signed.
    text = "\n".join([run.recipe_version.content_hash, *parts[1:]])
    if justified := justifications_in(run.project, Stage.PROCESSING):
        text += "\n" + canonical_hash(justified)
    return hashlib.sha256(text.encode()).hexdigest()


def tables_of_run(run: Run) -> dict[str, RunTable]:
    """What the run read and wrote, by the names of its tables: the first one first, then the others by name."""
    prefetch_related_objects([run], TABLES)
    # Hashes that are signed go by this order, and each database sorts names by rules of its own.
    found = sorted(run.tables.all(), key=lambda one: (not one.table.is_first, one.name))
    return {one.name: one for one in found}


def runs_with_seed_of(run: Run) -> list[int]:
    """Numbers of the project's other runs that drew with the seed of ``run``; each run is given a seed of its own."""
    others = Run.objects.filter(seed=run.seed_id).exclude(pk=run.pk)
    return list(others.order_by("number").values_list("number", flat=True))


def rows_of(run: Run) -> int:
    """Rows of the results of all tables."""
    return sum(one.result_rows or 0 for one in tables_of_run(run).values())


def results_by_table(run: Run) -> dict[str, str]:
    """SHA-256 of what the run wrote of each table."""
    return {name: one.result_sha256 for name, one in tables_of_run(run).items()}


def result_hashes(run: Run) -> list[str]:
    """SHA-256 of each file that the run wrote, the first table's first; those of holders of shares by number."""
    shares = [
        " ".join(filter(None, ("share", str(share.number), share.table, share.sha256)))
        for share in share_files_of(run.pk)
    ]
    return [*results_by_table(run).values(), *shares]


def results_are_sound(run: Run) -> bool:
    """Whether each stored file of the run is, by its row, the one that the run recorded."""
    return shares_are_sound(run.pk) and all(
        one.result is not None and one.result.sha256 == one.result_sha256
        for one in tables_of_run(run).values()
    )


def result_open(written: RunTable) -> BinaryIO:
    """The plaintext that a run wrote of a table, as a seekable stream."""
    assert written.result is not None
    return store_open(written.result)


def result_subjects(written: RunTable) -> Subjects | None:
    """Whose each row of a result is, as the run wrote it down: equal numbers (n,) for the rows of one person, -1 for
    nobody's. None where it did not."""
    from techniques.core.operations import Learned

    if written.subjects is None:
        return None
    with store_open(written.subjects) as stream:
        found: Subjects = Learned.read(stream).arrays["subjects"]
    return found


def result_format(written: RunTable) -> FileFormat:
    """The format that it was written in."""
    from techniques.tables.formats import FileFormat

    return FileFormat.model_validate(written.result_format)
