"""The risk of the person who is easiest to find (B.1.4.1)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import OfPersons, TableCheck, TableSubject, Tick
from .k import CLASS_SIGNS, PERSON_SIGNS


class MaximumRisk(TableCheck):
    """1/k against the highest risk that the targets allow; nothing to say where no risk was measured."""

    kind = "max_risk"
    is_for_everybody = True
    label = _("Maximum re-identification risk")
    clause = "B.1.4.1"
    meaning = _(
        "How likely it is that the person who is easiest to find is picked out by someone who knows "
        "that this person is in the data (the prosecutor)."
    )
    expression = "R_max = max 1/f = 1/k"
    has_remedy = True
    is_chance = True
    signs = CLASS_SIGNS
    of_persons = OfPersons(label, meaning, expression, PERSON_SIGNS)

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ..risk import risk_row, said_of

        if of.risk is None:
            return []
        targets = of.case.risk
        bound = targets.max_risk
        if targets.measure == "strict_average":
            # Under the strict average no row may be above the cap either (B.1.4.1 b).
            bound = min(targets.max_risk, targets.strict_cap)
        said, formula = said_of(of.risk)
        if of.risk.k and of.risk.k_as_values is None:
            message = gettext_noop(
                "The easiest person to find is found one time in %(k)d (%(found).2f %%); %(allowed).2f %% is allowed."
            )
            said = text(message, k=of.risk.k, found=100 * of.risk.max_risk, allowed=100 * bound)
        return [risk_row(self, of, "max_risk", bound, of.risk.max_risk, said, formula)]
