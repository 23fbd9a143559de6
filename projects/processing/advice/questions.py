"""Advice on techniques in the portal (5.4.3): the questions about a table, and what the answers lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, pgettext_lazy

from projects.datasets.models import Table
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.selectors import verdicts_of
from techniques.advice.models import ModelQuestion
from techniques.advice.questions import QUESTIONS, Question
from techniques.core.attributes import DataType
from techniques.core.kinds import kind_of

from .. import wording
from ..models import AdviceRecord
from ..recipes.selectors import current_recipe
from .presentation import figures_shown, weighed, weights_given

SHOWN = 5
"""Advised techniques that stand in sight; the others are one click away."""
TYPES: dict[DataType, Any] = {
    DataType.TEXT: pgettext_lazy("data type", "Text"),
    DataType.CATEGORY: gettext_lazy("Category"),
    DataType.NUMBER: gettext_lazy("Numeric value"),
    DataType.DATE: gettext_lazy("Date"),
    DataType.REGION: gettext_lazy("Place or region"),
}
_YES_NO = {"yes": True, "no": False}
Questions = Sequence[Question] | Sequence[ModelQuestion]
KEPT_REASONS = (
    gettext_noop("Different values stay different."),
    gettext_noop("Different values do not stay different."),
    gettext_noop("The order of the values stays."),
    gettext_noop("The order of the values is lost."),
    gettext_noop("The format of the values stays."),
    gettext_noop("The format of the values is lost."),
    gettext_noop("Statistical characteristics stay."),
    gettext_noop("Statistical characteristics are lost."),
    gettext_noop("The values cannot be recovered."),
    gettext_noop("The values cannot be recovered, as it should be."),
    gettext_noop("Equal values become equal in all tables."),
    gettext_noop("Equal values do not become equal in every table."),
    gettext_noop("Equal and different values are not told apart any more, so integrity is lost."),
    gettext_noop("Rules about the form of the values break."),
    gettext_noop("The data type changes."),
    gettext_noop("Several records come to share a value."),
    gettext_noop("It does not make several records share a value."),
    gettext_noop("Single records are no longer true."),
    gettext_noop("No value needs protection of its own, so k-anonymity is enough."),
    gettext_noop(
        "The column has a single value, which no class can vary. Leave it out of the result if the value itself does harm."
    ),
    gettext_noop(
        "Under controls the mean over all records counts: it must stay within %(threshold)g / %(context)g and within the project's %(own)g. That is %(average)g: %(mean)d records to a class on average."
    ),
)
"""Reasons in advice that was kept before they were put more carefully; a page still shows them in the reader's language."""


@dataclass
class Prompt:
    """One question as it is asked: its field, its choices, and the answer given before."""

    name: str
    letter: str
    text: str
    help: str
    choices: list[tuple[str, str]]
    given: str


@dataclass
class Column:
    """The questions about one column, and what was advised."""

    position: int
    name: str
    role: ColumnRole
    questions: list[Prompt]
    advised: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)

    @property
    def answered(self) -> int:
        return sum(bool(question.given) for question in self.questions[1:])

    @property
    def role_text(self) -> str:
        return str(self.role.label)


def guess(kind: str) -> DataType:
    """The data type that a column of this kind most likely has; the executor may say otherwise."""
    return kind_of(kind).data_type


def dataset_questions(record: AdviceRecord | None) -> list[Prompt]:
    """The questions about the data set as a whole."""
    given = record.answers["dataset"] if record else {}
    return prompts(QUESTIONS, "dataset", "d", given)


def columns(table: Table, record: AdviceRecord | None) -> list[Column]:
    """Every column of a table with a verdict: questions, answers given, and the advice of ``record`` beside the recipe's choice."""
    recipe = current_recipe(table.project)
    chosen = _chosen(recipe.part_of(table) if recipe else None)
    found = []
    # In the order of the file: a place stands for a column in the form.
    for position, (name, verdict) in enumerate(verdicts_of(table).items()):
        given = record.answers["columns"].get(name, {}) if record else {}
        data_type = given.get("data_type") or guess(verdict.kind).value
        questions = [
            Prompt(
                f"c{position}-data_type",
                "",
                _("Data type"),
                "",
                [(kind.value, str(label)) for kind, label in TYPES.items()],
                data_type,
            ),
            *prompts(QUESTIONS, "column", f"c{position}", given),
        ]
        column = Column(position, name, ColumnRole(verdict.role), questions)
        weights = weights_given(record) if record else {}
        for rank, one in enumerate(record.advice.get(name, []) if record else [], start=1):
            shown = _shown(one, rank, one["technique"] in chosen.get(name, ())) | weighed(one, weights)
            shown["figures"] = figures_shown(shown)
            (column.advised if one["advised"] else column.others).append(shown)
        found.append(column)
    return found


def answers_read(table: Table, posted: Mapping[str, Any]) -> dict[str, Any]:
    """The answers of a posted form, with the roles that identification has found."""
    dataset = replies(QUESTIONS, "dataset", "d", posted)
    by_column = {}
    for position, (name, verdict) in enumerate(verdicts_of(table).items()):
        said = replies(QUESTIONS, "column", f"c{position}", posted)
        said["data_type"] = posted.get(f"c{position}-data_type") or guess(verdict.kind).value
        by_column[name] = {key: value for key, value in said.items() if value is not None}
    return {
        "dataset": {key: value for key, value in dataset.items() if value is not None},
        "columns": by_column,
    }


def with_roles(table: Table, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The answers with the role of each column as its verdict says; columns without a verdict are left out."""
    known = verdicts_of(table)
    return {
        "dataset": dict(answers.get("dataset", {})),
        "columns": {
            name: {**said, "role": ENGINE_ROLE[ColumnRole(known[name].role)]}
            for name, said in answers.get("columns", {}).items()
            if name in known
        },
    }


def prompts(questions: Questions, scope: str, prefix: str, given: Mapping[str, Any]) -> list[Prompt]:
    """The questions about the whole or about a column, with the answers ``given`` before."""
    return [
        _prompt(one, f"{prefix}-{one.name}", given.get(one.name)) for one in questions if one.scope == scope
    ]


def replies(questions: Questions, scope: str, prefix: str, posted: Mapping[str, Any]) -> dict[str, Any]:
    """The answers of a posted form to them; what is no answer counts as none."""
    return {
        one.name: _read(one, posted.get(f"{prefix}-{one.name}", ""))
        for one in questions
        if one.scope == scope
    }


def _prompt(question: Question | ModelQuestion, name: str, given: Any) -> Prompt:
    if question.kind == "boolean":
        choices = [("yes", _("yes")), ("no", _("no"))]
        said = "" if given is None else ("yes" if given else "no")
    else:
        choices = [(option.value, _(option.label)) for option in question.options]
        said = given or ""
    letter = getattr(question, "letter", "")
    return Prompt(name, letter, _(question.text), _(question.help), [("", _("Not stated")), *choices], said)


def _read(question: Question | ModelQuestion, text: str) -> Any:
    if question.kind == "boolean":
        return _YES_NO.get(text)
    return text if text in {option.value for option in question.options} else None


def _chosen(recipe: Mapping[str, Any] | None) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for step in recipe["steps"] if recipe else ():
        for column in step["columns"]:
            found.setdefault(column, set()).add(step["technique"])
    return found


def _shown(one: Mapping[str, Any], rank: int, is_chosen: bool) -> dict[str, Any]:
    return {
        "name": wording.technique_name(one["technique"]),
        "rank": rank,
        "not_for": wording.technique_not_for(one["technique"]),
        "reasons_for": [(reason["factor"], _(reason["text"])) for reason in one["for"]],
        "against": [(reason["factor"], _(reason["text"])) for reason in one["against"]],
        "is_chosen": is_chosen,
    }
