"""How often recipients check samples of what they hold, as it was agreed, and when the next check is due (T/ISC 0078 11.2 e)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import DateField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on, months_later

from ..enums import CheckInterval
from ..models import Agreement, CopyStatement, Delivery, Release

_NEVER = 1000
"""Months: more than any interval."""

_last: list[Any] = []


def last_check_read_by(column: Any) -> None:
    """Register how the day of the last check that somebody reported is read: an expression over ``held`` (a release) and
    ``recipient`` of the row around it. The package that keeps the reports is of a later stage."""
    _last[:] = [column]


@dataclass(frozen=True)
class Check:
    """What was agreed with a recipient who holds the release in force: from which day it counts, and the last check that they
    reported of it."""

    agreement: Agreement
    release_id: uuid.UUID
    fetched_on: date
    last_on: date | None

    @property
    def deadline(self) -> Deadline | None:
        """By when the next check is due; None where only the one on receipt was agreed."""
        months = self.agreement.check_months
        if not months:
            return None
        return deadline_on(next_due(self.last_on or self.fetched_on, months, self.agreement.signed_on))

    @property
    def agreed_text(self) -> str:
        return interval_text(self.agreement.check_months)

    @property
    def due_on(self) -> date | None:
        return self.deadline.due if self.deadline is not None else None


def next_due(counted_from: date, months: int, signed_on: date) -> date:
    """So many months after the last check or the first fetch, and never before it was agreed."""
    return max(months_later(counted_from, months), signed_on)


def interval_text(months: int | None) -> str:
    """How often, in words; of what was agreed before it was asked, that nothing was."""
    if months is None:
        return _("On receipt only, as no interval was agreed")
    return str(CheckInterval(months).label)


def is_less_often(months: int | None, than: int | None) -> bool:
    return (months or _NEVER) > (than or _NEVER)


def interval_fact(months: int | None) -> dict[str, int]:
    """What the log says of it; nothing where nothing was agreed."""
    return {} if months is None else {"check_months": int(months)}


def checks_in(*projects: uuid.UUID) -> dict[uuid.UUID, Check]:
    """Of each recipient who holds the release in force of one of ``projects``, by their agreement in force."""
    return {one.agreement.pk: one for one in _checks(Q(project__in=projects))}


def checks_of(projects: Iterable[uuid.UUID], user: Person) -> list[Check]:
    """Those that ``user`` is to make in these projects."""
    return list(_checks(Q(project__in=list(projects), recipient=user.pk)))


def check_with(user: Person, release: Release) -> Check | None:
    """That of ``user`` who holds ``release``, if it is in force."""
    return next((one for one in checks_of([release.project_id], user) if one.release_id == release.pk), None)


def _checks(wanted: Q) -> Iterable[Check]:
    today = timezone.localdate()
    running = Q(ended_at=None, signed_on__lte=today, valid_until__gte=today)
    held = with_checks(Agreement.objects.filter(wanted, running)).filter(first__isnull=False, destroyed=False)
    for one in held.select_related("project", "recipient").order_by(F("first")):
        if (found := check_of(one)) is not None:
            yield found


def with_checks(agreements: QuerySet[Agreement]) -> QuerySet[Any]:
    """The same, with what :func:`check_of` needs to know of each, at no statement more."""
    release = Release.objects.filter(project=OuterRef("project"), ended_at=None).values("pk")
    fetched = Delivery.objects.filter(
        release=OuterRef("held"), recipient=OuterRef("recipient"), fetched_at__isnull=False
    ).order_by("fetched_at")
    anew = Delivery.objects.filter(
        release=OuterRef("release"), recipient=OuterRef("recipient"), fetched_at__gt=OuterRef("stated_at")
    )
    destroyed = CopyStatement.objects.filter(
        ~Exists(anew), release=OuterRef("held"), recipient=OuterRef("recipient")
    )
    return agreements.annotate(held=Subquery(release[:1])).annotate(
        first=Subquery(fetched.values("fetched_at")[:1]),
        destroyed=Exists(destroyed),
        last_on=_last[0] if _last else Value(None, DateField()),
    )


def check_of(agreement: Any) -> Check | None:
    """Of an agreement that was read :func:`with_checks`: None unless it is in force, and its recipient fetched the release in force
    and has not stated that the copy is destroyed."""
    if agreement.first is None or agreement.destroyed or not agreement.in_force:
        return None
    return Check(agreement, agreement.held, timezone.localdate(agreement.first), agreement.last_on)
