"""What of tables of statistics stands on a person's home page: those that wait for their word."""

from __future__ import annotations

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import roles_held
from projects.core.tasks_registry import Task, task_provider

from .models import Tabulation
from .rules import JUDGES, WORKING


@task_provider
def tables_waiting(user: Person) -> list[Task]:
    """The supervisor reviews a table, senior management signs it."""
    held = roles_held(user.pk)
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
