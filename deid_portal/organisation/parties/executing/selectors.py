"""Reading who carries projects out."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import Q
from django.urls import reverse

from approvals.governance.person import Person
from projects.core.executing.source import Executing, ExecutingCard, ExecutingSource
from projects.core.models import Project

from ..enums import PartyKind
from ..models import Party
from . import rules
from .models import ExecutingParty


def named_of(project: Project, at: datetime | None = None) -> ExecutingParty | None:
    """Who was named last for it until ``at``, or until now; None where nobody was."""
    then = Q(ended_at=None) if at is None else Q(named_at__lte=at) & (Q(ended_at=None) | Q(ended_at__gt=at))
    return ExecutingParty.objects.filter(then, project=project).select_related("party").first()


class Parties(ExecutingSource):
    """The organisations of the register."""

    def of(self, project: Project, at: datetime | None = None) -> Executing:
        if (named := named_of(project, at)) is not None:
            return _said(named, at)
        return _default(list(Party.objects.filter(kind=PartyKind.OWN, ended_at=None)[:2]))

    def card(self, project: Project, user: Person) -> ExecutingCard | None:
        named = named_of(project)
        open_ones = Party.objects.filter(ended_at=None)
        if not rules.may_name(user, project):
            found = self.of(project)
            return ExecutingCard(found) if found.name or open_ones.exists() else None
        known = list(open_ones.only("name", "kind").order_by("name"))
        if named is None and not known:
            return None
        found = _said(named) if named else _default([one for one in known if one.kind == PartyKind.OWN])
        address = reverse("organisation:executing", args=[project.pk])
        return ExecutingCard(found, address, [(str(one.pk), one.name) for one in known])


def _said(named: ExecutingParty, at: datetime | None = None) -> Executing:
    ended = named.party.ended_at
    has_ended = ended is not None and (at is None or ended <= at)
    return Executing(named.party_id, named.party.name, True, has_ended)


def _default(own: list[Any]) -> Executing:
    """The organisation's own, where it is clear which one that is."""
    return Executing(own[0].pk, own[0].name) if len(own) == 1 else Executing()
