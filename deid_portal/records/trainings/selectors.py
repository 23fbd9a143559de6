"""Which trainings there are, and whom one is for."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from deid_portal.accounts.models import User
from projects.core.models import Membership
from projects.workflow import TERMINAL

from ..enums import AttendanceOutcome
from ..models import Attendance, Training
from ..rules import KEPT_FOR


def trainings() -> QuerySet[Training]:
    """Every one, the latest first, with how many persons are recorded and how many of them passed: ``recorded`` and ``passed``."""
    return (
        Training.objects.select_related("planned_by", "closed_by")
        .annotate(
            recorded=Count("attendance"),
            passed=Count("attendance", filter=Q(attendance__outcome=AttendanceOutcome.PASSED)),
        )
        .order_by("-held_on", "-planned_at", "pk")
    )


def training_get(training_id: Any) -> Training:
    """Raises ``Training.DoesNotExist``."""
    return trainings().get(pk=training_id)


def _takes_part() -> QuerySet[User]:
    return User.objects.filter(is_active=True, post__in=KEPT_FOR)


def people_concerned(training: Training) -> QuerySet[User]:
    """Who holds one of its roles today, in a project that has not ended."""
    held = Membership.objects.filter(user=OuterRef("pk"), role__in=training.roles, ended_at=None)
    return _takes_part().filter(Exists(held.exclude(project__state__in=TERMINAL)))


def people_beside(training: Training) -> QuerySet[User]:
    """Who may take part in projects and holds none of its roles."""
    return _takes_part().exclude(pk__in=people_concerned(training))


def attendance_of(training: Training) -> QuerySet[Attendance]:
    return training.attendance.select_related("account", "record")
