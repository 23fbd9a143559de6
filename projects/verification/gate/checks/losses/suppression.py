"""Suppressed records stay below the limit (A.3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.sizes import keeps

from ....reports.gate import CheckResult
from ....reports.stored import Text, text
from ...check import BY_PERSONS, Check, OfPersons, TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from ...suppressed import Suppressed


class Suppression(TableCheck):
    """The share of the records that were drawn and are not in the result."""

    kind = "suppression"
    is_for_everybody = True
    label = _("Suppressed records stay below the limit")
    clause = "A.3.5"
    meaning = _(
        "Records that are left out protect the others, but every analysis misses them. The limit "
        "keeps the result representative."
    )
    has_remedy = True
    is_suppression = True
    of_persons = OfPersons(label, meaning, _("persons without a record / all persons"), ())

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ...suppressed import suppressed_of

        found, left = suppressed_of(of), of.case.rows_not_drawn
        said: dict[str, int] = {"removed": found.removed, "rows": found.rows} | (
            {"left": left} if left else {}
        )
        message = gettext_noop("%(removed)d of %(rows)d records are not in the result.")
        if left:
            message = gettext_noop(
                "%(removed)d of the %(rows)d records that the sample drew are not in the result; %(left)d were not drawn."
            )
        if found.persons is not None:
            said |= {"gone": found.persons_removed, "persons": found.persons}
            message = gettext_noop(
                "%(removed)d of %(rows)d records are not in the result, and %(gone)d of %(persons)d persons have none in it."
            )
            if left:
                message = gettext_noop(
                    "%(removed)d of the %(rows)d records that the sample drew are not in the result, and %(gone)d of its "
                    "%(persons)d persons have none in it; %(left)d records were not drawn."
                )
        return [
            limit_row(
                self,
                of,
                found,
                text(message, **said),
                found.removed,
                str(found.removed),
                found.persons_removed,
            )
        ]


def limit_row(
    check: Check, of: TableSubject, found: Suppressed, said: Text, records: float, signs: str, persons: int
) -> CheckResult:
    """The row of a check that holds what is suppressed against the limit: so many ``records``, or ``persons`` where their
    share is greater, of those drawn."""
    by_persons = found.persons is not None and persons * found.rows > records * found.persons
    suppressed, whole = (persons, found.persons or 0) if by_persons else (records, found.rows)
    limit = of.case.risk.suppression_limit
    share = suppressed / whole if whole else 0.0
    passed = keeps(share, limit)
    remedy = gettext_noop(
        "Generalise the quasi-identifiers further, so that fewer records must be suppressed"
    )
    return check.row(
        target=limit,
        measured=share,
        passed=passed,
        plain=said,
        formula=f"{persons if by_persons else signs} / {whole} = {number(share)}",
        remedies=[] if passed else [text(remedy)],
        measure=BY_PERSONS if by_persons else "",
    )
