"""Who may have a result measured with related releases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.models import Project
from projects.core.rules import CoreReason, has_role
from projects.processing.models import Run
from projects.workflow import TERMINAL, Role, State

from ..rules import ReleaseReason
from .selectors import has_courses, is_under_way


def may_measure(user: Person, project: Project, run: Run | None, relatives: Sequence[Any]) -> Verdict:
    """The team, but not who signs, until the project has ended, where there is a result with relatives or with several rows of a person, and no such measurement under way."""
    verdict = has_role(user, project, Role.PLANNER, Role.EXECUTOR, Role.SUPERVISOR)
    if verdict and State(project.state) in TERMINAL:
        return deny(CoreReason.WRONG_STATE, state=project.get_state_display())
    if not verdict:
        return verdict
    if run is None:
        return deny(ReleaseReason.NO_RESULT)
    if not (relatives or has_courses(run)):
        return deny(ReleaseReason.NO_RELATIVES)
    if is_under_way(project):
        return deny(ReleaseReason.MEASURING)
    return ALLOW
