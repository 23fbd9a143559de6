"""How tables are named to people: only where there is more than one to tell apart. No other place asks for that."""

from __future__ import annotations

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
