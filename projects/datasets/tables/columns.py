"""Columns of many projects by their names."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass

from django.db import connection
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from projects.core.models import Project

from ..models import Dataset, Table
from .names import column_label, with_named_tables
from .selectors import current_of

PORTION = 200
"""So many data sets are read at once until there are enough columns."""


@dataclass(frozen=True)
class NamedColumn:
    """A column of a current data set; ``label`` is as people call it."""

    project: Project
    table: Table
    label: str


def columns_named(projects: QuerySet[Project], text: str, *, most: int) -> list[NamedColumn]:
    """The first ``most`` columns of the current data sets of ``projects`` with ``text`` in their names, of the youngest project first.

    The database leaves out the data sets without such a column, and they are read until there are enough.
    """
    # As the list of names is written where it is stored: SQLite keeps the text that Django has made, PostgreSQL makes its own.
    written = json.dumps(text, ensure_ascii=connection.vendor == "sqlite")[1:-1]
    datasets = current_of(
        Dataset.objects.filter(project__in=projects.order_by().values("pk"), population=False)
    )
    datasets = datasets.annotate(names=Cast("columns", TextField())).filter(names__icontains=written)
    datasets = datasets.select_related("project", "table").defer("profile", "format")
    datasets = datasets.order_by("-project__created_at", "table__position", "pk")
    wanted, found = text.casefold(), list[tuple[Dataset, str]]()
    # In portions of their own, for PostgreSQL plans a cursor by its first rows: it would look through all data sets for each project.
    for start in itertools.count(0, PORTION):
        read = list(datasets[start : start + PORTION])
        found += [(one, column) for one in read for column in one.columns if wanted in column.casefold()]
        if len(found) >= most or len(read) < PORTION:
            break
    several = with_named_tables({dataset.project_id for dataset, _column in found})
    return [
        NamedColumn(
            dataset.project,
            dataset.table,
            column_label(dataset.table.name if dataset.project_id in several else "", column),
        )
        for dataset, column in found[:most]
    ]
