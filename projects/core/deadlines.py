"""By when the stage that a project is in has to be done: the plan's own schedule, compared with today.

The package of the plan says what was planned (:func:`planned_by`); pages, tasks, lists and the API ask here, and
nowhere else is a day compared with today. A project that is over has no deadline, and none that is monitored: its
re-assessments have days of their own.
"""

from __future__ import annotations

import uuid
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol

from django.db.models import Case, CharField, DateField, F, Q, QuerySet, Subquery, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.request_cache import cached_read, prime
from projects.workflow import STATES, TERMINAL, Stage, State

from .models import Project, in_states

# From this many days before it on a deadline is shown as near.
NEAR_DAYS = 7
# Of each state that has a day its stage, and whether its draft says the day or the plan as it was submitted last; of a
# suspended project that of the state before.
_DAYS: dict[State, tuple[Stage, bool]] = {
    state: (STATES[state].stage, state == State.OBJECTIVE_DRAFT)
    for state in State
    if state not in TERMINAL and state not in (State.MONITORING, State.SUSPENDED)
}


class PlannedDays(Protocol):
    """How a statement reads the days of a plan, as it is drafted or as it was submitted last."""

    def days(self, project: str, *, drafted: bool) -> Subquery:
        """A JSON object of stages and days or null, where the column ``project`` names the project."""

    def day(self, stage: Stage, *, drafted: bool) -> Subquery:
        """The day of ``stage`` as text or null, in a statement about projects."""


_planned: list[PlannedDays] = []


@dataclass(frozen=True)
class Deadline:
    """A day by which something has to be done, as of ``today``."""

    due: date
    today: date

    @property
    def days(self) -> int:
        """Days that are left; below 0: overdue by so many."""
        return (self.due - self.today).days

    @property
    def is_overdue(self) -> bool:
        return self.days < 0

    @property
    def is_near(self) -> bool:
        return 0 <= self.days <= NEAR_DAYS

    @property
    def tone(self) -> str:
        return "fail" if self.is_overdue else "warn" if self.is_near else "neutral"

    @property
    def text(self) -> str:
        if self.days == 0:
            return _("due today")
        if self.is_overdue:
            return ngettext("%(n)s day overdue", "%(n)s days overdue", -self.days) % {"n": -self.days}
        return ngettext("due in %(n)s day", "due in %(n)s days", self.days) % {"n": self.days}


def planned_by(plan: PlannedDays) -> None:
    """Register where the days of a plan are read."""
    _planned[:] = [plan]


def due_day() -> Combinable:
    """By when the stage that a project is in has to be done, in a statement about projects; null where there is no such day."""
    (plan,) = _planned
    rows = [
        When(
            in_states(state for state, day in _DAYS.items() if day == (stage, drafted)),
            then=plan.day(stage, drafted=drafted),
        )
        for stage, drafted in dict.fromkeys(_DAYS.values())
    ]
    return Cast(Case(*rows, default=None, output_field=CharField()), DateField())


def is_overdue() -> Q:
    """Of projects that bring ``due`` along (:func:`due_day`), those of :attr:`Deadline.is_overdue`."""
    return Q(due__lt=timezone.localdate())


def is_near() -> Q:
    """The same of :attr:`Deadline.is_near`."""
    today = timezone.localdate()
    return Q(due__range=(today, today + timedelta(days=NEAR_DAYS)))


def days_planned(project: str) -> dict[str, Subquery]:
    """What a statement about one project brings along for :func:`deadline_prime`. Every page of a project asks it, and the
    statement of :func:`due_day` takes longer to put together."""
    (plan,) = _planned
    return {
        "drafted": plan.days(project, drafted=True),
        "submitted": plan.days(project, drafted=False),
    }


def deadline_prime(project: Project, drafted: Any, submitted: Any) -> None:
    """Spare :func:`deadline_of` its statement."""
    found = _DAYS.get(State(project.suspended_from or project.state))
    said = (drafted if found[1] else submitted) if found else None
    day = said.get(found[0]) if found and said else None
    prime(deadline_of, project, result=deadline_on(date.fromisoformat(day)) if day else None)


def deadline_on(due: date) -> Deadline:
    return Deadline(due, timezone.localdate())


def months_later(day: date, months: int) -> date:
    """The same day so many months later, or the last of that month where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def deadlines_of(projects: Sequence[Project]) -> dict[uuid.UUID, Deadline]:
    """The deadline of the stage that each project is in; of a project without one there is no entry."""
    ids = [project.pk for project in projects]
    if not ids:
        return {}
    found = Project.objects.filter(pk__in=ids).order_by().values_list("pk", due_day())
    today = timezone.localdate()
    return {pk: Deadline(due, today) for pk, due in found if due}


def by_deadline(found: QuerySet[Project]) -> QuerySet[Project]:
    """What is due first, then what has no deadline; among equals the newest."""
    return found.annotate(due=due_day()).order_by(F("due").asc(nulls_last=True), "-created_at", "pk")


@cached_read
def deadline_of(project: Project) -> Deadline | None:
    return deadlines_of([project]).get(project.pk)
