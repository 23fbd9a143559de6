"""Entries about releases that were made outside the portal, as somebody may read them."""

from __future__ import annotations

import re
import uuid
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.governance.person import Person

from .models import OutsideRelease
from .rules import may_read_outside

_MARK = re.compile(r"O-([0-9]{1,9})", re.IGNORECASE)


def outside_seen(user: Person, *, q: str = "", over: bool = False) -> QuerySet[OutsideRelease]:
    """The entries that ``user`` may read, the youngest release first; withdrawn ones and those whose term is over only where ``over``
    wants them."""
    found = OutsideRelease.objects.select_related("recorded_by", "withdrawn_by", "replaces")
    if not may_read_outside(user):
        return found.none()
    if not over:
        lasts = Q(valid_until=None) | Q(valid_until__gte=timezone.localdate())
        found = found.filter(lasts, withdrawn_at=None)
    if q:
        wanted: Any = Q(name__icontains=q) | Q(source__icontains=q) | Q(recipients__icontains=q)
        if mark := _MARK.fullmatch(q.strip()):
            wanted |= Q(number=int(mark[1]))
        found = found.filter(wanted)
    return found


def outside_get(entry_id: uuid.UUID) -> OutsideRelease:
    rows = OutsideRelease.objects.select_related("recorded_by", "withdrawn_by", "replaces", "replaced_by")
    return rows.get(pk=entry_id)
