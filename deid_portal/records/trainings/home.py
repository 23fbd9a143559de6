"""What of trainings stands on a home page: one that is to come, and one that was held and is not recorded."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Exists, OuterRef, TextField
from django.db.models.functions import Cast
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider
from projects.workflow import TERMINAL, State

from ..enums import TrainingStatus
from ..home import NOTICE
from ..models import Training
from .rules import may_read_attendance

_PLANNED = Training.objects.filter(status=TrainingStatus.PLANNED).annotate(
    for_roles=Cast("roles", TextField())
)
# The word of no role is a part of another's.
reads_along("training_planned", Exists(_PLANNED.filter(for_roles__contains=OuterRef("role"))))


@task_provider
def trainings_due(user: Person) -> list[Task]:
    """To who holds one of its roles each training that is held within thirty days; to administrators those whose day has come."""
    records = bool(may_read_attendance(user))
    held = [one for one in memberships_held(user.pk) if State(one.project.state) not in TERMINAL]
    if not records and not any(one.training_planned for one in held):  # type: ignore[attr-defined]
        return []
    today = timezone.localdate()
    roles = {one.role for one in held}
    planned = Training.objects.filter(
        status=TrainingStatus.PLANNED, held_on__lte=today + timedelta(days=NOTICE)
    ).order_by("held_on")
    tasks = []
    for one in planned:
        if records and one.held_on <= today:
            title = _("Record who attended the training “%(title)s”") % {"title": one.title}
            tone = "fail" if one.held_on < today - timedelta(days=7) else "warn"
        elif roles & set(one.roles) and one.held_on >= today:
            title, tone = _("A training that is meant for you: %(title)s") % {"title": one.title}, "info"
        else:
            continue
        address = reverse("records:training", args=[one.pk])
        tasks.append(
            Task(
                title,
                address,
                due=one.held_on,
                deadline=deadline_on(one.held_on),
                tone=tone,
                icon="calendar",
                rank=45,
            )
        )
    return tasks
