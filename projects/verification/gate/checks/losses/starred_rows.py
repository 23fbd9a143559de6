"""Records that are gone, those kept with nothing but ``*``, and emptied cells together keep the limit (A.3.5)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import count
from techniques.core.messages import gettext_noop

from ....reports.gate import CheckResult
from ....reports.stored import text
from ...check import OfPersons, TableCheck, TableSubject, Tick
from .suppression import limit_row


class StarredRows(TableCheck):
    """The share of the records drawn that suppression took, whole or in part, over all steps.

    A model may keep suppressed records instead of removing them, and a step may empty single cells. They tell nothing that
    could be evaluated, and no recipe gets around the limit of the targets with them. Nothing to say where records are
    removed only: a class that the model generalised up to ``*`` looks alike, and no record in it is suppressed.
    """

    kind = "starred_rows"
    label = _("Records removed, kept as *, or emptied in part together stay below the limit")
    clause = "A.3.5"
    meaning = _(
        "A record whose quasi-identifiers all became * is suppressed like one that was removed: no "
        "analysis by them includes it. One that lost one of its m quasi-identifiers counts as one "
        "m-th of that. All of these count towards the limit."
    )
    expression = _("(removed + kept as * + emptied cells / quasi-identifiers) / all")
    signs = (
        (
            "*",
            _("records kept with * in all quasi-identifiers"),
            lambda risk, _targets: count(risk.suppressed_rows),
        ),
    )
    has_remedy = True
    is_suppression = True
    shows_details = True
    of_persons = OfPersons(
        label, meaning, _("persons whose records are all removed or kept as * / all persons"), signs
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from ...suppressed import suppressed_of

        found = suppressed_of(of)
        if not found.starred and not found.cells:
            return []
        if not found.cells:
            message = gettext_noop(
                "%(starred)d records have nothing but * in their quasi-identifiers, and %(removed)d of %(rows)d are not in "
                "the result."
            )
        else:
            message = gettext_noop(
                "%(starred)d records have nothing but * in their quasi-identifiers, %(cells)d cells of quasi-identifiers in "
                "others are empty or * beyond the share that the source has, and %(removed)d of %(rows)d records are not in the result."
            )
        said: dict[str, int] = {"starred": found.starred, "removed": found.removed, "rows": found.rows}
        if found.cells:
            said["cells"] = found.cells
        signs = f"({found.removed} + {found.starred}"
        signs += f" + {found.cells} / {found.columns})" if found.cells else ")"
        plain = text(message, **said)
        row = limit_row(self, of, found, plain, found.records, signs, found.persons_hidden)
        if found.persons is None:
            return [row]
        message = gettext_noop("%(gone)d of %(persons)d persons have no other record in the result.")
        return [
            row.model_copy(
                update={"details": [text(message, gone=found.persons_hidden, persons=found.persons)]}
            )
        ]
