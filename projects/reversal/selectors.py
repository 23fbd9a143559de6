"""Reading requests. Callers have found the project among those that the reader may see."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import QuerySet

from projects.core.models import Project
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.processing.selectors import latest_run
from techniques.recipe import Recipe
from techniques.ways_back import way_back

from .enums import WayBack
from .models import ReversalRequest


@dataclass(frozen=True)
class Reversible:
    """A column of a run from which a way leads back."""

    run: Run
    column: str
    way: WayBack

    @property
    def key(self) -> str:
        return f"{self.run.pk}:{self.column}"


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


def way_of(run: Run, column: str) -> WayBack | None:
    """The way back from a column of a run that succeeded, or None."""
    if run.status != RunStatus.SUCCEEDED or column not in run.report.get("columns_out", []):
        return None
    if run.recipe_version.joint:
        # Tables are treated under keys and domains of the whole set; here only single tables are turned back.
        return None
    found = way_back(Recipe.from_data(run.recipe_version.content), column)
    return None if found is None else WayBack(found.value)


def reversible_columns(project: Project) -> list[Reversible]:
    """Everything from which a way leads back, the newest run first."""
    runs = Run.objects.filter(
        project=project, status=RunStatus.SUCCEEDED, recipe_version__joint={}
    ).select_related("recipe_version")
    found = []
    for run in runs:
        run.project = project
        recipe = Recipe.from_data(run.recipe_version.content)
        for column in run.report.get("columns_out", []):
            way = way_back(recipe, column)
            if way is not None:
                found.append(Reversible(run, column, WayBack(way.value)))
    return found
