"""How tables are named to people: only where there is more than one to tell apart. No other place asks for that."""

from __future__ import annotations

import uuid

from django.db.models import Count
from django.utils.translation import gettext as _

from projects.core.models import Project

from ..models import Table
from .selectors import tables_of


def named_tables(project: Project) -> list[Table]:
    """The tables where people tell them apart by name; else none."""
    tables = tables_of(project)
    return tables if len(tables) > 1 else []


def label_of(table: Table) -> str:
    """The table's name where people tell several apart by name; else ""."""
    return table.name if table in named_tables(table.project) else ""


def titled(label: str, text: str) -> str:
    """``text`` about a table with this label."""
    return _("%(table)s: %(check)s") % {"table": label, "check": text} if label else text


def column_label(label: str, column: str) -> str:
    """A column as people call it: ``table.column``, of the only table by itself."""
    return f"{label}.{column}" if label else column


def with_named_tables(projects: set[uuid.UUID]) -> set[uuid.UUID]:
    """Those of ``projects`` whose tables people tell apart by name, by one statement."""
    tables = Table.objects.filter(project__in=projects, removed_at=None).order_by()
    counted = tables.values("project").annotate(number=Count("pk")).filter(number__gt=1)
    return set(counted.values_list("project", flat=True))
