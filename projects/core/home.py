"""The core's own tasks: projects whose state is owned by a role that I have."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.workflow import OWNERS, STAGE_OF, Role, State

from .pages import project_url
from .selectors import memberships_held
from .tasks_registry import Task, due_text, task_provider

S = State
# What the owner of each state is asked to do.
TO_DO: dict[State, Any] = {
    S.OBJECTIVE_DRAFT: gettext_lazy("Determine the target and write the plan"),
    S.OBJECTIVE_REVIEW: gettext_lazy("Review the target and the plan"),
    S.PLAN_APPROVAL: gettext_lazy("May this plan be signed?"),
    S.IDENTIFICATION: gettext_lazy("Upload the data and identify the identifiers"),
    S.IDENTIFICATION_REVIEW: gettext_lazy("Review the identification"),
    S.PROCESSING: gettext_lazy("Process the identifiers"),
    S.PROCESSING_REVIEW: gettext_lazy("Review the processing"),
    S.VERIFICATION: gettext_lazy("Verify the result"),
    S.VERIFICATION_REVIEW: gettext_lazy("Review the verification"),
    S.RELEASE_APPROVAL: gettext_lazy("May this release be signed?"),
    S.APPROVED: gettext_lazy("Prepare the release: recipient and agreement"),
    S.SUSPENDED: gettext_lazy("Decide whether the suspended project is resumed"),
}
RANK = {S.PLAN_APPROVAL: 10, S.RELEASE_APPROVAL: 10}
ICON = {Role.MANAGEMENT: "seal", Role.SUPERVISOR: "eye", Role.EXECUTOR: "edit", Role.PLANNER: "flag"}


@task_provider
def my_turn(user: Any) -> list[Task]:
    """Signatures first, then reviews, then work; the oldest first."""
    tasks = []
    for membership in memberships_held(user.pk):
        project, role = membership.project, Role(membership.role)
        state = State(project.state)
        if OWNERS[state] != role or state not in TO_DO:
            continue
        rank = RANK.get(state, 20 if state.value.endswith("_review") else 30)
        tasks.append(
            Task(
                TO_DO[state],
                project_url(project),
                # Sorted by the moment, shown as words.
                due=project.state_since,
                tone="warn" if rank == 10 else "info",
                word=_("Your signature") if rank == 10 else str(STAGE_OF[state].label),
                project=str(project),
                hint=_("since %(since)s") % {"since": due_text(project.state_since)},
                icon=ICON.get(role, ""),
                rank=rank,
            )
        )
    return tasks
