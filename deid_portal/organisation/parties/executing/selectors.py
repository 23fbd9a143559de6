"""Reading who carries projects out."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from approvals.governance.person import Person
from projects.core.executing.source import Executing, ExecutingCard, ExecutingSource
from projects.core.models import Project

from ..enums import PartyKind
from ..models import Party
from . import rules
from .models import ExecutingParty


def named_of(project: Project) -> ExecutingParty | None:
    """Who was named last for it, if anybody was."""
    return ExecutingParty.objects.filter(project=project, ended_at=None).select_related("party").first()


class Parties(ExecutingSource):
    """The organisations of the register."""

    def of(self, project: Project) -> Executing:
        if (named := named_of(project)) is not None:
            return _said(named)
        return _default(list(Party.objects.filter(kind=PartyKind.OWN, ended_at=None)[:2]))

    def card(self, project: Project, user: Person) -> ExecutingCard | None:
        named = named_of(project)
        known = list(Party.objects.filter(ended_at=None).order_by("name"))
        if named is None and not known:
            return None
        found = _said(named) if named else _default([one for one in known if one.kind == PartyKind.OWN])
        if not rules.may_name(user, project):
            return ExecutingCard(found)
        address = reverse("organisation:executing", args=[project.pk])
        return ExecutingCard(found, address, [(str(one.pk), one.name) for one in known])


def _said(named: ExecutingParty) -> Executing:
    return Executing(named.party_id, named.party.name, True, not named.party.in_force)


def _default(own: list[Any]) -> Executing:
    """The organisation's own, where it is clear which one that is."""
    return Executing(own[0].pk, own[0].name) if len(own) == 1 else Executing()
