"""The core's own tasks: projects whose state is owned by a role that I have."""

from __future__ import annotations

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.workflow import STATES, Role, State

from .pages import project_url
from .selectors import memberships_held
from .tasks_registry import Task, due_text, task_provider

ICON = {Role.MANAGEMENT: "seal", Role.SUPERVISOR: "eye", Role.EXECUTOR: "edit", Role.PLANNER: "flag"}


@task_provider
def owner_tasks(user: Person) -> list[Task]:
    """Signatures first, then reviews, then work; the oldest first."""
    tasks = []
    for membership in memberships_held(user.pk):
        project, role = membership.project, Role(membership.role)
        row = STATES[State(project.state)]
        if row.owner != role or not row.task:
            continue
        rank = 10 if row.awaits_signature else 20 if row.under_review else 30
        tasks.append(
            Task(
                row.task,
                project_url(project),
                # Sorted by the moment, shown as words.
                due=project.state_since,
                tone="warn" if row.awaits_signature else "info",
                word=_("Your signature") if row.awaits_signature else str(row.stage.label),
                project=str(project),
                hint=_("since %(since)s") % {"since": due_text(project.state_since)},
                icon=ICON.get(role, ""),
                rank=rank,
            )
        )
    return tasks
