"""Every equivalence class has at least k records (5.5.2 b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import count, number
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import Text, text
from ..check import OfPersons, Sign, TableCheck, TableSubject, Tick, unjudged_text

if TYPE_CHECKING:
    from techniques.disclosure_risk.report import RiskReport

CLASS_SIGNS: Sequence[Sign] = (
    ("f", _("records of one equivalence class"), None),
    ("k", _("records of the smallest class"), lambda risk, _targets: count(risk.k) if risk.k else ""),
)


PERSON_SIGNS: Sequence[Sign] = (
    ("f", _("different persons of one equivalence class"), None),
    ("k", _("persons of the smallest class"), lambda risk, _targets: count(risk.k) if risk.k else ""),
)


class SmallestClass(TableCheck):
    """The size of the smallest class by all quasi-identifiers of the result."""

    kind = "k"
    is_for_everybody = True
    label = _("Every equivalence class has at least k records")
    clause = "5.5.2 b)"
    meaning = _(
        "Records with the same quasi-identifiers form a class. Someone who knows a person's "
        "quasi-identifiers can get as far as the class and no further. This is the size of the "
        "smallest class."
    )
    expression = "k = min f"
    has_remedy = True
    unit = "count"
    sense = "at_least"
    effort = 0.2
    shows_details = True
    signs = CLASS_SIGNS
    of_persons = OfPersons(
        label=_("Every equivalence class has at least k persons"),
        meaning=_(
            "Records with the same quasi-identifiers form a class. Someone who knows a person's "
            "quasi-identifiers can get as far as the persons in it and no further, however many "
            "records each has. This is how many persons the smallest class has."
        ),
        expression="k = min f",
        signs=PERSON_SIGNS,
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ..risk import measure_risk, risk_row, said_of

        case = of.case
        unjudged, cells, made_up = case.unjudged_in_result(), case.cells, case.made_up()
        quasi = case.quasi() if cells is None else list(cells.columns)
        if unjudged:
            return [self.not_run(unjudged_text(unjudged), target=case.risk.k)]
        if not quasi:
            of.report.risk = None
            why = text(
                gettext_noop("No quasi-identifier is left in the result, so nobody can be found by one.")
            )
            if made_up:
                message = gettext_noop(
                    "%(columns)s were made up from row to row and no other quasi-identifier is left: the rows are nobody's, so "
                    "there is no class to count. How close they come to real ones is a check of its own."
                )
                why = text(message, columns=", ".join(made_up))
            return [self.row(passed=True, unit="none", sense="none", plain=why)]
        found = measure_risk(of, quasi, tick)
        bound = case.risk.k
        said, _formula = said_of(found)
        if cells is not None:
            message = gettext_noop(
                "Every row of the result has the figures of one group: %(cells)d groups by %(columns)s, the smallest made of "
                "%(k)d records."
            )
            if found.figures.persons is not None:
                message = gettext_noop(
                    "Every row of the result has the figures of one group: %(cells)d groups by %(columns)s, the smallest made of "
                    "records of %(k)d persons."
                )
            said = text(message, cells=cells.number, columns=", ".join(quasi), k=found.k)
        formula = f"min f = {found.k} {'≥' if found.k >= bound else '<'} {number(bound)}"
        row = risk_row(self, of, "k", bound, found.k, said, formula)
        return [row.model_copy(update={"details": [_counted(of, found)]})]


def _counted(of: TableSubject, found: RiskReport) -> Text:
    """What is counted, and who said so."""
    if found.figures.persons is not None:
        message = gettext_noop(
            "Counted are the %(persons)d persons of the %(rows)d records, by the key of the source: %(key)s."
        )
        key = ", ".join(of.case.person_key or ())
        return text(message, persons=found.figures.persons, rows=found.figures.rows, key=key)
    if of.case.person_key is None:
        return text(gettext_noop("Counted are records: nobody has said whether several are of one person."))
    return text(gettext_noop("Counted are records, each of which was judged to be one person."))
