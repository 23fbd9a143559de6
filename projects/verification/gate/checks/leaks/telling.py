"""No column that the measures of risk leave out tells rows apart, unless a person has said why it may stay (5.3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import EngineError, gettext_noop

from ....reports.gate import CheckResult, Exempt
from ....reports.stored import Text, text
from ...check import TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects
    from techniques.identification.traces.telling import Telling


class TellingColumns(TableCheck):
    """Columns that are neither quasi-identifiers nor treated as direct ones, by how few rows share their values."""

    kind = "telling"
    label = _(
        "Columns outside the quasi-identifiers that tell the records apart and that nobody said may stay"
    )
    clause = "5.3.4"
    meaning = _(
        "Someone who knows a person's exact birth date, amount or time can find the record by it, "
        "whatever the column is called. Such a column is measured as a quasi-identifier, or a person "
        "states why it may stay."
    )
    unit = "count"
    effort = 0.1

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.identification.traces.telling import enough

        found = _found(of)
        reasons = {
            one.column: of.case.exempted[one.column] for one in found if one.column in of.case.exempted
        }
        stopping = [one for one in found if one.column not in reasons]
        if reasons:
            of.report.exempt = [
                Exempt(column=one.column, reason=reasons[one.column], said=text(one.message, **one.params))
                for one in found
                if one.column in reasons
            ]
        message = gettext_noop(
            "No column outside the quasi-identifiers holds mostly values of the source that fewer than %(alike)d records share."
        )
        said = text(message, alike=enough(of.case.risk.k, of.case.result.rows))
        if reasons:
            message = gettext_noop("A person said why this may stay: %(columns)s.")
            said = text(message, columns=", ".join(reasons))
        if stopping:
            message = gettext_noop(
                "%(columns)s nearly tell the records apart, and nobody said why they may stay."
            )
            said = text(message, columns=", ".join(" + ".join(one.columns) for one in stopping))
        return [
            self.row(
                target=0,
                measured=sum(len(one.columns) for one in stopping),
                passed=not stopping,
                plain=said,
                details=[text(one.message, **one.params) for one in found],
                remedies=[_remedy(one) for one in stopping],
            )
        ]


def _found(of: TableSubject) -> list[Telling]:
    from techniques.identification.traces.telling import keys, numbered, telling

    from ...classes import classes_of

    case, both = of.case, of.both
    columns = {name: cells for name, cells in both.outside_quasi().items() if name not in both.made}
    found = telling(columns, case.risk.k, both.source, frozenset(case.untouched()), _whose(of))
    named = {one.column for one in found}
    quasi = [both.result[name] for name in case.quasi()]
    rest = {name: cells for name, cells in columns.items() if name not in named}
    if len(quasi) > 1 and rest:
        found += keys(rest, classes_of(quasi))
    # Of several columns the reason for one is the reason for all: without it the others number nothing.
    return found + numbered({name: cells for name, cells in rest.items() if name not in case.exempted})


def _whose(of: TableSubject) -> Subjects | None:
    """Whose the rows of the result are; None where a row is a person, stands for nobody, or nobody said: then rows count."""
    try:
        return of.persons.result
    except EngineError:
        return None


def _remedy(one: Telling) -> Text:
    if one.beside:
        message = gettext_noop(
            "%(columns)s: generalise or remove one of them, judge all of them quasi-identifiers, or judge one again and say why "
            "it may stay"
        )
        return text(message, columns=" + ".join(one.columns))
    message = gettext_noop(
        "%(column)s: generalise it, remove it, judge it a quasi-identifier, or judge it again and say why it may stay"
    )
    return text(message, column=one.column)
