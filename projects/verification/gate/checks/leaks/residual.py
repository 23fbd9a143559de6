"""No direct identifier is left in the result (5.5.2 a)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

from ....reports.gate import CheckResult, Residual
from ....reports.stored import Text, text
from ...check import TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from techniques.identification.residual import ResidualFinding

_FORMS = gettext_noop(
    "Values were also searched for %(forms)d forms of the organisation's own (metadata table, version %(version)s)."
)


class ResidualIdentifiers(TableCheck):
    """Every row of the written file, the column names and the file name are searched."""

    kind = "residual"
    is_for_everybody = True
    label = _("No direct identifier is left in the result")
    clause = "5.5.2 a)"
    meaning = _(
        "Nobody may be named directly. Every row is searched for names, numbers and the like, "
        "including inside longer texts."
    )
    unit = "count"
    effort = 0.45

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ...residue import residue_scan

        found, forms = residue_scan(of, tick), of.case.forms
        of.report.residual = Residual.model_validate(found.model_dump(mode="json", exclude={"scan"}))
        return [
            self.row(
                target=0,
                measured=len(found.blocking),
                passed=found.passed,
                plain=text(
                    gettext_noop("Every one of the %(rows)d rows was read, column names and file name too."),
                    rows=found.rows,
                ),
                details=[
                    *(text(item.message, **item.params) for item in found.findings),
                    *([text(_FORMS, forms=len(forms), version=of.case.forms_version)] if forms else []),
                ],
                remedies=[_remedy(item) for item in found.blocking],
            )
        ]


def _remedy(item: ResidualFinding) -> Text:
    where = item.column or item.name
    if item.where == "free_text":
        message = gettext_noop("%(column)s: redact the identifiers in the free text, or remove the column")
        return text(message, column=where)
    message = gettext_noop("%(column)s: remove the column, mask it or replace it by a pseudonym")
    return text(message, column=where)
