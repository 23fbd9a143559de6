"""What datasets does when something happens elsewhere."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_open

from .tables.services import first_table_create


@on_open
def open_with_a_table(project: Project, by: Person) -> None:
    """A project has a table from its beginning."""
    first_table_create(project, by=by)
