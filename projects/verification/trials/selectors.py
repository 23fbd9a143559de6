"""How many trials there were, asked along with another statement."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from projects.core.models import Project

from .models import Trial

COUNTS = ("trials_measured", "tried_runs")


def trial_counts(project: str) -> dict[str, Any]:
    """For a statement about rows of which the column ``project`` names their project: ``trials_measured``, and of how many
    results, ``tried_runs``."""
    measured = Trial.objects.filter(project=OuterRef(project), measured_at__isnull=False)
    of_project = measured.order_by().values("project")

    def counted(count: Count) -> Coalesce:
        return Coalesce(Subquery(of_project.annotate(n=count).values("n")), 0)

    return {"trials_measured": counted(Count("pk")), "tried_runs": counted(Count("run", distinct=True))}


def trials_counted(project: Project) -> tuple[int, int]:
    """Trials of the project that measured, and of how many results."""
    found = Project.objects.filter(pk=project.pk).annotate(**trial_counts("pk"))
    trials, runs = found.values_list(*COUNTS).get()
    return trials, runs
