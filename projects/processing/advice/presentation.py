"""How the score of a technique comes about (T/ISC 0078 8.3), for the page and the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import pgettext_lazy

from projects.core.numbers import number
from techniques.advice.scores import DIMENSIONS, Scores, weights_of

from ..models import AdviceRecord

LABELS = {
    "availability": pgettext_lazy("dimension of a technique", "Availability"),
    "timeliness": pgettext_lazy("dimension of a technique", "Timeliness"),
    "security": pgettext_lazy("dimension of a technique", "Security"),
    "compliance": pgettext_lazy("dimension of a technique", "Compliance"),
}


def weights_given(record: AdviceRecord) -> dict[str, float]:
    """The weight of each dimension in the answers of ``record``."""
    return weights_of(record.answers["dataset"].get("weights") or {})


def dimensions_shown(record: AdviceRecord) -> list[dict[str, str]]:
    """The dimensions in their order, each with its weight, in words."""
    return [
        {"label": str(LABELS[name]), "weight": number(weight)}
        for name, weight in weights_given(record).items()
    ]


def figures_shown(one: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The figures of :func:`weighed` with the words for what they are of."""
    return [{"label": str(LABELS[name]), "value": value} for name, value in one["dimensions"].items()]


def weighed(one: Mapping[str, Any], weights: dict[str, float]) -> dict[str, Any]:
    """The four figures of a technique as it was kept, their weighted ``mean``, and what answers added to it or took away; the sum of
    both is the score."""
    found = Scores(**one["scores"])
    mean = found.mean(weights)
    return {
        "dimensions": {name: round(getattr(found, name), 3) for name in DIMENSIONS},
        "mean": round(mean, 3),
        "answers": round(one["score"] - round(mean, 3), 3),
        "score": one["score"],
    }
