"""What of needs stands on a planning manager's home page: to answer, and to have met by the day that was wished for."""

from __future__ import annotations

from datetime import date

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.audit.models import AuditEvent
from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import MOVES, TERMINAL, Move, Role, State

from ...models import Objective, ProjectNeed

# From so many days before its day on a need that was accepted and is not met is shown.
NEED_NEAR_DAYS = 30

_OBJECTIVES = Objective.objects.filter(project=OuterRef("project"), need__isnull=False)
_ASKS = Q(need__is_accepted=None, project__state=State.OBJECTIVE_DRAFT) | Q(need__is_accepted=True)
reads_along("need_asks", Exists(_OBJECTIVES.filter(_ASKS)))


@task_provider
def needs(user: Person) -> list[Task]:
    """Needs without an answer, and those whose day is near or over while nothing has been released yet."""
    mine = [
        held.project_id
        for held in memberships_held(user.pk)
        if held.role == Role.PLANNER
        and held.need_asks  # type: ignore[attr-defined]
        and held.project.state not in (*TERMINAL, State.MONITORING)
    ]
    if not mine:
        return []
    released = AuditEvent.objects.filter(
        project_id=OuterRef("project"), action=MOVES[Move.RELEASE].audit_action
    )
    found = ProjectNeed.objects.filter(pk__in=Objective.objects.filter(project__in=mine).values("need"))
    tasks = []
    for need in found.filter(~Exists(released)).select_related("project", "raised_by"):
        day = need.content["due_on"]
        deadline = deadline_on(date.fromisoformat(day)) if day else None
        if need.is_accepted is None:
            tasks.append(_to_answer(need, deadline))
        elif need.is_accepted and deadline is not None and deadline.days <= NEED_NEAR_DAYS:
            tasks.append(_to_meet(need, deadline))
    return tasks


def _to_answer(need: ProjectNeed, deadline: Deadline | None) -> Task:
    return Task(
        _("Answer the need that the executor raised"),
        reverse("objective:need", args=[need.project_id]),
        due=need.raised_at,
        tone="fail" if deadline is not None and deadline.is_overdue else "warn",
        word=_("Your decision"),
        project=str(need.project),
        hint=_("raised by %(by)s") % {"by": need.raised_by},
        icon="flag",
        rank=20,
        deadline=deadline,
        project_id=need.project_id,
    )


def _to_meet(need: ProjectNeed, deadline: Deadline) -> Task:
    return Task(
        _("Nothing has been released for the need that you accepted"),
        reverse("core:project_continue", kwargs={"project_id": need.project_id}),
        due=deadline.due,
        tone="fail" if deadline.is_overdue else "warn",
        word=need.project.get_state_display(),
        project=str(need.project),
        hint=_("to be done by %(date)s") % {"date": deadline.due.isoformat()},
        icon="clock",
        rank=22,
        deadline=deadline,
        project_id=need.project_id,
        about=f"need {need.number} {deadline.due}",
    )
