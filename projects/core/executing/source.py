"""Which organisation carries a project's processing out; the site says so, who keeps the register (:func:`set_executing_source`)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from approvals.governance.person import Person

from ..models import Project


@dataclass(frozen=True)
class Executing:
    """``is_set``: the planning manager named it; else it is the one organisation that is the portal's own, if there is exactly one.
    ``has_ended``: in the register, since it was named."""

    party_id: uuid.UUID | None = None
    name: str = ""
    is_set: bool = False
    has_ended: bool = False


@dataclass(frozen=True)
class ExecutingCard:
    """What the page of the team shows of it: ``address`` is where another is chosen among ``choices``, which is empty for whom may not."""

    executing: Executing
    address: str = ""
    choices: list[tuple[str, str]] = field(default_factory=list)


class ExecutingSource:
    """Nobody keeps a register: no organisation is known."""

    def of(self, project: Project, at: datetime | None = None) -> Executing:
        """``at``: as it was then, or as it is now."""
        return Executing()

    def card(self, project: Project, user: Person) -> ExecutingCard | None:
        """None where there is nothing to show."""
        return None


_source: Callable[[], ExecutingSource] = ExecutingSource


def set_executing_source(source: Callable[[], ExecutingSource]) -> None:
    """Let the organisation say who carries projects out."""
    global _source
    _source = source


def executing_of(project: Project, at: datetime | None = None) -> Executing:
    return _source().of(project, at)


def executing_card(project: Project, user: Person) -> ExecutingCard | None:
    return _source().card(project, user)


def executing_facts(project: Project, at: datetime | None = None) -> list[tuple[str, str]]:
    """The line of a document about it, as it was ``at`` that moment or is now; none where the planning manager named nobody."""
    found = executing_of(project, at)
    name = _("%(organisation)s (ended in the register)") if found.has_ended else "%(organisation)s"
    return (
        [(_("Who carries the processing out"), name % {"organisation": found.name})] if found.is_set else []
    )
