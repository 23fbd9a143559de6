"""What of tables of statistics stands on a person's home page: those that wait for their word."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider

from .models import Tabulation
from .rules import JUDGES, WORKING

reads_along(
    "table_waits",
    Exists(Tabulation.objects.filter(project=OuterRef("project"), status__in=tuple(JUDGES))),
)


@task_provider
def tables_waiting(user: Person) -> list[Task]:
    """The supervisor reviews a table, senior management signs it."""
    held = {
        one.project_id: one.role
        for one in memberships_held(user.pk)
        if one.table_waits  # type: ignore[attr-defined]
    }
    waiting = Q(pk=None)
    for status, judge in JUDGES.items():
        if judged := [project for project, role in held.items() if role == judge]:
            waiting |= Q(status=status, project__in=judged, project__state__in=WORKING)
    if waiting == Q(pk=None):
        return []
    rows = Tabulation.objects.filter(waiting).exclude(made_by=user.pk).select_related("project")
    return [
        Task(
            _("Should this table of statistics be released?"),
            reverse("statistics:detail", args=[row.project_id, row.pk]),
            due=row.reviewed_at or row.made_at,
            tone="warn",
            word=_("Your decision"),
            project=str(row.project),
            hint=row.title,
            icon="columns",
            rank=16,
        )
        for row in rows
    ]
