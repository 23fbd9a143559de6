"""Records that stay with nothing but ``*`` count against the limit of suppression as well (A.3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import count
from projects.processing.recipes.suggestion import SAMPLING
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import TableCheck, TableSubject, Tick
from .suppression import limit_row

if TYPE_CHECKING:
    from ..case import Case


class StarredRows(TableCheck):
    """The share of the records drawn that are gone or whose quasi-identifiers are all ``*``.

    A model may keep suppressed records instead of removing them. They still tell nothing that could be evaluated, and
    no recipe gets around the limit of the targets with them. Nothing to say where no record was kept that way: a class
    that the model generalised up to ``*`` looks alike, and no record in it is suppressed.
    """

    kind = "starred_rows"
    label = _("Records kept as * and removed ones together stay below the limit")
    clause = "A.3.5"
    meaning = _(
        "A record whose quasi-identifiers all became * is suppressed like one that was removed: no evaluation by them "
        "has it. So both count against the limit."
    )
    expression = _("(removed + kept as *) / all")
    signs = (
        (
            "*",
            _("records kept with * in all quasi-identifiers"),
            lambda risk, _targets: count(risk.suppressed_rows),
        ),
    )
    has_remedy = True

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        starred = of.risk.suppressed_rows if of.risk else 0
        if not starred or _only_generalised(of.case):
            return []
        rows = of.case.rows_drawn
        removed = of.case.rows_suppressed
        message = gettext_noop(
            "%(starred)d records have nothing but * in their quasi-identifiers, and %(removed)d of %(rows)d are not in "
            "the result."
        )
        said = text(message, starred=starred, removed=removed, rows=rows)
        return [limit_row(self, of, removed + starred, said, f"({removed} + {starred})")]


def _only_generalised(case: Case) -> bool:
    """Whether every ``*`` comes from hierarchies: the model removes what it suppresses, and nothing else treats its
    quasi-identifiers."""
    from techniques.anonymization.settings import model_step

    step = model_step(case.recipe)
    if step is None or getattr(step.parameters, "suppressed_rows", "") != "remove":
        return False
    quasi = set(case.quasi())
    others = [
        one for one in case.recipe.steps if one is not step and one.technique not in ("as_is", SAMPLING)
    ]
    # A step without columns is about all of them.
    return quasi <= set(step.columns) and all(one.columns and quasi.isdisjoint(one.columns) for one in others)
