"""What processing does when the project moves."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.workflow import Move, MoveRule

from .runs.documents import report_start


@on_move
def print_report(project: Project, rule: MoveRule, by: Person) -> None:
    """The report of a submitted processing becomes a document."""
    if rule.move == Move.SUBMIT_PROCESSING:
        report_start(project, by=by)
