"""Reading the tables of a project. A project with a single table has none by name: ``None`` stands for it.

Where a function takes ``table``, None is the main table, the one that every project has.
"""

from __future__ import annotations

import uuid

from approvals.memory import asked_once
from projects.core.models import Project

from .enums import DatasetStatus
from .models import Dataset, Table, TableLink
from .selectors import current_dataset, main_table


def tables_of(project: Project) -> list[Table]:
    """The tables by name, the main one first; empty where the project holds a single table."""
    return [] if main_table(project) is None else _tables(project)


@asked_once
def _tables(project: Project) -> list[Table]:
    return sorted(
        Table.objects.filter(project=project, removed_at=None), key=lambda t: (not t.is_main, t.position)
    )


def further_tables(project: Project) -> list[Table]:
    """All but the main table."""
    return [table for table in tables_of(project) if not table.is_main]


def table_asked(project: Project, text: str | None) -> Table | None:
    """The further table whose id an address names; None for the main table. ``Table.DoesNotExist`` for others."""
    if not text:
        return None
    try:
        wanted = uuid.UUID(text)
    except ValueError:
        raise Table.DoesNotExist from None
    table = next((table for table in tables_of(project) if table.pk == wanted), None)
    if table is None:
        raise Table.DoesNotExist
    return None if table.is_main else table


def dataset_now(project: Project, table: Table | None = None) -> Dataset | None:
    """The current data set of one table; None while there is none."""
    if table is None or table.is_main:
        return current_dataset(project)
    return _further(project).get(table.pk)


@asked_once
def _further(project: Project) -> dict[uuid.UUID | None, Dataset]:
    """The current data sets of the further tables, in one statement."""
    found = (
        Dataset.objects.filter(project=project, table__removed_at=None, table__isnull=False)
        .exclude(status=DatasetStatus.REFUSED)
        .select_related("uploaded_by", "stored", "sample", "project", "table")
    )
    return {dataset.table_id: dataset for dataset in reversed(found)}


def datasets_now(project: Project) -> list[tuple[Table | None, Dataset | None]]:
    """Each table with its current data set; of a project with a single table that one, under None."""
    tables = tables_of(project)
    if not tables:
        return [(None, current_dataset(project))]
    return [(table, dataset_now(project, table)) for table in tables]


def links_of(project: Project) -> list[TableLink]:
    """The declared links; empty where the project holds a single table."""
    return [] if main_table(project) is None else _links(project)


@asked_once
def _links(project: Project) -> list[TableLink]:
    found = TableLink.objects.filter(project=project, removed_at=None)
    return list(found.select_related("source", "target"))


def table_query(table: Table | None) -> str:
    """What is added to an address so that it speaks of a further table."""
    return "" if table is None or table.is_main else f"?table={table.pk}"
