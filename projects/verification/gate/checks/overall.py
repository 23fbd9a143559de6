"""Data risk times the probability of an attempt, against the project's threshold (B.1.4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.sizes import keeps

from ...reports.gate import CheckResult, Risk
from ...reports.stored import Number, text
from ..check import TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from techniques.disclosure_risk.report import RiskReport


class OverallRisk(TableCheck):
    """The product of both; nothing to say where no risk was measured."""

    kind = "overall"
    is_for_everybody = True
    label = _("Overall risk: data risk times the probability of an attempt")
    clause = "B.1.4.3"
    meaning = _(
        "The risk of the data matters only to the extent that someone makes an attempt. The project's"
        " threshold applies to the product of the two."
    )
    expression = "R = R_data × P"
    has_remedy = True
    is_chance = True
    of_surroundings = True
    signs = (
        ("R_data", _("risk of the data"), lambda risk, targets: number(_data_risk(risk, targets.measure))),
        (
            "P",
            _("probability that someone makes an attempt"),
            lambda _risk, targets: "" if targets.context_risk is None else number(targets.context_risk),
        ),
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.explain import Target

        from ..risk import data_risk_left, remedy_texts

        if of.risk is None:
            return []
        targets = of.case.risk
        average = targets.measure == "strict_average"
        data = _data_risk(of.risk, targets.measure)
        value = data * targets.context_risk
        passed = keeps(value, targets.overall_threshold)
        left = Target(kind="average_risk" if average else "max_risk", bound=data_risk_left(targets))
        message = gettext_noop(
            "Data risk %(data).2f %% times the probability %(context).2f %% that somebody tries gives %(value).2f %%."
        )
        sign = "R_avg" if average else "R_max"
        return [
            self.row(
                target=targets.overall_threshold,
                measured=value,
                passed=passed,
                plain=text(message, data=data * 100, context=targets.context_risk * 100, value=value * 100),
                formula=f"{sign} × P = {number(data)} × {number(targets.context_risk)} = {number(value)}",
                remedies=[] if passed else remedy_texts(of, left),
            )
        ]


def _data_risk(risk: Risk | RiskReport, measure: str) -> Number:
    """The risk of the data by the ``measure`` of the targets."""
    return risk.average_risk if measure == "strict_average" else risk.max_risk
