"""By when the stage that a project is in has to be done: the plan's own schedule, compared with today.

The package of the plan says what was planned (:func:`planned_by`); pages, tasks, lists and the API ask here, and
nowhere else is a day compared with today. A project that is over has no deadline, and none that is monitored: its
re-assessments have days of their own.
"""

from __future__ import annotations

import uuid
from calendar import monthrange
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.request_cache import cached_read, prime
from projects.workflow import STATES, TERMINAL, State

from .models import Project

# From this many days before it on a deadline is shown as near.
NEAR_DAYS = 7
# The states whose stage has a day in the plan that counts; of a suspended project that of the state before.
_DUE = tuple(state for state in State if state not in TERMINAL and state != State.MONITORING)

_planned: list[Callable[[str], dict[str, Any]]] = []


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


def planned_by(columns: Callable[[str], dict[str, Any]]) -> Callable[[str], dict[str, Any]]:
    """Register how the days of a plan are read with any other statement: given the name of its column of the project, the
    expressions ``drafted`` and ``submitted``, each a JSON object of a stage and its day or null."""
    _planned[:] = [columns]
    return columns


def days_planned(project: str) -> dict[str, Any]:
    """What a statement about one project brings along for :func:`deadline_prime`."""
    return _planned[0](project)


def deadline_prime(project: Project, drafted: Any, submitted: Any) -> None:
    """Spare :func:`deadline_of` its statement."""
    state = State(project.suspended_from or project.state)
    day = _day_in(state, drafted, submitted)
    prime(deadline_of, project, result=deadline_on(day) if day else None)


def deadline_on(due: date) -> Deadline:
    return Deadline(due, timezone.localdate())


def months_later(day: date, months: int) -> date:
    """The same day so many months later, or the last of that month where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _day_in(state: State, drafted: Any, submitted: Any) -> date | None:
    """By the plan as it was submitted last, and while the target is determined as it is drafted."""
    if state not in _DUE:
        return None
    day = ((drafted if state == State.OBJECTIVE_DRAFT else submitted) or {}).get(STATES[state].stage)
    return date.fromisoformat(day) if day else None


def deadlines_of(projects: Sequence[Project]) -> dict[uuid.UUID, Deadline]:
    """The deadline of the stage that each project is in; of a project without one there is no entry."""
    ids = [project.pk for project in projects]
    return deadlines_among(Project.objects.filter(pk__in=ids)) if ids else {}


def deadlines_among(found: QuerySet[Project]) -> dict[uuid.UUID, Deadline]:
    """The same of whichever projects ``found`` names, and of no project more is read than that."""
    rows: Any = found.filter(state__in=_DUE).order_by().annotate(**_planned[0]("pk"))
    today = timezone.localdate()
    return {
        pk: Deadline(day, today)
        for pk, state, before, drafted, submitted in rows.values_list(
            "pk", "state", "suspended_from", "drafted", "submitted"
        )
        if (day := _day_in(State(before or state), drafted, submitted)) is not None
    }


def by_deadline(projects: Iterable[Project]) -> list[Project]:
    """What is due first, then what has no deadline; among equals the order stays."""
    found = list(projects)
    deadlines = deadlines_of(found)
    return sorted(found, key=lambda one: deadlines[one.pk].due if one.pk in deadlines else date.max)


@cached_read
def deadline_of(project: Project) -> Deadline | None:
    return deadlines_of([project]).get(project.pk)
