"""The only writer of a change of planning manager."""

from __future__ import annotations

from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.workflow import Role

from .. import events
from ..enums import INSIDE_ROLES
from ..models import Membership, Project
from ..rules import CoreReason
from ..services import membership_end, membership_write, notify, project_lock
from .rules import may_take_over


def planning_hand_over(project: Project, *, to: Person, reason: str, by: Person) -> Membership:
    """Give the planning of a project to ``to`` and end the role of who planned it; what they did stays theirs."""
    with governed_act():
        project = project_lock(project)
        before = list(
            Membership.objects.select_for_update(of=("self",))
            .filter(project=project, role=Role.PLANNER, ended_at=None)
            .select_related("user")
        )
        facts: dict[str, Any] = {"member": str(to), "before": ", ".join(str(one.user) for one in before)}
        with recording(events.PLANNING_HANDED_OVER, by=by, about=project, reason=reason.strip(), **facts):
            may_take_over(by, to, project).require()
            if not reason.strip():
                deny(CoreReason.REASON_NEEDED).require()
            # The new one first: the database lets no project be without.
            made = membership_write(project, to, Role.PLANNER, by=by)
            for one in before:
                membership_end(one, by=by)
            notify(project, events.PLANNING_HANDED_OVER, INSIDE_ROLES, by=by, reason=reason.strip(), **facts)
            return made
