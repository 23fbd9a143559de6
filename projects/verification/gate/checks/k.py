"""Every equivalence class has at least k records (5.5.2 b)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import count, number
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import OfPersons, Sign, TableCheck, TableSubject, Tick, unjudged_text

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
    label = _("Every equivalence class has at least k records")
    clause = "5.5.2 b)"
    meaning = _(
        "Records with the same quasi-identifiers form a class. Who knows those of a person gets as far as the "
        "class and no further. This is the size of the smallest class."
    )
    expression = "k = min f"
    has_remedy = True
    unit = "count"
    sense = "at_least"
    effort = 0.2
    signs = CLASS_SIGNS
    of_persons = OfPersons(
        label=_("Every equivalence class has at least k persons"),
        meaning=_(
            "Records with the same quasi-identifiers form a class. Who knows those of a person gets as far as the "
            "persons in it and no further, however many records each has. This is how many persons the smallest class has."
        ),
        expression="k = min f",
        signs=PERSON_SIGNS,
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ..risk import measure_risk, risk_row, said_of

        unjudged, quasi = of.case.unjudged_in_result(), of.case.quasi()
        if unjudged:
            return [self.not_run(unjudged_text(unjudged), target=of.case.risk.k)]
        if not quasi:
            of.report.risk = None
            why = gettext_noop("No quasi-identifier is left in the result, so nobody can be found by one.")
            return [self.row(passed=True, unit="none", sense="none", plain=text(why))]
        found = measure_risk(of, quasi, tick)
        bound = of.case.risk.k
        said, _formula = said_of(found)
        formula = f"min f = {found.k} {'≥' if found.k >= bound else '<'} {number(bound)}"
        return [risk_row(self, of, "k", bound, found.k, said, formula)]
