"""The share of all records that would be matched to the right person (B.1.4.1 b)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.numbers import count

from ..check import TableCheck, TableSubject, Term
from ..report import CheckResult, TableReport

if TYPE_CHECKING:
    from ..case import Tick


class AverageRisk(TableCheck):
    """Classes by records; checked under the strict average only."""

    kind = "average_risk"
    label = gettext_lazy("Average re-identification risk")
    clause = "B.1.4.1 b)"
    meaning = gettext_lazy(
        "How many of all records somebody would match to the right person who tries it with every one of them "
        "(the marketer)."
    )
    expression = "R_avg = J/n"
    has_remedy = True
    is_chance = True

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.explain import Target

        from ..risk import risk_row, said_of

        targets = of.case.risk
        if of.risk is None or targets.measure != "strict_average" or targets.average_risk is None:
            return []
        target = Target(kind="average_risk", bound=targets.average_risk)
        said, formula = said_of(of.risk, average=True)
        return [risk_row(self, of, target, of.risk.average_risk, said=said, formula=formula)]

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        risk = report.risk
        return [
            ("J", _("number of equivalence classes"), count(risk.classes) if risk else ""),
            ("n", _("number of records"), count(risk.rows) if risk else ""),
        ]
