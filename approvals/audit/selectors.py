"""Reading the audit log."""

from __future__ import annotations

import re
import uuid
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from .models import AuditEvent
from .registry import SENTENCES

MAX_PROJECTS = 500


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
        events = events.filter(actor__icontains=person)
    if action:
        events = events.filter(action=action)
    if project_id:
        events = events.filter(project_id=project_id)
    if since:
        events = events.filter(at__gte=_midnight(since))
    if until:
        events = events.filter(at__lt=_midnight(until + timedelta(days=1)))
    return events


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
