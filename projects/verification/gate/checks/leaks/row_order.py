"""The records do not stand in the order of the source (4.1 b): two releases of one source could be joined by place."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

from ....reports.gate import CheckResult
from ....reports.stored import text
from ...check import TableCheck, TableSubject, Tick


class RowOrder(TableCheck):
    """What both files show, whatever the recipe says; nothing to say where their columns do not tell."""

    kind = "row_order"
    label = _("The records do not stand in the order of the source")
    clause = "4.1 b)"
    meaning = _(
        "Someone who holds the source, or another release of it in the same order, can join the two "
        "by the position of a record alone. No value has to match."
    )
    unit = "none"
    sense = "none"

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.identification.traces.order import in_order

        if of.case.cells is not None:
            return []
        found = in_order(of.both.source, of.both.result, of.both.shares)
        if found is None:
            return []
        if not found:
            said = text(
                gettext_noop(
                    "The records stand in another order than those of the source, read forwards or backwards."
                )
            )
            return [self.row(passed=True, plain=said)]
        if of.case.recipe.order == "kept":
            message = gettext_noop(
                "The records stand in the order of the source, which the recipe chose to keep: whoever holds another "
                "table in this order joins both by place."
            )
            return [self.row(passed=True, plain=text(message))]
        message = gettext_noop("The records stand in the order of the source, and nobody chose that.")
        remedy = gettext_noop("Let the recipe shuffle the records, or choose to keep their order")
        return [self.row(passed=False, plain=text(message), remedies=[text(remedy)])]
