"""Reading tables of statistics."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.db.models import Q, QuerySet

from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.datasets.store.store import store_open
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import datasets_now
from projects.processing.models import RunTable
from projects.queries.selectors import askable_columns
from projects.releases.models import Release

from .enums import TableStatus
from .models import Tabulation


def tabulations_of(project: Project) -> QuerySet[Tabulation]:
    return Tabulation.objects.filter(project=project).select_related(
        "project",
        "dataset__table",
        "run_table",
        "imported",
        "report",
        "result",
        "made_by",
        "reviewed_by",
        "signed_by",
        "refused_by",
    )


def tabulation_get(project: Project, tabulation_id: uuid.UUID) -> Tabulation:
    return tabulations_of(project).get(pk=tabulation_id)


def signed_of(project: Project) -> QuerySet[Tabulation]:
    """What recipients may have."""
    return tabulations_of(project).filter(status=TableStatus.APPROVED)


def signed_for(user: Person, project: Project) -> QuerySet[Tabulation]:
    """What this recipient may have: what was signed for all of them, and what they asked for themselves."""
    return signed_of(project).filter(Q(run_table=None) | Q(made_by=user.pk))


def requested_by(user: Person, project: Project) -> QuerySet[Tabulation]:
    """What this recipient of an enclave asked for, the newest first."""
    return tabulations_of(project).filter(made_by=user.pk, run_table__isnull=False)


def released_tables(release: Release) -> dict[str, RunTable]:
    """The released tables by name; a single one is called ""."""
    found = RunTable.objects.filter(run=release.run_id).select_related(
        "dataset__table", "dataset__stored", "result", "run__recipe_version"
    )
    return {one.name: one for one in found}


def released_columns(written: RunTable) -> list[str]:
    """The released columns that may span a table or be added up: all but those that identify persons directly in the source."""
    possible = set(spanning_columns(written.dataset))
    return [column for column in written.report["columns_out"] if column in possible]


def signed_beside(table: Tabulation) -> QuerySet[Tabulation]:
    """The other tables of the project that recipients may have, the oldest first."""
    return signed_of(table.project).exclude(pk=table.pk).order_by("number")


def sources_of(project: Project) -> dict[str, Dataset]:
    """The checked data that a table may be made from, by the names that people call them; a single one is called ""."""
    return {
        label_of(table): dataset
        for table, dataset in datasets_now(project)
        if dataset is not None and dataset.is_ready
    }


def spanning_columns(dataset: Dataset) -> list[str]:
    """The columns that may span a table or be added up: all but direct identifiers."""
    return askable_columns(dataset)


def signed_of_source(table: Tabulation) -> list[Tabulation]:
    """The other tables, of this project and of others, that were signed at any time, come from the same content, and count or add
    up the same of the same contributors; the oldest first. One that was taken back may be in somebody's hands."""
    return [other for other in _signed_of_content(table) if _holds_the_same(table, other)]


def signed_of_other_contributors(table: Tabulation) -> list[Tabulation]:
    """The tables as of :func:`signed_of_source` that count too, or add up the same column, but rows for persons or of other
    contributors. Their cells are bounds of those of ``table``, or the same numbers, and cannot be read together with them."""
    column = table.defined.column
    return [
        other
        for other in _signed_of_content(table)
        if other.defined.column == column and not _holds_the_same(table, other)
    ]


@cached_read
def _signed_of_content(table: Tabulation) -> list[Tabulation]:
    if table.dataset is None:
        return []
    rows = Tabulation.objects.filter(dataset__sha256=table.dataset.sha256).exclude(signed_by=None)
    found = rows.exclude(pk=table.pk).select_related("project", "dataset__stored", "dataset__table", "report")
    return list(found.order_by("signed_at", "pk"))


def _holds_the_same(one: Tabulation, two: Tabulation) -> bool:
    return (
        one.run_table_id == two.run_table_id
        and one.person_key == two.person_key
        and one.measured == two.measured
    )


def report_of(table: Tabulation) -> dict[str, Any] | None:
    """Every cell and why it is hidden, as :func:`projects.statistics.making.made` wrote it; None while there is none, and once it
    was destroyed."""
    if table.report is None or table.report.destroyed_at is not None:
        return None
    with store_open(table.report, whole=True) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found
