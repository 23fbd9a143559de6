"""The core's own tasks: projects whose state is owned by a role that I have."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from approvals.decisions.selectors import decisions_read, has_signed, open_signoff
from approvals.governance.person import Person
from projects.workflow import STATES, TERMINAL, Role, State
from projects.workflow.posts import Post

from .assessments.models import AssessmentOrder
from .assessments.selectors import orders_in_force, orders_to_repeat
from .deadlines import deadline_on, deadlines_of
from .returns import current_return
from .selectors import memberships_acting, memberships_held, reads_along
from .succession.selectors import is_planned
from .tasks_registry import Task, due_text, task_provider, warning_of

# An assessor is looked for, appointed and given an order in so many days.
DAYS_TO_ORDER = 30
ICON = {Role.MANAGEMENT: "seal", Role.SUPERVISOR: "eye", Role.EXECUTOR: "edit", Role.PLANNER: "flag"}


_REPEATED = AssessmentOrder.objects.filter(project=OuterRef("project"), again_months__isnull=False)
reads_along("is_planned", is_planned("project"))
reads_along("is_assessed_again", Exists(_REPEATED))


@task_provider
def planning_to_hand_over(user: Person) -> list[Task]:
    """Senior management of a project that nobody plans any more hands its planning over."""
    return [
        Task(
            _("Hand over the planning: this project no longer has a planning manager"),
            reverse("core:hand_over", kwargs={"project_id": membership.project_id}),
            tone="fail",
            word=_("Team"),
            project=str(membership.project),
            icon="users",
            rank=12,
        )
        for membership in memberships_held(user.pk)
        if membership.role == Role.MANAGEMENT
        and not membership.is_planned  # type: ignore[attr-defined]
        and membership.project.state not in TERMINAL
    ]


@task_provider
def owner_tasks(user: Person) -> list[Task]:
    """Signatures first, then reviews, then work; what is due first, then the oldest."""
    mine = [
        (membership, row)
        for membership in memberships_acting(user.pk)
        if (row := STATES[State(membership.project.state)]).owner == membership.role and row.task
    ]
    if mine:
        decisions_read([membership.project_id for membership, _row in mine])
    deadlines = deadlines_of([membership.project for membership, _row in mine])
    tasks = []
    for membership, row in mine:
        project, role, member = membership.project, Role(membership.role), membership.user
        signoff = open_signoff(project.pk, row.signs) if row.signs else None
        # Who has signed waits for the others, and so does a deputy of who has.
        if signoff is not None and (has_signed(user, signoff) or has_signed(member, signoff)):
            continue
        rank = 10 if row.awaits_signature else 20 if row.under_review else 30
        hint = _("since %(since)s") % {"since": due_text(project.state_since)}
        if member.pk != user.pk:
            hint += " · " + _("on behalf of %(member)s") % {"member": member}
        warning, returned = warning_of(membership), current_return(project)
        title = warning or row.task
        if returned is not None and not row.outcomes:
            title = _("Returned for rework: %(task)s") % {"task": title}
        if returned is not None:
            hint += " · " + _("returned by %(by)s: %(reason)s") % {
                "by": returned.by,
                "reason": returned.reason,
            }
        tasks.append(
            Task(
                title,
                reverse("core:project_continue", kwargs={"project_id": project.pk}),
                # Sorted by the moment, shown as words.
                due=project.state_since,
                tone="fail"
                if warning
                else "warn"
                if row.awaits_signature or returned is not None
                else "info",
                word=_("Your signature") if row.awaits_signature else str(row.stage.label),
                project=str(project),
                hint=hint,
                icon=ICON.get(role, ""),
                rank=rank,
                deadline=deadlines.get(project.pk),
                project_id=project.pk,
            )
        )
    return tasks


@task_provider
def assessments_to_report(user: Person) -> list[Task]:
    """Orders in force that the assessor has not reported on."""
    if user.post != Post.ASSESSOR:
        return []
    waiting = orders_in_force(user.pk).filter(conclusion="").select_related("project", "ordered_by")
    return [
        Task(
            _("Assess the project and report"),
            reverse("core:assessments", args=[one.project_id]),
            due=one.until,
            tone="warn",
            word=_("Assessment"),
            project=str(one.project),
            hint=_("ordered by %(by)s, until %(day)s") % {"by": one.ordered_by, "day": one.until},
            icon="eye",
            rank=21,
            about=str(one.pk),
        )
        for one in waiting
    ]


@task_provider
def assessments_to_order(user: Person) -> list[Task]:
    """The supervisor of a project that is to be assessed again orders it, until somebody has."""
    mine = [
        one.project_id
        for one in memberships_held(user.pk)
        if one.role == Role.SUPERVISOR and one.project.state not in TERMINAL and one.is_assessed_again  # type: ignore[attr-defined]
    ]
    if not mine:
        return []
    return [
        Task(
            _("Order the next outside assessment"),
            reverse("core:assessments", args=[one.project_id]),
            due=day,
            deadline=deadline_on(day),
            tone="fail" if deadline_on(day).is_overdue else "warn",
            word=_("Assessment"),
            project=str(one.project),
            hint=_("due on %(date)s") % {"date": due_text(day)},
            icon="eye",
            rank=24,
            about=str(one.pk),
        )
        for one, day in orders_to_repeat(mine, localdate() + timedelta(days=DAYS_TO_ORDER))
    ]
