"""The fields by which a checklist is answered with a review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import ItemAnswer
from approvals.governance.verdict import Verdict

from ..reasons import MonitoringReason
from .items import Answer, Answers, Checklist, without_reason

HASH = "checklist_hash"
LONGEST_REASON = 300


def answer_name(place: int) -> str:
    return f"item-{place}"


def reason_name(place: int) -> str:
    return f"why-{place}"


def answer_fields(checklist: Checklist) -> dict[str, forms.Field]:
    """An answer and a reason for each item, and which checklist the page showed."""
    if not checklist.items:
        return {}
    fields: dict[str, forms.Field] = {
        HASH: forms.CharField(widget=forms.HiddenInput, required=False, max_length=64, initial=checklist.hash)
    }
    for place, item in enumerate(checklist.items):
        marked = _("%(clause)s %(item)s (obligatory)") if item.obligatory else _("%(clause)s %(item)s")
        fields[answer_name(place)] = forms.ChoiceField(
            label=marked % {"clause": item.clause, "item": item.text},
            choices=ItemAnswer.choices,
            widget=forms.RadioSelect,
            required=False,
        )
        fields[reason_name(place)] = forms.CharField(
            label=_("Reason, where it does not hold or is not applicable"),
            max_length=LONGEST_REASON,
            strip=True,
            required=False,
        )
    return fields


def answers_given(checklist: Checklist, given: Mapping[str, Any]) -> Answers:
    """What the form was filled in with."""
    return Answers(
        given.get(HASH) or "",
        [
            Answer(given.get(answer_name(place)) or "", given.get(reason_name(place)) or "")
            for place in range(len(checklist.items))
        ],
    )


def place_of(verdict: Verdict, answers: Answers) -> str | None:
    """The field that is to blame for ``verdict``: the first reason that is missing, else the conclusion."""
    if verdict.reason == MonitoringReason.CHECKLIST_REASON:
        return reason_name(without_reason(answers.given)[0])
    return "outcome" if verdict.reason == MonitoringReason.CHECKLIST_AGAINST else None
