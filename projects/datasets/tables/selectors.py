"""Reading the tables of a project. A project with a single table has none by name: ``None`` stands for it.

Where a function takes ``table``, None is the main table, the one that every project has.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import QuerySet

from approvals.memory import is_remembering
from projects.core.models import Project

from ..enums import DatasetStatus
from ..models import Dataset, Table, TableLink
from ..selectors import current_dataset, main_table
from .standing import stands_in_tables, together


def tables_of(project: Project) -> list[Table]:
    """The tables by name, the main one first; empty where the project holds a single table."""
    if main_table(project) is None:
        return []
    if is_remembering():
        return together(project).tables
    return list(Table.objects.filter(project=project, removed_at=None).order_by("-is_main", "position"))


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


@stands_in_tables("datasets", related=("uploaded_by", "stored", "sample"))
def further_datasets(project_id: Any, table: Any) -> QuerySet[Dataset]:
    """The youngest data set of each further table that was not refused."""
    return Dataset.objects.filter(table=table).exclude(status=DatasetStatus.REFUSED)


def datasets_now(project: Project) -> list[tuple[Table | None, Dataset | None]]:
    """Each table with its current data set; of a project with a single table that one, under None."""
    tables = tables_of(project)
    if not tables:
        return [(None, current_dataset(project))]
    return [(table, dataset_now(project, table)) for table in tables]


def links_of(project: Project) -> list[TableLink]:
    """The declared links; empty where the project holds a single table."""
    if main_table(project) is None:
        return []
    if is_remembering():
        return together(project).links
    found = TableLink.objects.filter(project=project, removed_at=None)
    return list(found.select_related("source", "target"))


def table_query(table: Table | None) -> str:
    """What is added to an address so that it speaks of a further table."""
    return "" if table is None or table.is_main else f"?table={table.pk}"
