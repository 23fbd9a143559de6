"""Records that stay with nothing but ``*`` count against the limit of suppression as well (A.3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.numbers import count, number
from projects.processing.recipes.suggestion import SAMPLING
from techniques.core.messages import gettext_noop

from ...stored import text
from ..check import TableCheck, TableSubject, Term
from ..report import CheckResult, TableReport

if TYPE_CHECKING:
    from ..case import Case, Tick


class StarredRows(TableCheck):
    """The share of the records drawn that are gone or whose quasi-identifiers are all ``*``.

    A model may keep suppressed records instead of removing them. They still tell nothing that could be evaluated, and
    no recipe gets around the limit of the targets with them. Nothing to say where no record was kept that way: a class
    that the model generalised up to ``*`` looks alike, and no record in it is suppressed.
    """

    kind = "starred_rows"
    label = gettext_lazy("Records kept as * and removed ones together stay below the limit")
    clause = "A.3.5"
    meaning = gettext_lazy(
        "A record whose quasi-identifiers all became * is suppressed like one that was removed: no evaluation by them "
        "has it. So both count against the limit."
    )
    expression = gettext_lazy("(removed + kept as *) / all")
    has_remedy = True

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        starred = of.risk.suppressed_rows if of.risk else 0
        if not starred or _only_generalised(of.case):
            return []
        rows, limit = of.case.rows_drawn, of.case.risk.suppression_limit
        removed = rows - of.case.result.rows
        share = (removed + starred) / rows if rows else 0.0
        passed = share <= limit + 1e-12
        said = gettext_noop(
            "%(starred)d records have nothing but * in their quasi-identifiers, and %(removed)d of %(rows)d are not in "
            "the result."
        )
        remedy = gettext_noop(
            "Generalise the quasi-identifiers further, so that fewer records must be suppressed"
        )
        return [
            self.row(
                target=limit,
                measured=share,
                passed=passed,
                plain=text(said, starred=starred, removed=removed, rows=rows),
                formula=f"({removed} + {starred}) / {rows} = {number(share)}",
                remedies=[] if passed else [text(remedy)],
            )
        ]

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        starred = report.risk.suppressed_rows if report.risk else 0
        return [("*", _("records kept with * in all quasi-identifiers"), count(starred))]


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
