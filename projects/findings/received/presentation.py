"""How samples that recipients check are drawn."""

from __future__ import annotations

from typing import Any

from approvals.governance.person import Person

from ..draw import rows_drawn
from .enums import RemedyState, SampleOutcome
from .models import ReceivedSample, SampleDeviation
from .rules import current_remedy, may_remedy

OUTCOME_TONES = {SampleOutcome.OPEN: "info", SampleOutcome.NOTHING: "ok", SampleOutcome.FOUND: "warn"}
REMEDY_TONES = {RemedyState.WAITING: "info", RemedyState.CONFIRMED: "ok", RemedyState.AGAIN: "warn"}


def sample_row(sample: ReceivedSample) -> dict[str, Any]:
    """The sample with tone and with what was found in it."""
    return {
        "sample": sample,
        "tone": OUTCOME_TONES[SampleOutcome(sample.outcome)],
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
    """The drawn rows in the order of the file, counted from 1 below its head."""
    return sorted(rows_drawn(sample.rows, seed=sample.seed, size=sample.size))


def for_recipient(sample: ReceivedSample, user: Person) -> dict[str, Any]:
    """:func:`sample_row` with what the recipient may do about each."""
    row = sample_row(sample)
    for one in row["deviations"]:
        one["may_remedy"] = may_remedy(user, one["deviation"])
    return row | {"numbers": numbers_of(sample)}
