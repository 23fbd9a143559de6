"""How long data are kept after their project has ended: the organisation says so, by kind; until it does, no term runs out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.utils import timezone

from projects.core.models import Project
from projects.datasets.store.holdings import HeldKind


@dataclass(frozen=True)
class Terms:
    """Days after the project was closed, rejected or withdrawn, by kind; a kind without a number has no term. Version 0: nobody has
    decided anything."""

    version: int = 0
    days: Mapping[str, int] = field(default_factory=dict)

    def over_on(self, project: Project, kind: HeldKind) -> date | None:
        """The day on which the term of a kind is over for an ended project."""
        days = self.days.get(kind.value)
        return None if days is None else timezone.localdate(project.state_since) + timedelta(days=days)


def _nothing() -> Terms:
    return Terms()


_source: Callable[[], Terms] = _nothing


def set_terms_source(source: Callable[[], Terms]) -> None:
    """Let the organisation decide about terms."""
    global _source
    _source = source


def terms_now() -> Terms:
    return _source()
