"""What datasets does when something happens elsewhere."""

from __future__ import annotations

from typing import Any

from projects.core.models import Project
from projects.core.services import on_open

from .tables.services import first_table_create


@on_open
def open_with_a_table(project: Project, by: Any) -> None:
    """A project has a table from its beginning."""
    first_table_create(project, by=by)
