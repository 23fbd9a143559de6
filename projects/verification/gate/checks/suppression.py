"""Suppressed records stay below the limit (A.3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number
from techniques.core.messages import gettext_noop

from ...stored import text
from ..check import TableCheck, TableSubject
from ..report import CheckResult

if TYPE_CHECKING:
    from ..case import Tick


class Suppression(TableCheck):
    """The share of the records that were drawn and are not in the result."""

    kind = "suppression"
    label = _("Suppressed records stay below the limit")
    clause = "A.3.5"
    meaning = _(
        "Records that are left out protect the others, but every evaluation misses them. The limit keeps the "
        "result representative."
    )
    has_remedy = True

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        rows, limit = of.case.rows_drawn, of.case.risk.suppression_limit
        removed = rows - of.case.result.rows
        share = removed / rows if rows else 0.0
        passed = share <= limit + 1e-12
        said = text(
            gettext_noop("%(removed)d of %(rows)d records are not in the result."), removed=removed, rows=rows
        )
        if of.case.rows_not_drawn:
            message = gettext_noop(
                "%(removed)d of the %(rows)d records that the sample drew are not in the result; %(left)d were not drawn."
            )
            said = text(message, removed=removed, rows=rows, left=of.case.rows_not_drawn)
        remedy = gettext_noop(
            "Generalise the quasi-identifiers further, so that fewer records must be suppressed"
        )
        return [
            self.row(
                target=limit,
                measured=share,
                passed=passed,
                plain=said,
                formula=f"{removed} / {rows} = {number(share)}",
                remedies=[] if passed else [text(remedy)],
            )
        ]
