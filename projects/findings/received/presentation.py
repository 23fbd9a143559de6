"""How samples that recipients check are drawn."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.numbers import count

from ..draw import rows_drawn
from .enums import RemedyState, SampleOutcome
from .models import ReceivedSample, SampleDeviation
from .rules import current_remedy, may_remedy

OUTCOME_TONES = {
    SampleOutcome.READING: "info",
    SampleOutcome.OPEN: "info",
    SampleOutcome.NOTHING: "ok",
    SampleOutcome.FOUND: "warn",
    SampleOutcome.FAILED: "fail",
}
REMEDY_TONES = {RemedyState.WAITING: "info", RemedyState.CONFIRMED: "ok", RemedyState.AGAIN: "warn"}


def sample_row(sample: ReceivedSample) -> dict[str, Any]:
    """The sample with tone and with what was found in it."""
    return {
        "sample": sample,
        "tone": OUTCOME_TONES[SampleOutcome(sample.outcome)],
        "of": drawn_text(sample),
        "deviations": [deviation_row(one) for one in sample.deviations.all()],
    }


def deviation_row(deviation: SampleDeviation) -> dict[str, Any]:
    """What was found, with each remedy; ``current`` waits or is confirmed."""
    return {
        "deviation": deviation,
        "remedies": [
            {"remedy": one, "tone": REMEDY_TONES[RemedyState(one.state)]} for one in deviation.remedies.all()
        ],
        "current": current_remedy(deviation),
    }


def numbers_of(sample: ReceivedSample) -> list[int]:
    """The drawn rows in the order of the file, counted from 1 below its head; of whole persons their numbers."""
    return sorted(rows_drawn(sample.population, seed=sample.seed, size=sample.size))


def drawn_text(sample: ReceivedSample) -> str:
    """How many of how many."""
    figures = {"size": count(sample.drawn), "population": count(sample.population)}
    if sample.persons is not None:
        return _("%(size)s of %(population)s persons") % figures
    return _("%(size)s of %(population)s records") % figures


def for_recipient(sample: ReceivedSample, user: Person) -> dict[str, Any]:
    """:func:`sample_row` with what the recipient may do about each."""
    row = sample_row(sample)
    for one in row["deviations"]:
        one["may_remedy"] = may_remedy(user, one["deviation"])
    return row | {"numbers": numbers_of(sample)}
