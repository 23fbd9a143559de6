"""Who holds the releases of projects: by which organisation, how many, how often they were fetched and until when it was agreed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import (
    BooleanField,
    Case,
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce, DenseRank

from projects.core.enums import SharingType
from projects.core.models import Project
from projects.releases.enums import DeliveryStatus
from projects.releases.models import Agreement, Delivery

from .lines import Lines
from .narrowing import Narrowing


class Held(NamedTuple):
    """A project of which somebody holds the release."""

    pk: uuid.UUID
    number: str


@dataclass
class RecipientLine:
    """What one organisation holds: the releases in force under its agreements, ``count`` of them; ``fetched`` files so far.

    ``organisation`` is empty for releases without an agreement; those that anybody may have are ``public``. ``projects`` has those
    that were released first.
    """

    organisation: str
    public: bool
    count: int
    last: datetime
    agreed_until: date | None
    projects: list[Held] = field(default_factory=list)
    fetched: int = 0


def holders(among: Narrowing, *, named: int | None) -> tuple[list[RecipientLine], Lines[RecipientLine]]:
    """Who holds what the projects ``among`` have released and has not ended, whoever holds most first: all of them, without their
    projects and what they have fetched; and the same with both, at most ``named`` projects of each."""
    live: Any = (
        Project.objects.filter(among.of())
        .order_by()
        .annotate(
            live=FilteredRelation("releases", condition=Q(releases__ended_at=None)),
            own=FilteredRelation("agreements", condition=Q(agreements__ended_at=None)),
        )
        .filter(live__isnull=False)
        .annotate(
            holder=Coalesce("own__organisation", Value("")),
            for_all=Case(
                When(own__isnull=True, sharing_type=SharingType.PUBLIC, then=Value(True)),
                default=Value(False),
                output_field=BooleanField(),
            ),
        )
    )
    counted = live.values("holder", "for_all").annotate(
        count=Count("pk", distinct=True), last=Max("live__released_at"), until=Min("own__valid_until")
    )
    rows = counted.order_by("-count", "holder", "for_all").values_list(
        "holder", "for_all", "count", "last", "until"
    )
    lines = [RecipientLine(*row) for row in rows]
    return lines, Lines(len(lines), lines, lambda some: _filled(some, among, live, named))


def _filled(
    lines: list[RecipientLine], among: Narrowing, live: Any, named: int | None
) -> list[RecipientLine]:
    by_key = {(line.organisation, line.public): line for line in lines}
    for line in lines:
        line.projects, line.fetched = [], 0
    rows = live.filter(holder__in={line.organisation for line in lines})
    # A project stands once for each of its recipients of one organisation.
    first = Window(DenseRank(), partition_by=["holder", "for_all"], order_by=["live__released_at", "number"])
    if named is not None:
        rows = rows.annotate(place=first).filter(place__lte=named)
    # A recipient has one agreement at most that is in force; an organisation may have several recipients.
    known = rows.order_by("live__released_at", "number").values_list("holder", "for_all", "pk", "number")
    for organisation, public, pk, number in known.distinct():
        if (organisation, public) in by_key:
            by_key[organisation, public].projects.append(Held(pk, number))
    for organisation, public, times in _fetched(lines, among):
        if (organisation, public) in by_key:
            by_key[organisation, public].fetched += times
    return lines


def _fetched(lines: Sequence[RecipientLine], among: Narrowing) -> list[tuple[str, bool, int]]:
    """How many files of which holder: by whom an agreement in force names, and of releases without one by anybody."""
    found = Delivery.objects.filter(
        among.of("release__project"), release__ended_at=None, status=DeliveryStatus.FETCHED
    ).order_by()
    own = "release__project__agreements"
    named = found.filter(
        **{
            f"{own}__recipient": F("recipient"),
            f"{own}__ended_at": None,
            f"{own}__organisation__in": {line.organisation for line in lines},
        }
    )
    times: list[Any] = [
        (organisation, False, count)
        for organisation, count in named.values_list(f"{own}__organisation").annotate(Count("pk"))
    ]
    if any(not line.organisation for line in lines):
        agreed = Agreement.objects.filter(project=OuterRef("release__project"), ended_at=None)
        others = found.filter(~Exists(agreed.order_by())).values_list("release__project__sharing_type")
        times += [
            ("", sharing == SharingType.PUBLIC, count) for sharing, count in others.annotate(Count("pk"))
        ]
    return times
