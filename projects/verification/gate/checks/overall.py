"""Data risk times the probability of an attempt, against the project's threshold (B.1.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.numbers import number
from techniques.core.messages import gettext_noop

from ...stored import text
from ..check import TableCheck, TableSubject, Term
from ..report import CheckResult, TableReport

if TYPE_CHECKING:
    from ..case import Tick


class OverallRisk(TableCheck):
    """The product of both; nothing to say where no risk was measured."""

    kind = "overall"
    label = gettext_lazy("Overall risk: data risk times the probability of an attempt")
    clause = "B.1.4.3"
    meaning = gettext_lazy(
        "The risk of the data matters only as far as somebody tries. The threshold of the project is about the "
        "product of both."
    )
    expression = "R = R_data × P"
    has_remedy = True
    is_chance = True

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.explain import Target

        from ..risk import remedy_texts

        if of.risk is None:
            return []
        targets = of.case.risk
        average = targets.measure == "strict_average"
        data = of.risk.average_risk if average else of.risk.max_risk
        value = data * targets.context_risk
        remedies = []
        if value > targets.overall_threshold:
            bound = min(1.0, targets.overall_threshold / targets.context_risk)
            target = Target(kind="average_risk" if average else "max_risk", bound=bound)
            remedies = remedy_texts(of.case, of.risk, target)
        message = gettext_noop(
            "Data risk %(data).4f times the probability %(context).2f that somebody tries gives %(value).4f."
        )
        sign = "R_avg" if average else "R_max"
        return [
            self.row(
                target=targets.overall_threshold,
                measured=value,
                passed=value <= targets.overall_threshold + 1e-12,
                plain=text(message, data=data, context=targets.context_risk, value=value),
                formula=f"{sign} × P = {number(data)} × {number(targets.context_risk)} = {number(value)}",
                remedies=remedies,
            )
        ]

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        risk, targets = report.risk, report.targets
        data = context = ""
        if risk:
            is_average = bool(targets and targets.measure == "strict_average")
            data = number(risk.average_risk if is_average else risk.max_risk)
        if targets and targets.context_risk is not None:
            context = number(targets.context_risk)
        return [
            ("R_data", _("risk of the data"), data),
            ("P", _("probability that somebody tries"), context),
        ]
