"""Reading appointments."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from approvals.governance.person import Person
from projects.workflow.posts import AppointedPost

from ..models import Appointment, User
from . import rules
from .enums import AppointmentStatus
from .tenure import in_force


def appointments() -> QuerySet[Appointment]:
    """All, the newest first, with everybody whom they name."""
    return Appointment.objects.select_related("account", "given_by__origin", "decided_by", "ended_by")


def appointments_waiting() -> QuerySet[Appointment]:
    return appointments().filter(status=AppointmentStatus.WAITS)


def administrators_now() -> QuerySet[User]:
    """The accounts that administer today."""
    held = Appointment.objects.filter(in_force(), post=AppointedPost.ADMINISTRATOR)
    found = User.objects.filter(is_active=True, pk__in=held.values("account"))
    return found.select_related("origin")


def rows_of(appointments: Any, user: Person) -> list[dict[str, Any]]:
    """Each appointment with what ``user`` may do about it."""
    return [
        {
            "appointment": one,
            "tenure": one.tenure,
            "decide": rules.may_decide(user, one, confirm=True),
            "end": rules.may_end(user, one),
        }
        for one in appointments
    ]
