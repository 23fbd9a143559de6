"""Reading the tables of a project: each has at least one, and the first is the one that came with the project."""

from __future__ import annotations

import uuid

from django.db.models import Exists, OuterRef, Q, QuerySet

from approvals.request_cache import cached_read, known
from projects.core.models import Project

from ..enums import DatasetStatus
from ..models import Dataset, Table, TableLink


@cached_read
def tables_of(project: Project) -> list[Table]:
    """The tables in their order."""
    return list(project.tables.filter(removed_at=None))


def first_table(project: Project) -> Table:
    """The table that the project came with."""
    return tables_of(project)[0]


def table_of(project: Project, text: str | None) -> Table:
    """The table whose id an address names; the first where it names none. ``Table.DoesNotExist`` for others."""
    if not text:
        return first_table(project)
    try:
        wanted = uuid.UUID(text)
    except ValueError:
        raise Table.DoesNotExist from None
    for table in tables_of(project):
        if table.pk == wanted:
            return table
    raise Table.DoesNotExist


class CurrentDatasets(dict[uuid.UUID, Dataset]):
    """Table → its data set; ``populations`` are the tables' population tables, read by the same statement."""

    populations: dict[uuid.UUID, Dataset]


def current_of(datasets: QuerySet[Dataset]) -> QuerySet[Dataset]:
    """Those of ``datasets`` that are the youngest of their table that was not refused."""
    same = Dataset.objects.filter(table=OuterRef("table"), population=OuterRef("population"))
    # Of two of one moment the greater id counts as the younger. That nothing is younger is asked of all of them at once; PostgreSQL
    # would look for the youngest of each again and again.
    later = Q(uploaded_at__gt=OuterRef("uploaded_at")) | Q(
        uploaded_at=OuterRef("uploaded_at"), pk__gt=OuterRef("pk")
    )
    younger = same.exclude(status=DatasetStatus.REFUSED).filter(later).order_by()
    return datasets.filter(~Exists(younger), table__removed_at=None).exclude(status=DatasetStatus.REFUSED)


@cached_read
def current_datasets(project: Project) -> CurrentDatasets:
    """Table → its youngest data set that was not refused: it has replaced the ones before. May not be ready yet."""
    found = current_of(project.datasets.all())
    tables = {table.pk: table for table in tables_of(project)}
    datasets = CurrentDatasets()
    datasets.populations = {}
    for row in found.select_related("uploaded_by", "stored", "sample"):
        if row.table_id in tables:
            row.table = tables[row.table_id]
        (datasets.populations if row.population else datasets)[row.table_id] = row
    return datasets


def populations_named(project: Project) -> dict[uuid.UUID, Dataset]:
    """Table → the same of its population tables."""
    return current_datasets(project).populations


def populations_now(project: Project) -> dict[uuid.UUID, Dataset]:
    """Table → the population table that counts: every row of it was checked."""
    return {table: row for table, row in populations_named(project).items() if row.is_ready}


def dataset_now(table: Table, *, population: bool = False) -> Dataset | None:
    """The current data set of a table, or its current ``population`` table; None while there is none."""
    current = populations_named(table.project) if population else current_datasets(table.project)
    return current.get(table.pk)


def datasets_now(project: Project) -> list[tuple[Table, Dataset | None]]:
    """Each table with its current data set."""
    found = current_datasets(project)
    return [(table, found.get(table.pk)) for table in tables_of(project)]


@cached_read
def links_of(project: Project) -> list[TableLink]:
    """The links between its tables. Where one table is known to be all, nothing is asked: a link is between two."""
    tables = known(tables_of, project)
    if tables is not None and len(tables) < 2:
        return []
    return list(project.table_links.filter(removed_at=None).select_related("source", "target"))


def table_query(table: Table) -> str:
    """What is added to an address so that it speaks of this table and not of the first."""
    return "" if table.is_first else f"?table={table.pk}"


def population_query(table: Table) -> str:
    """The same, of the table's population table."""
    query = table_query(table)
    return f"{query}&population=1" if query else "?population=1"
