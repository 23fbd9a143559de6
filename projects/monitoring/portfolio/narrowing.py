"""Which projects a portfolio speaks of, as conditions of statements about them and about what names them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q

from approvals.governance.person import Person
from projects.core.deadlines import due_day, is_near, is_overdue
from projects.core.models import Project, in_states
from projects.core.selectors import seen_by
from projects.workflow import TERMINAL, Stage, stage_states

from .forms import Due

_DUE: dict[Due, Callable[[], Q]] = {
    Due.OVERDUE: is_overdue,
    Due.NEAR: is_near,
    Due.NONE: lambda: Q(due=None),
}


@dataclass(frozen=True)
class Narrowing:
    """The projects that ``user`` may see, by a part of their title or number, their stage and their deadline; what is over only
    where ``over`` wants it."""

    user: Person
    q: str = ""
    stage: str = ""
    due: str = ""
    over: bool = False

    @cached_property
    def _seen(self) -> Any:
        """Read once: a dozen statements ask for these projects, and looking for them takes PostgreSQL longer than all else."""
        seen = seen_by(self.user)
        return None if seen is None else [row["pk"] for row in seen]

    def of(self, project: str = "") -> Q:
        """Of rows that name a project by ``project``; of projects themselves where it is empty."""
        lead = f"{project}__" if project else ""

        def at(**conditions: Any) -> Q:
            return Q(**{f"{lead}{name}": value for name, value in conditions.items()})

        found = Q() if self._seen is None else Q(**{f"{project or 'pk'}__in": self._seen})
        if not self.over:
            found &= ~at(state__in=TERMINAL)
        if self.q:
            found &= at(title__icontains=self.q) | at(number__icontains=self.q)
        if self.stage:
            found &= in_states(stage_states(Stage(self.stage)), project)
        if self.due:
            seen = Q() if self._seen is None else Q(pk__in=self._seen)
            dated = Project.objects.filter(seen).order_by().alias(due=due_day())
            found &= at(pk__in=dated.filter(_DUE[Due(self.due)]()).values("pk"))
        return found
