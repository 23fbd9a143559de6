"""Reading amendments, and whether one stands between a measurement and its conclusion."""

from __future__ import annotations

import uuid

from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.tables.names import column_label
from projects.identification.enums import ColumnRole
from projects.identification.selectors import verdicts_of
from projects.processing.models import Run
from projects.processing.runs.selectors import tables_of_run
from projects.releases.models import Release

from ..enums import AmendmentOutcome
from ..models import Amendment, Reassessment

NOTHING = "none"
"""The former role of a column about which there was no verdict."""


@cached_read
def amendments_of(project: Project) -> list[Amendment]:
    """All of them in the order of their proposals."""
    found = Amendment.objects.filter(project=project)
    people = ("proposed_by", "reviewed_by", "decided_by")
    return list(found.select_related("project", "reassessment__release", *people))


def amendment_get(project: Project, amendment_id: uuid.UUID) -> Amendment:
    found = next((one for one in amendments_of(project) if one.pk == amendment_id), None)
    if found is None:
        raise Amendment.DoesNotExist
    return found


def amendments_within(reassessment: Reassessment) -> list[Amendment]:
    """Those that were proposed within one re-assessment."""
    return [one for one in amendments_of(reassessment.project) if one.reassessment_id == reassessment.pk]


def waits_for_amendment(reassessment: Reassessment) -> bool:
    """Whether an amendment within it is not decided yet."""
    return any(one.is_open for one in amendments_within(reassessment))


def was_amended_since(reassessment: Reassessment) -> bool:
    """Whether an amendment was approved after it was measured, so that its figures are by another yardstick."""
    at = reassessment.measured_at
    return at is not None and any(
        one.outcome == AmendmentOutcome.APPROVED and one.decided_at is not None and one.decided_at > at
        for one in amendments_of(reassessment.project)
    )


def released_roles(release: Release) -> dict[tuple[str, str], str]:
    """(Table, column) of what was released → what the verdict says that it is, :data:`NOTHING` where there is none."""
    run = Run.objects.select_related("project", "recipe_version").get(pk=release.run_id)
    found: dict[tuple[str, str], str] = {}
    for name, one in tables_of_run(run).items():
        given = verdicts_of(one.table)
        for column in one.report.get("columns_out", ()):
            found[name, column] = given[column].role if column in given else NOTHING
    return found


def amendable_roles(release: Release) -> dict[tuple[str, str], str]:
    """The same without direct identifiers: nothing is more guarded than these."""
    return {one: role for one, role in released_roles(release).items() if role != ColumnRole.DIRECT}


def role_label(role: str) -> str:
    """What a column is, in the reader's language."""
    return str(ColumnRole(role).label) if role in ColumnRole.values else "–"


def labelled(table: str, column: str) -> str:
    return column_label(table, column)
