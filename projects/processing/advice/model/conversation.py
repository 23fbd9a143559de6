"""The conversation about the model as the page shows it: what is settled, what is asked, what follows and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.enums import SharingType
from projects.core.numbers import number, probability
from projects.datasets.models import Table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from techniques.advice.models import MODEL_QUESTIONS, ModelFacts

from ... import wording
from ...models import ModelAdviceRecord
from ..questions import Prompt, prompts, replies

ATTACKERS: dict[str, Any] = {
    "prosecutor": gettext_lazy("Prosecutor: looks for a particular person who is known to be in the data"),
    "journalist": gettext_lazy("Journalist: wants to show that someone can be found, no matter who"),
    "marketer": gettext_lazy("Marketer: wants to match as many people as possible"),
}
TOPICS: dict[str, Any] = {
    "attacker": gettext_lazy("Who is the attacker?"),
    "threshold": gettext_lazy("Acceptable risk"),
    "k": gettext_lazy("k: smallest number of records that look the same"),
    "average": gettext_lazy("Maximum average risk"),
    "l": gettext_lazy("l: different values in each class"),
    "t": gettext_lazy("t: distance from the whole table"),
    "none": gettext_lazy("No condition of its own"),
    "technique": gettext_lazy("Model"),
}


def overall_questions(record: ModelAdviceRecord | None) -> list[Prompt]:
    return prompts(MODEL_QUESTIONS, "dataset", "d", record.answers if record else {})


def column_questions(table: Table, record: ModelAdviceRecord | None) -> list[tuple[str, list[Prompt]]]:
    given = record.answers["columns"] if record else {}
    return [
        (name, prompts(MODEL_QUESTIONS, "column", f"c{place}", given.get(name, {})))
        for place, name in enumerate(columns_with_role(table, ColumnRole.SENSITIVE))
    ]


def model_answers_read(table: Table, posted: Mapping[str, Any]) -> dict[str, Any]:
    """The answers of a posted form; what is no answer counts as none."""
    columns = columns_with_role(table, ColumnRole.SENSITIVE)
    return {
        **replies(MODEL_QUESTIONS, "dataset", "d", posted),
        "columns": {
            name: replies(MODEL_QUESTIONS, "column", f"c{place}", posted)
            for place, name in enumerate(columns)
        },
    }


def settled(table: Table, facts: ModelFacts) -> list[tuple[str, str]]:
    """What need not be asked, because target and identification say it."""
    quasi = columns_with_role(table, ColumnRole.QUASI)
    sensitive = columns_with_role(table, ColumnRole.SENSITIVE)
    return [
        (_("Sharing type"), str(SharingType(facts.sharing_type).label)),
        (_("Probability that someone makes an attempt"), probability(facts.context)),
        (_("Overall threshold"), probability(facts.threshold)),
        (_("Target for k"), number(facts.k)),
        (_("Quasi-identifiers"), _(", ").join(quasi) or "–"),
        (_("Sensitive attributes"), _(", ").join(sensitive) or "–"),
    ]


def parts_of(record: ModelAdviceRecord) -> list[dict[str, str]]:
    """Each thing suggested, with its reason and clause."""
    return [
        {
            "topic": str(TOPICS[part["topic"]]),
            "column": part["column"],
            "value": value_text(part["topic"], part["value"]),
            "reason": _(part["message"]) % part["params"] if part["params"] else _(part["message"]),
            "clause": part["clause"],
        }
        for part in record.advice["parts"]
    ]


def value_text(topic: str, value: Any) -> str:
    if topic == "attacker":
        return str(ATTACKERS[value])
    if topic == "technique":
        return wording.technique_name(value)
    if topic in ("threshold", "average"):
        return probability(value)
    if value is None:
        return "–"
    return number(value)
