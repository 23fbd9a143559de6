"""Reading the tables of a project. A project with a single table has none by name: ``None`` stands for it.

Where a function takes ``table``, None is the main table, the one that every project has.
"""

from __future__ import annotations

import uuid

from django.db.models import OuterRef, Subquery

from projects.core.current import current
from projects.core.models import Project

from ..enums import DatasetStatus
from ..models import Dataset, Table, TableLink
from ..selectors import current_dataset


@current
def tables_of(project: Project) -> list[Table]:
    """The tables by name, the main one first; empty where the project holds a single table."""
    return list(project.tables.filter(removed_at=None).order_by("-is_main", "position"))


def main_table(project: Project) -> Table | None:
    """The name of the main table where the project holds several tables; else None."""
    return next((table for table in tables_of(project) if table.is_main), None)


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
    return further_datasets(project).get(table.pk)


@current
def further_datasets(project: Project) -> dict[uuid.UUID | None, Dataset]:
    """Table → its youngest data set that was not refused, for the further tables."""
    newest = Dataset.objects.filter(table=OuterRef("pk")).exclude(status=DatasetStatus.REFUSED).values("pk")
    tables = project.tables.filter(removed_at=None).annotate(newest=Subquery(newest[:1]))
    found = project.datasets.filter(pk__in=tables.values("newest"))
    return {row.table_id: row for row in found.select_related("uploaded_by", "stored", "sample", "table")}


def datasets_now(project: Project) -> list[tuple[Table | None, Dataset | None]]:
    """Each table with its current data set; of a project with a single table that one, under None."""
    tables = tables_of(project)
    if not tables:
        return [(None, current_dataset(project))]
    return [(table, dataset_now(project, table)) for table in tables]


@current
def links_of(project: Project) -> list[TableLink]:
    """The declared links; empty where the project holds a single table."""
    return list(project.table_links.filter(removed_at=None).select_related("source", "target"))


def table_query(table: Table | None) -> str:
    """What is added to an address so that it speaks of a further table."""
    return "" if table is None or table.is_main else f"?table={table.pk}"
