"""Where a re-assessment stands, by its day and what became of it, and how far off its day is while it is open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from django.utils import timezone, translation

from projects.core.deadlines import deadline_on
from projects.monitoring.models import Reassessment
from projects.monitoring.presentation import reassessment_status
from projects.releases.models import Release
from tests.truth.statements import Statement, says
from tests.truth.tables import matching


@dataclass(frozen=True)
class Due:
    """A re-assessment that is due in so many days; ``ended``: its release has ended, ``done``: it was concluded."""

    days: int
    ended: bool = False
    done: bool = False

    def says(self, message: str) -> set[str]:
        now = timezone.now()
        found = Reassessment(
            due_on=timezone.localdate() + timedelta(days=self.days),
            release=Release(ended_at=now if self.ended else None),
            concluded_at=now if self.done else None,
        )
        with translation.override("en"):
            said = {reassessment_status(found)[1]}
            if not self.ended and not self.done:
                said.add(deadline_on(found.due_on).text)
            return matching(said, message)

    @property
    def overdue(self) -> int:
        return -self.days if self.days < 0 and not self.ended and not self.done else 0


TABLES: Mapping[str, Any] = {
    "tomorrow": lambda: Due(1),
    "the day after tomorrow": lambda: Due(2),
    "today": lambda: Due(0),
    "yesterday": lambda: Due(-1),
    "last week": lambda: Due(-7),
    "of what ended": lambda: Due(-7, ended=True),
    "done late": lambda: Due(-7, done=True),
    "done, and ended since": lambda: Due(-7, ended=True, done=True),
}


@cache
def judge(name: str) -> Due:
    return TABLES[name]()


_ALL = " | ".join(TABLES)
STATEMENTS: list[Statement] = [
    says("No longer needed: the release", _ALL, lambda d: d.ended and not d.done),
    says("%(n)s day overdue", _ALL, lambda d: [{"n": 1}] if d.overdue == 1 else []),
    says("%(n)s days overdue", _ALL, lambda d: [{"n": d.overdue}] if d.overdue > 1 else []),
    says("due in %(n)s day", _ALL, lambda d: [{"n": 1}] if d.days == 1 else []),
    says("due in %(n)s days", _ALL, lambda d: [{"n": d.days}] if d.days > 1 else []),
]
