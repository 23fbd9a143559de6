"""What the vault does when the project moves."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.workflow import MoveRule

from .services import proposals_lapse


@on_move
def lapse(project: Project, rule: MoveRule, by: Person) -> None:
    """A key that is needed again is not proposed to be destroyed any longer."""
    if rule.reopens:
        proposals_lapse(project)
