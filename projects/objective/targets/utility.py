"""Utility targets as the portal keeps them: JSON, read through ``techniques.data_utility.targets``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ValidationError

from projects.core.numbers import percent
from techniques.data_utility.targets import TARGET_TYPES, defaults, parse

DISCRIMINATOR = "kind"
# What passing each kind means, in words; %(bound)s is a percentage, %(columns)s the named columns.
_PLAIN: dict[str, Any] = {
    "rows_retained": gettext_lazy("At least %(bound)s of the rows are still there."),
    "suppressed_cells": gettext_lazy("At most %(bound)s of the cells (%(columns)s) are starred out."),
    "missing_change": gettext_lazy("The share of empty cells in %(columns)s changes by at most %(bound)s."),
    "mean_change": gettext_lazy("The mean of %(columns)s moves by at most %(bound)s of its value."),
    "total_variation": gettext_lazy("At most %(bound)s of the distribution of %(columns)s lies elsewhere."),
    "association_change": gettext_lazy("The association of %(columns)s changes by at most %(bound)s."),
    "categories_kept": gettext_lazy("At least %(bound)s of the different values of %(columns)s remain."),
}
_MISSED: dict[str, Any] = {
    "rows_retained": gettext_lazy("Fewer than %(bound)s of the rows are still there."),
    "suppressed_cells": gettext_lazy("More than %(bound)s of the cells (%(columns)s) are starred out."),
    "missing_change": gettext_lazy("The share of empty cells in %(columns)s changes by more than %(bound)s."),
    "mean_change": gettext_lazy("The mean of %(columns)s moves by more than %(bound)s of its value."),
    "total_variation": gettext_lazy("More than %(bound)s of the distribution of %(columns)s lies elsewhere."),
    "association_change": gettext_lazy("The association of %(columns)s changes by more than %(bound)s."),
    "categories_kept": gettext_lazy("Fewer than %(bound)s of the different values of %(columns)s remain."),
}
"""What a result is that misses a target of each kind."""
_HINTS: dict[str, Any] = {
    "rows_retained": gettext_lazy("Rows of the result compared with rows of the source."),
    "suppressed_cells": gettext_lazy("Cells replaced by *, in the named columns or in all columns."),
    "missing_change": gettext_lazy("How much the share of empty cells in a column may change."),
    "mean_change": gettext_lazy("How much the mean of a numeric column may change."),
    "total_variation": gettext_lazy("How far the distribution of a column may shift."),
    "association_change": gettext_lazy("How much the correlation or association of two columns may change."),
    "categories_kept": gettext_lazy("How many of the different values of a column must remain."),
}


@dataclass(frozen=True)
class KindChoice:
    """A kind of utility target that can be added: its name, label and the sentence that explains it."""

    kind: str
    label: str
    hint: str


def parse_utility(rows: list[Any]) -> list[Any]:
    """The typed targets out of their JSON; raises ``pydantic.ValidationError``."""
    return list(parse(rows))


def kind_model(kind: str) -> type[BaseModel]:
    """The model, or ``KeyError`` for an unknown kind."""
    return TARGET_TYPES[kind]


def kind_choices() -> list[KindChoice]:
    """In the engine's order, in the reader's language."""
    return [
        KindChoice(kind, _(model.title), str(_HINTS.get(kind, ""))) for kind, model in TARGET_TYPES.items()
    ]


def plain_message(kind: str, *, passed: bool) -> str:
    """The untranslated sentence about a result that keeps or misses a target of a kind, with %(bound)s and %(columns)s, for
    tables that are kept."""
    with translation.override(None):
        return str((_PLAIN if passed else _MISSED).get(kind, ""))


def utility_defaults(sharing_type: str) -> list[dict[str, Any]]:
    """The targets that the engine suggests for a sharing type, as JSON."""
    return [target.model_dump(mode="json") for target in defaults(sharing_type)]  # type: ignore[arg-type]


def utility_rows(rows: list[Any]) -> list[dict[str, str]]:
    """{label, target, plain, why} for every stored target; one that can no longer be read says so."""
    shown = []
    for row in rows:
        try:
            (target,) = parse_utility([row])
        except ValidationError:
            name = str(row.get(DISCRIMINATOR, "?")) if isinstance(row, dict) else "?"
            shown.append({"label": name, "target": _("cannot be read"), "plain": "", "why": ""})
            continue
        shown.append(_row(target))
    return shown


def _row(target: Any) -> dict[str, str]:
    bound = percent(target.bound)
    named = _(", ").join(target.needed_columns())
    sign = "≥" if target.sense == "at_least" else "≤"
    plain = _PLAIN.get(target.kind, "")
    return {
        "label": _("%(what)s: %(columns)s") % {"what": _(target.title), "columns": named}
        if named
        else _(target.title),
        "target": f"{sign} {bound}",
        "plain": str(plain) % {"bound": bound, "columns": named or _("all columns")},
        "why": "",
    }
