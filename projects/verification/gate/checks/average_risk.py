"""The share of all records that would be matched to the right person (B.1.4.1 b)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import count

from ...reports.gate import CheckResult
from ..check import OfPersons, TableCheck, TableSubject, Tick


class AverageRisk(TableCheck):
    """Classes by records; checked under the strict average only."""

    kind = "average_risk"
    is_for_everybody = True
    label = _("Average re-identification risk")
    clause = "B.1.4.1 b)"
    meaning = _(
        "The share of all records that someone would match to the right person by trying with every "
        "one of them (the marketer)."
    )
    expression = "R_avg = J/n"
    has_remedy = True
    is_chance = True
    signs = (
        ("J", _("number of equivalence classes"), lambda risk, _targets: count(risk.classes)),
        ("n", _("number of records"), lambda risk, _targets: count(risk.rows)),
    )

    of_persons = OfPersons(
        label=label,
        meaning=_(
            "The share of all persons whom someone would find by trying with every one of them, each "
            "by the smallest class that contains one of their records (the marketer)."
        ),
        expression="R_avg = Σ 1/f / P",
        signs=(
            ("f", _("persons of the smallest class that holds a record of a person"), None),
            ("P", _("number of persons"), lambda risk, _targets: count(risk.persons or 0)),
        ),
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ..risk import risk_row, said_of

        targets = of.case.risk
        if of.risk is None or targets.measure != "strict_average" or targets.average_risk is None:
            return []
        figures = targets.average_risk, of.risk.average_risk
        return [risk_row(self, of, "average_risk", *figures, *said_of(of.risk, average=True))]
