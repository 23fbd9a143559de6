"""How well sensitive attributes are guessed from the quasi-identifiers of the written result (4.3.1 c, 4.3.2 e): measured in the
worker, and in the reader's words.

Measured of every sensitive attribute, whatever the recipe and the targets promise about it. It has no threshold of its own, so
it opens and stops nothing; l and t are promised where it is to be bounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from approvals.passages import passage
from projects.core.numbers import count, number, percent
from projects.datasets.tables.names import titled
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError

from ...reports.gate import Inference, Report
from ...wording import translated
from ..check import Formula, problem_text
from ..sensitive import SensitiveColumnRead, read_sensitive

if TYPE_CHECKING:
    from ..check import TableSubject

_AT_ONCE = 8
"""Columns that are read in one pass, so that no number of sensitive attributes fills the memory."""


def inference_of(of: TableSubject) -> dict[str, Inference]:
    """By sensitive attribute of the result, in its order; none where the rows are groups, or were made up and are nobody's."""
    case = of.case
    if case.cells is not None or case.unjudged_in_result():
        return {}
    try:
        columns = [
            name
            for name in case.result.columns()
            if case.roles.get(name) == AttributeRole.SENSITIVE_ATTRIBUTE and name not in case.made_up_columns
        ]
    except EngineError:
        return {}  # the checks have said that the file cannot be read
    read = dict(of.sensitive.read) if of.sensitive is not None else {}
    found = {name: _figures(of, read[name]) for name in columns if name in read}
    left = [name for name in columns if name not in read]
    for begin in range(0, len(left), _AT_ONCE):
        found |= _read_and_counted(of, left[begin : begin + _AT_ONCE])
    return {name: found[name] for name in columns}


def _read_and_counted(of: TableSubject, columns: Sequence[str]) -> dict[str, Inference]:
    try:
        read = read_sensitive(of, columns, lambda _done: None)
    except EngineError as error:
        return dict.fromkeys(columns, Inference(problem=problem_text(error)))
    return {name: _figures(of, one) for name, one in read.items()}


def _figures(of: TableSubject, read: SensitiveColumnRead) -> Inference:
    from techniques.disclosure_risk.diversity import guesses

    attribute, class_of = read.attribute, read.classes.of_row
    counted = attribute.by_class(class_of)
    found = guesses(counted, class_of, attribute.whose)
    whole = class_of * 0
    return Inference(
        average=found.average,
        highest=found.highest,
        certain=found.certain,
        counted=found.number,
        alone=guesses(attribute.by_class(whole), whole, attribute.whose).average,
        unknown=round(float(counted.lost.sum())),
        quasi=of.case.quasi(),
        persons=attribute.whose is not None,
    )


@dataclass(frozen=True)
class InferenceRow:
    """The figure of one sensitive attribute as a row of the scales."""

    label: str
    value: str
    plain: str
    formula: Formula | None


def inference_rows(report: Report) -> list[InferenceRow]:
    """A row for each sensitive attribute of each table."""
    return [
        _row(titled(name, _("Guessing %(column)s") % {"column": column}), column, found)
        for name, table in report.by_table()
        for column, found in table.inference.items()
    ]


def _row(label: str, column: str, found: Inference) -> InferenceRow:
    if found.problem:
        return InferenceRow(label, _("not determined"), translated(found.problem), None)
    value = _("up to %(share)s") if found.unknown else "%(share)s"
    return InferenceRow(
        label,
        value % {"share": percent(found.average)},
        passage(inference_statements(column, found)),
        _formula(label, found),
    )


def inference_statements(column: str, found: Inference) -> list[str]:
    """What the figures of one attribute say."""
    return [_guessed(column, found), *_certain(found), *_bounded(found)]


def _guessed(column: str, found: Inference) -> str:
    figures = {
        "column": column,
        "average": percent(found.average),
        "highest": percent(found.highest),
        "alone": percent(found.alone),
    }
    if not found.quasi:
        return _(
            "No quasi-identifier is left: whoever guesses the most frequent value of %(column)s is right for %(average)s."
        ) % figures  # fmt: skip
    if found.persons:
        return _(
            "Whoever knows a person's quasi-identifiers and guesses the most frequent value of %(column)s in the class that "
            "tells most about them is right for %(average)s of persons. In the worst class it is %(highest)s. With the most "
            "frequent value of the whole table it would be %(alone)s."
        ) % figures  # fmt: skip
    return _(
        "Whoever knows a record's quasi-identifiers and guesses the most frequent value of %(column)s in its class is right "
        "for %(average)s of records. In the worst class it is %(highest)s. With the most frequent value of the whole "
        "table it would be %(alone)s."
    ) % figures  # fmt: skip


def _certain(found: Inference) -> list[str]:
    if not found.quasi:
        return []
    if not found.certain:
        return [_("No class leaves only one value.")]
    said = (
        _("For %(share)s of persons a class leaves only one value.")
        if found.persons
        else _("For %(share)s of records the class leaves only one value.")
    )
    return [said % {"share": percent(found.certain)}]


def _bounded(found: Inference) -> list[str]:
    if not found.unknown:
        return []
    return [
        _(
            "What is missing, suppressed or not one value counts as guessed right, so these figures are upper bounds."
        )
    ]


def _formula(label: str, found: Inference) -> Formula:
    """Expression, the same with its values, and what each sign means."""
    return Formula(
        label=label,
        expression="P = Σ_i max_v p(v | c_i) / n",
        substituted=f"P = {number(found.average * found.counted)} / {count(found.counted)} = {number(found.average)}",
        terms=[
            ("n", _("all persons") if found.persons else _("all records"), count(found.counted)),
            (
                "c_i",
                _("the class of person i that tells most") if found.persons else _("the class of record i"),
                "",
            ),
            ("p(v | c)", _("share of the value v in class c"), ""),
        ],
        source="GB/T 37964-2019 4.3.1 c), 4.3.2 e)",
    )
