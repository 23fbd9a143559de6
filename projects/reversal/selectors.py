"""Reading requests. Callers have found the project among those that the reader may see."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from projects.core.models import Project
from projects.datasets.tables.names import column_label
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.processing.runs.selectors import latest_run, runs_of, tables_of_run
from techniques.recipe.recipe import Recipe
from techniques.recipe.reversibility import way_back

from .enums import WayBack
from .models import ReversalRequest


@dataclass(frozen=True)
class Reversible:
    """A column of a run from which a way leads back; ``table`` is empty where the run has a single one."""

    run: Run
    table: str
    column: str
    way: WayBack

    @property
    def key(self) -> str:
        """What a form calls it; no name of a table has a colon."""
        return f"{self.run.pk}:{self.table}:{self.column}" if self.table else f"{self.run.pk}:{self.column}"

    @property
    def place(self) -> str:
        """The column, with its table where the run has several."""
        return column_label(self.table, self.column)


def reversals_of(project: Project) -> QuerySet[ReversalRequest]:
    return ReversalRequest.objects.filter(project=project).select_related(
        "project", "run", "asked_by", "decided_by", "asked", "answer"
    )


def reversal_get(project: Project, reversal_id: uuid.UUID) -> ReversalRequest:
    return reversals_of(project).get(pk=reversal_id)


def is_current(request: ReversalRequest) -> bool:
    """Whether the run that is asked about wrote the project's current result."""
    latest = latest_run(request.project)
    return latest is not None and latest.pk == request.run_id


def way_of(run: Run, table: str, column: str) -> WayBack | None:
    """The way back from a column of one table of a run that succeeded, or None."""
    if run.status != RunStatus.SUCCEEDED:
        return None
    return next((one.way for one in _reversible(run) if (one.table, one.column) == (table, column)), None)


def reversible_columns(project: Project) -> list[Reversible]:
    """Everything from which a way leads back, the newest run first."""
    return [one for run in runs_of(project).filter(status=RunStatus.SUCCEEDED) for one in _reversible(run)]


def _reversible(run: Run) -> Iterator[Reversible]:
    """What a run can be turned back in."""
    for table, part in tables_of_run(run).items():
        recipe = Recipe.from_data(run.recipe_version.tables[table])
        for column in part.report.get("columns_out", []):
            way = way_back(recipe, column)
            if way is not None:
                yield Reversible(run, table, column, WayBack(way.value))
