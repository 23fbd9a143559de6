"""Who takes everything about a project along."""

from __future__ import annotations

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict
from projects.workflow import Role

from ..models import Project
from ..rules import acts_as, reads_without_role


def may_take(user: Person, project: Project) -> Verdict:
    """Auditors and assessors; of the project who plans it, supervises it and signs for it."""
    if reads_without_role(user, project):
        return ALLOW
    return acts_as(user, project, Role.PLANNER, Role.SUPERVISOR, Role.MANAGEMENT)
