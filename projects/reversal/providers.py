"""What reversal does when the project moves."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.workflow import MoveRule

from .rules import is_reversible
from .services import reversals_lapse


@on_move
def lapse(project: Project, rule: MoveRule, by: Person) -> None:
    """A result that is approved no longer is asked about no longer."""
    if not is_reversible(project):
        reversals_lapse(project)
