"""How often recipients check samples of what they hold, as it was agreed, and when the next check is due (T/ISC 0078 11.2 e)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import (
    Case,
    DateField,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.deadlines import Deadline, deadline_on, months_later
from projects.core.enums import SharingType

from ..enums import CheckInterval
from ..models import Agreement, CopyStatement, Delivery, Release

ON_RECEIPT = timedelta(days=14)
"""So long after what was received the check on receipt is due; every later one is due after the months that were agreed."""
_NEVER = 1000
"""Months: more than any interval."""

_IN_ENCLAVE = Q(project__sharing_type=SharingType.ENCLAVE)
_last: list[Any] = []


def last_check_read_by(column: Any) -> None:
    """Register how the day of the last check that somebody reported is read: an expression over ``held`` (a release) and
    ``recipient`` of the row around it. The package that keeps the reports is of a later stage."""
    _last[:] = [column]


@dataclass(frozen=True)
class Check:
    """What was agreed with a recipient who holds the release in force: from which day it counts, and the last check that they
    reported of it. ``fetched_on``: in an enclave, where nothing is fetched, the day on which it was first opened."""

    agreement: Agreement
    release_id: uuid.UUID
    fetched_on: date
    last_on: date | None
    in_enclave: bool = False

    @property
    def deadline(self) -> Deadline | None:
        """By when the next check is due; None once the one on receipt was reported and no other was agreed."""
        due = next_due(self.fetched_on, self.last_on, self.agreement.check_months, self.agreement.signed_on)
        return None if due is None else deadline_on(due)

    @property
    def agreed_text(self) -> str:
        return interval_text(self.agreement.check_months, in_enclave=self.in_enclave)

    @property
    def due_on(self) -> date | None:
        return self.deadline.due if self.deadline is not None else None


def next_due(fetched_on: date, last_on: date | None, months: int | None, signed_on: date) -> date | None:
    """The check on receipt :data:`ON_RECEIPT` after the first fetch, a later one so many months after the last, and none before it
    was agreed."""
    if last_on is None:
        return max(fetched_on + ON_RECEIPT, signed_on)
    return max(months_later(last_on, months), signed_on) if months else None


def interval_text(months: int | None, *, in_enclave: bool = False) -> str:
    """How often, in words; of what was agreed before it was asked, that nothing was."""
    if in_enclave:
        return _("Once, after it was first opened")
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
    release = Release.objects.filter(project=OuterRef("project"), ended_at=None)
    theirs = Delivery.objects.filter(release=OuterRef("held"), recipient=OuterRef("recipient"))
    fetched = theirs.filter(fetched_at__isnull=False).order_by("fetched_at")
    anew = Delivery.objects.filter(
        release=OuterRef("release"), recipient=OuterRef("recipient"), fetched_at__gt=OuterRef("stated_at")
    )
    destroyed = CopyStatement.objects.filter(
        ~Exists(anew), release=OuterRef("held"), recipient=OuterRef("recipient")
    )
    return agreements.annotate(held=Subquery(release.values("pk")[:1])).annotate(
        in_enclave=_IN_ENCLAVE,
        first=Coalesce(
            Subquery(fetched.values("fetched_at")[:1]),
            Case(When(_IN_ENCLAVE, _opened(theirs)), output_field=DateTimeField()),
        ),
        destroyed=Exists(destroyed),
        last_on=_last[0] if _last else Value(None, DateField()),
    )


def _opened(theirs: QuerySet[Delivery]) -> Any:
    """When the recipient first asked to see the release and its seal was found whole."""
    return Subquery(
        theirs.filter(verified_at__isnull=False).order_by("verified_at").values("verified_at")[:1]
    )


def check_of(agreement: Any) -> Check | None:
    """Of an agreement that was read :func:`with_checks`: None unless it is in force, and its recipient fetched the release in force,
    or opened it in an enclave, and has not stated that the copy is destroyed."""
    if agreement.first is None or agreement.destroyed or not agreement.in_force:
        return None
    first = timezone.localdate(agreement.first)
    return Check(agreement, agreement.held, first, agreement.last_on, agreement.in_enclave)
