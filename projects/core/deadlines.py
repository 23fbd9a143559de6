"""By when the stage that a project is in has to be done: the plan's own schedule, compared with today.

The package of the plan says what was planned (:func:`planned_by`); pages, tasks, lists and the API ask here, and
nowhere else is a day compared with today. A project that is over has no deadline, and none that is monitored: its
re-assessments have days of their own.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.request_cache import cached_read
from projects.workflow import TERMINAL, Stage, State

from .models import Project

# From this many days before it on a deadline is shown as near.
NEAR_DAYS = 7

Schedule = Mapping[Stage, date]
_planned: list[Callable[[Sequence[Project]], Mapping[uuid.UUID, Schedule]]] = []


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


def planned_by(
    planned: Callable[[Sequence[Project]], Mapping[uuid.UUID, Schedule]],
) -> Callable[[Sequence[Project]], Mapping[uuid.UUID, Schedule]]:
    """Register who knows what was planned of projects; asked once for all of a list."""
    _planned[:] = [planned]
    return planned


def deadline_on(due: date) -> Deadline:
    return Deadline(due, timezone.localdate())


def deadlines_of(projects: Sequence[Project]) -> dict[uuid.UUID, Deadline]:
    """The deadline of the stage that each project is in; of a project without one there is no entry."""
    running = [project for project in projects if _has_deadline(project)]
    if not running or not _planned:
        return {}
    planned = _planned[0](running)
    return {
        project.pk: deadline_on(due)
        for project in running
        if (due := planned.get(project.pk, {}).get(project.stage)) is not None
    }


def by_deadline(projects: Iterable[Project]) -> list[Project]:
    """What is due first, then what has no deadline; among equals the order stays."""
    found = list(projects)
    deadlines = deadlines_of(found)
    return sorted(found, key=lambda one: deadlines[one.pk].due if one.pk in deadlines else date.max)


@cached_read
def deadline_of(project: Project) -> Deadline | None:
    return deadlines_of([project]).get(project.pk)


def _has_deadline(project: Project) -> bool:
    state = State(project.suspended_from or project.state)
    return state not in TERMINAL and state != State.MONITORING
