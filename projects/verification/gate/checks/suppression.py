"""Suppressed records stay below the limit (A.3.5)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import Text, text
from ..check import BY_PERSONS, Check, OfPersons, TableCheck, TableSubject, Tick


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
    of_persons = OfPersons(label, meaning, _("persons without a record / all persons"), ())

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        rows = of.case.rows_drawn
        removed = of.case.rows_suppressed
        counted = of.risk is not None and of.risk.figures.persons is not None
        persons = of.persons.counted if counted else None
        if persons is not None and not of.case.rows_not_drawn:
            return [self._of_persons(of, removed, rows, *persons)]
        said = text(
            gettext_noop("%(removed)d of %(rows)d records are not in the result."), removed=removed, rows=rows
        )
        if of.case.rows_not_drawn:
            message = gettext_noop(
                "%(removed)d of the %(rows)d records that the sample drew are not in the result; %(left)d were not drawn."
            )
            said = text(message, removed=removed, rows=rows, left=of.case.rows_not_drawn)
        return [limit_row(self, of, removed, said, str(removed))]

    def _of_persons(self, of: TableSubject, removed: int, rows: int, persons: int, gone: int) -> CheckResult:
        """Both shares keep the limit: of the records that are gone, and of the persons none of whose records is left."""
        message = gettext_noop(
            "%(removed)d of %(rows)d records are not in the result, and of %(gone)d of %(persons)d persons none is."
        )
        said = text(message, removed=removed, rows=rows, gone=gone, persons=persons)
        if persons and gone / persons > (removed / rows if rows else 0.0):
            return limit_row(self, of, gone, said, str(gone), persons, measure=BY_PERSONS)
        return limit_row(self, of, removed, said, str(removed))


def limit_row(
    check: Check,
    of: TableSubject,
    suppressed: float,
    said: Text,
    signs: str,
    whole: int | None = None,
    *,
    measure: str = "",
) -> CheckResult:
    """The row of a check that holds the share that is ``suppressed`` of the records drawn, or of a ``whole``, against the
    limit."""
    rows = of.case.rows_drawn if whole is None else whole
    limit = of.case.risk.suppression_limit
    share = suppressed / rows if rows else 0.0
    passed = share <= limit + 1e-12
    remedy = gettext_noop(
        "Generalise the quasi-identifiers further, so that fewer records must be suppressed"
    )
    return check.row(
        target=limit,
        measured=share,
        passed=passed,
        plain=said,
        formula=f"{signs} / {rows} = {number(share)}",
        remedies=[] if passed else [text(remedy)],
        measure=measure,
    )
