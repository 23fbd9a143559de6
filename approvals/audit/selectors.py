"""Reading the audit log."""

from __future__ import annotations

import re
import uuid
from datetime import date, datetime, time, timedelta
from functools import cached_property
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, Max, QuerySet, Subquery, Value
from django.utils import timezone

from .models import AuditEvent
from .registry import SENTENCES

MAX_PROJECTS = 500
FEW = 200
"""So many events at most are gathered while they are counted; more are met soon by whoever reads the log from its end."""


def events_matching(
    *,
    person: str = "",
    action: str = "",
    project_id: uuid.UUID | None = None,
    since: date | None = None,
    until: date | None = None,
) -> QuerySet[AuditEvent]:
    """Events, newest first. ``person`` is part of a name; both days count whole, in the portal's time zone."""
    events = AuditEvent.objects.order_by("-seq")
    if person:
        # To look past capitals takes PostgreSQL longer, and Chinese names have none.
        lookup = "contains" if person.swapcase() == person else "icontains"
        events = events.filter(**{f"actor__{lookup}": person})
    if action:
        events = events.filter(action=action)
    if project_id:
        events = events.filter(project_id=project_id)
    if since:
        events = events.filter(at__gte=_midnight(since))
    if until:
        events = events.filter(at__lt=_midnight(until + timedelta(days=1)))
    return events


class LogPaginator(Paginator):  # type: ignore[type-arg]
    """Pages of the log: which rows a page has is read from an index, and only these rows as a whole, however far back it lies.

    ``until``: the last day of the events, where they have no first one.
    """

    def __init__(self, events: QuerySet[AuditEvent], per_page: int, *, until: date | None = None) -> None:
        super().__init__(events, per_page)
        self.until = until

    @cached_property
    def _few(self) -> list[int] | None:
        """The numbers of all events, the newest first; None where there are more than :data:`FEW`.

        From the end, whoever seeks one event in a million would be shown it after a million, and counting had passed them before.
        """
        events: Any = self.object_list
        found = list(events.order_by().values_list("pk", flat=True)[: FEW + 1])
        return sorted(found, reverse=True) if len(found) <= FEW else None

    @cached_property
    def count(self) -> int:
        events: Any = self.object_list
        return events.order_by().count() if self._few is None else len(self._few)

    def page(self, number: int | str) -> Any:
        number = self.validate_number(number)
        bottom = (number - 1) * self.per_page
        place = slice(bottom, bottom + self.per_page)
        if self._few is None:
            events: Any = self.object_list
            if self.until is not None:
                events = events.filter(seq__lte=_last_until(self.until))
            keys = events.values("pk")[place]
        else:
            keys = self._few[place]
        return Page(AuditEvent.objects.filter(pk__in=keys).order_by("-seq"), number, self)


def _last_until(day: date) -> Subquery:
    """The number of the last row before the end of ``day``, whatever the clock did: from there the list goes back, past no younger row.

    The sum keeps the database from looking for it in the order of the numbers, which would be the same long way.
    """
    before: Any = AuditEvent.objects.filter(at__lt=_midnight(day + timedelta(days=1))).order_by()
    every = before.annotate(every=Value(1)).values("every")
    return Subquery(every.annotate(last=Max(F("seq") + 0)).values("last"))


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def action_choices() -> list[tuple[str, str]]:
    """Every registered action with its sentence, placeholders left out."""
    choices = [(action, re.sub(r"%\(\w+\)s", "…", str(text))) for action, text in SENTENCES.items()]
    return sorted(choices, key=lambda choice: choice[0])


def project_choices() -> list[tuple[str, Any]]:
    """The projects that the log knows, by the name that the log itself holds; the newest first."""
    opened = AuditEvent.objects.filter(action="project.created").exclude(project_id=None).order_by("-seq")
    return [(str(i), label) for i, label in opened.values_list("project_id", "subject")[:MAX_PROJECTS]]
