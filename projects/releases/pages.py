"""What the pages of a release show."""

from __future__ import annotations

from typing import Any

from approvals.decisions.selectors import signoffs_of
from projects.core.models import Project
from projects.processing.runs.selectors import latest_run, tables_of_run
from projects.verification.selectors import current_verification


def approved_content(project: Project) -> dict[str, Any]:
    """What would be sealed."""
    verification, run = current_verification(project), latest_run(project)
    signoff = None
    if verification is not None:
        judged = (s for s in signoffs_of(project.pk) if s.subject_hash == verification.content_hash)
        signoff = next(judged, None)
    tables = list(tables_of_run(run).values()) if run is not None else []
    return {"run": run, "tables": tables, "verification": verification, "signoff": signoff}
