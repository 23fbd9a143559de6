"""The share of records that can be found with a probability above a threshold (B.1.4.1 a)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import percent
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import TableCheck, TableSubject, Tick


class RecordsAtRisk(TableCheck):
    """Checked where the targets ask for it; nothing to say where no risk was measured."""

    kind = "at_risk"
    is_for_everybody = True
    label = _("Share of records at risk")
    clause = "B.1.4.1 a)"
    meaning = _(
        "The maximum looks at the worst class and the average at all of them; this shows how many "
        "records are above the threshold at which someone counts as found."
    )
    expression = "R_a = Σ f·[1/f > τ] / n"
    has_remedy = True
    signs = (
        ("f", _("records of one equivalence class"), None),
        ("τ", _("threshold from which on a record is at risk"), None),
        ("n", _("number of records"), None),
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.explain import Target

        from ..risk import remedy_texts

        bound, above = of.case.risk.at_risk, of.case.risk.at_risk_above
        if of.risk is None or bound is None:
            return []
        target = Target(kind="at_risk", bound=bound, threshold=float(above))
        share = of.risk.at_risk[above]
        message = gettext_noop(
            "%(share)s of the records can be found with a probability above %(above)s; %(bound)s are allowed."
        )
        if of.risk.figures.persons is not None:
            message = gettext_noop(
                "%(share)s of the persons can be found with a probability above %(above)s; %(bound)s are allowed."
            )
        return [
            self.row(
                target=bound,
                measured=share,
                passed=target.met_by(of.risk.figures),
                plain=text(message, share=percent(share), above=above, bound=percent(bound)),
                formula=f"R_a(τ = {above}) = {percent(share)}",
                remedies=remedy_texts(of, target),
            )
        ]
