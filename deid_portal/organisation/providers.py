"""What the organisation's policy library does when a project moves."""

from __future__ import annotations

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import on_move
from projects.workflow import Move, MoveRule

from .policies.grounds import stale_report


@on_move
def react(project: Project, rule: MoveRule, by: Person) -> None:
    """What became outdated while the release was made is looked at as soon as it is live."""
    if rule.move == Move.RELEASE:
        stale_report(project)
