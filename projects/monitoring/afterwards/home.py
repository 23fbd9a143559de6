"""What of releases that have ended stands on a person's home page: copies that are out are to be assessed."""

from __future__ import annotations

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.selectors import reads_along, waiting_since
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import Role

from ..models import LaterReassessment

_OPEN = LaterReassessment.objects.filter(project=OuterRef("project"), concluded_at=None).order_by("due_on")
reads_along("later_opened_at", Subquery(_OPEN.values("opened_at")[:1]))
reads_along("later_due_on", Subquery(_OPEN.values("due_on")[:1]))


@task_provider
def copies_to_assess(user: Person) -> list[Task]:
    """The supervisor concludes; one task for all releases of a project, by the first day: nothing more is read for it."""
    tasks = []
    for held, _since in waiting_since(user.pk, Role.SUPERVISOR, "later_opened_at"):
        deadline = deadline_on(held.later_due_on)  # type: ignore[attr-defined]
        tasks.append(
            Task(
                _("Re-assess the copies that are still out"),
                reverse("monitoring:afterwards", args=[held.project_id]),
                due=deadline.due,
                tone="fail" if deadline.is_overdue else "info",
                word=deadline.text if deadline.is_overdue else _("Awaits its conclusion"),
                project=str(held.project),
                hint=_("due on %(date)s") % {"date": deadline.due.isoformat()},
                deadline=deadline,
                project_id=held.project_id,
                icon="clock",
                rank=12 if deadline.is_overdue else 22,
            )
        )
    return tasks
