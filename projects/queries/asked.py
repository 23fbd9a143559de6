"""What was asked, in words: all of it for who asked, no value of it in a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import count, number, percent
from techniques.models.differential_privacy.outcome import plain
from techniques.models.differential_privacy.question import Dimension, Question

from .enums import KINDS
from .forms import NOISE, QuestionForm
from .models import Query

_MOST = 50
"""How many values of a list stand there."""


def summary(query: Query) -> list[tuple[str, str]]:
    """The question that was asked, a row for each thing that it says, with the labels of its form."""
    of = Question.model_validate(query.question)
    rows: list[tuple[str, str]] = [
        (_label("table"), query.dataset.name),
        (_label("kind"), str(KINDS[of.kind])),
    ]
    if of.column is not None:
        rows.append((_label("column"), of.column))
    if of.lower is not None and of.upper is not None:
        bounds = {"low": number(of.lower), "high": number(of.upper)}
        rows += [
            (_("Bounds"), _("%(low)s to %(high)s") % bounds),
            (_label("step"), plain(of.width)),
        ]
    if of.quantile is not None:
        rows.append((_label("quantile"), plain(of.quantile)))
    if of.candidates is not None:
        rows.append((_("Candidates"), _listed(of.candidates)))
    rows += [(_label("by"), _dimension(one)) for one in of.by]
    rows += [(_label("where"), f"{column}: {_listed(values)}") for column, values in of.where.items()]
    rows.append((_label("mechanism"), str(NOISE[of.noise])))
    if query.person_key:
        rows += [
            (_label("rows_per_group"), count(of.rows_per_group)),
            (_label("groups_per_person"), count(of.groups_per_person)),
        ]
    if of.epsilon is not None:
        rows.append(("ε", plain(of.epsilon)))
    if of.error is not None:
        rows.append((_label("error"), number(of.error)))
    if of.least_count is not None:
        rows.append((_label("least_count"), count(of.least_count)))
    if of.delta:
        rows.append(("δ", plain(of.delta)))
    return [*rows, (_label("confidence"), percent(of.confidence))]


def shortly(question: dict[str, Any]) -> str:
    """The columns that a question is about: a value that it names may be somebody's, so none stands in a list."""
    said = [question["column"]] if question.get("column") else []
    if by := question.get("by"):
        said.append(_("by %(columns)s") % {"columns": _(", ").join(one["column"] for one in by)})
    if where := question.get("where"):
        said.append(_("some values of %(columns)s only") % {"columns": _(", ").join(where)})
    return " · ".join(said)


def _label(name: str) -> str:
    return str(QuestionForm.base_fields[name].label)


def _dimension(of: Dimension) -> str:
    groups = _("as they come out") if of.labels is None else _listed(of.labels)
    return of.column + _(": ") + groups


def _listed(values: Sequence[str]) -> str:
    shown = _(", ").join(values[:_MOST])
    if len(values) > _MOST:
        return _("%(shown)s and %(number)s more") % {"shown": shown, "number": count(len(values) - _MOST)}
    return shown
