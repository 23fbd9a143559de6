"""What of reversal stands on a person's home page: requests to decide, answers to read."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider

from .enums import ReversalStatus
from .models import ReversalRequest
from .rules import ASKING, DECIDING

_OPEN = ReversalRequest.objects.filter(
    project=OuterRef("project"), status__in=(ReversalStatus.WAITING, ReversalStatus.READY)
)
reads_along("reversal_open", Exists(_OPEN))


@task_provider
def reversals(user: Person) -> list[Task]:
    """The judges decide about requests; who asked reads the answer before its time is over."""
    held = {
        one.project_id: one.role
        for one in memberships_held(user.pk)
        if one.reversal_open  # type: ignore[attr-defined]
    }
    judged = [project for project, role in held.items() if role in DECIDING]
    worked = [project for project, role in held.items() if role in ASKING]
    if not judged and not worked:
        return []
    waiting = Q(status=ReversalStatus.WAITING, project__in=judged)
    ready = Q(
        status=ReversalStatus.READY,
        asked_by=user.pk,
        project__in=worked,
        reads=0,
        readable_until__gt=timezone.now(),
    )
    rows = ReversalRequest.objects.filter(waiting | ready).select_related("project", "asked_by", "asked")
    return [_task(row) for row in rows]


def _task(row: ReversalRequest) -> Task:
    url = reverse("reversal:detail", args=[row.project_id, row.pk])
    if row.status == ReversalStatus.WAITING:
        return Task(
            _("Should these values be recovered?"),
            url,
            due=row.asked_at,
            tone="warn",
            word=_("Your decision"),
            project=str(row.project),
            hint=_("%(person)s asked for %(count)d values of “%(column)s”")
            % {"person": row.asked_by, "count": row.values_count, "column": row.place},
            icon="key",
            rank=15,
        )
    return Task(
        _("Read the values you requested"),
        url,
        due=row.readable_until,
        project=str(row.project),
        icon="key",
        rank=20,
    )
