"""Every equivalence class has at least k records (5.5.2 b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.numbers import count, number
from techniques.core.messages import gettext_noop

from ...stored import text
from ..check import TableCheck, TableSubject, Term
from ..report import CheckResult, TableReport

if TYPE_CHECKING:
    from ..case import Tick


class SmallestClass(TableCheck):
    """The size of the smallest class by all quasi-identifiers of the result."""

    kind = "k"
    label = gettext_lazy("Every equivalence class has at least k records")
    clause = "5.5.2 b)"
    meaning = gettext_lazy(
        "Records with the same quasi-identifiers form a class. Who knows those of a person gets as far as the "
        "class and no further. This is the size of the smallest class."
    )
    expression = "k = min f"
    has_remedy = True
    unit = "count"
    sense = "at_least"
    effort = 0.2

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.explain import Target

        from ..risk import measure_risk, risk_row, said_of

        unjudged, quasi = of.case.unjudged_in_result(), of.case.quasi()
        if unjudged:
            # Any of them may be a quasi-identifier: k is not known then.
            why = gettext_noop(
                "No verdict stands about %(names)s, so it is not known which records form a class together."
            )
            return [self.not_run(text(why, names=", ".join(unjudged)), target=of.case.risk.k)]
        if not quasi:
            of.report.risk = None
            why = gettext_noop("No quasi-identifier is left in the result, so nobody can be found by one.")
            return [self.row(passed=True, unit="none", sense="none", plain=text(why))]
        found = measure_risk(of, quasi, tick)
        target = Target(kind="k", bound=of.case.risk.k)
        sign = "≥" if target.met_by(found.figures) else "<"
        said, _formula = said_of(found)
        formula = f"min f = {found.k} {sign} {number(target.bound)}"
        return [risk_row(self, of, target, found.k, said=said, formula=formula)]

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        return class_terms(report)


def class_terms(report: TableReport) -> list[Term]:
    """The signs of the smallest class and its risk."""
    least = count(report.risk.k) if report.risk and report.risk.k else ""
    return [
        ("f", _("records of one equivalence class"), ""),
        ("k", _("records of the smallest class"), least),
    ]
