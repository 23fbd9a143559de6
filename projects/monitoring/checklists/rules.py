"""When a review may be recorded with its answers to the organisation's checklist, and what is kept of them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.decisions.models import ItemAnswer
from approvals.governance.verdict import ALLOW, Verdict, deny

from ..reasons import MonitoringReason
from .items import (
    Answer,
    Answers,
    Checklist,
    against_text,
    blocking_places,
    rows_of,
    without_reason,
)

_KNOWN = {"", *ItemAnswer.values}


def may_answer_so(checklist: Checklist, answers: Answers | None, *, passes: bool) -> Verdict:
    """The answers are to the checklist in force and have their reasons; what passes has no obligatory item against it.

    Who returns a stage may leave the checklist aside.
    """
    if answers is None:
        if not passes or not checklist.items:
            return ALLOW
        answers = Answers(checklist.hash, [Answer()] * len(checklist.items))
    if answers.hash != checklist.hash or len(answers.given) != len(checklist.items):
        return deny(MonitoringReason.CHECKLIST_CHANGED)
    if any(one.answer not in _KNOWN for one in answers.given):
        return deny(MonitoringReason.CHECKLIST_ANSWER)
    if places := without_reason(answers.given):
        numbers = _(", ").join(str(place + 1) for place in places)
        return deny(MonitoringReason.CHECKLIST_REASON, numbers=numbers)
    if passes and (places := blocking_places(checklist, answers.given)):
        return deny(MonitoringReason.CHECKLIST_AGAINST, items=against_text(checklist, answers.given, places))
    return ALLOW


def answered(checklist: Checklist, answers: Answers) -> dict[str, Any]:
    """What is kept with the review."""
    return {
        "version": checklist.version,
        "checklist_hash": checklist.hash,
        "rows": rows_of(checklist, answers.given),
        "against": len(blocking_places(checklist, answers.given)),
    }
