"""What the tests of copies that are out do: conclude, and know when the first is due."""

from __future__ import annotations

from django.utils import timezone

from projects.core.deadlines import months_later
from projects.monitoring.afterwards.enums import LaterOutcome, Question
from projects.monitoring.afterwards.selectors import interval_of
from projects.monitoring.afterwards.services import later_conclude

NO = {one.value: {"yes": False, "words": ""} for one in Question}


def concluded(later, people, outcome=LaterOutcome.NOTHING, **given):
    said = {"answers": NO, "reason": "Nothing has changed.", "by": people.supervisor}
    return later_conclude(later, outcome=outcome, **said | given)


def first_due(release):
    return months_later(timezone.localdate(release.ended_at), interval_of(release.project))
