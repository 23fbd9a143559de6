"""The step of the levels in a recipe that is being written: before the model, and behind it the removal of the levels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...editor.drafts import Draft, StepDraft, raw_of
from ..suggestion import MODELS, REMOVAL
from .pages import STEP


def with_levels(draft: Draft, settings: Mapping[str, Any], column: str, places: Mapping[str, int]) -> int:
    """Put the step into ``draft`` and return its number, from 1. One of before for the same column is replaced, and the column
    of levels is removed right behind it instead of wherever that stood."""
    position, levels = places[column], places[settings["level_column"]]
    draft.steps = [
        step for step in draft.steps if not (step.technique == STEP and step.columns == [position])
    ]
    for step in draft.steps:
        if step.technique == REMOVAL:
            step.columns = [one for one in step.columns if one != levels]
    draft.steps = [step for step in draft.steps if step.columns or step.technique != REMOVAL]
    numbers = enumerate(draft.steps)
    place = next((number for number, step in numbers if step.technique in MODELS), len(draft.steps))
    draft.steps[place:place] = [
        StepDraft(STEP, [position], raw_of(STEP, settings, places)),
        StepDraft(REMOVAL, [levels], raw_of(REMOVAL, {}, places)),
    ]
    return place + 1
