"""Reading verifications. Callers have found the project among those that the reader may see."""

from __future__ import annotations

from django.db.models import QuerySet

from projects.core.models import Project
from projects.processing.selectors import latest_run

from .models import Verification


def verifications_of(project: Project) -> QuerySet[Verification]:
    """All of them, newest first: the history of the loops back."""
    return Verification.objects.filter(project=project).select_related("run__recipe_version", "requested_by")


def current_verification(project: Project) -> Verification | None:
    """The newest complete measurement of exactly the current result against the current targets, or None."""
    from projects.objective.selectors import basis_hash

    run = latest_run(project)
    if run is None:
        return None
    return (
        verifications_of(project)
        .filter(run=run, passed__isnull=False, targets_hash=basis_hash(project))
        .first()
    )
