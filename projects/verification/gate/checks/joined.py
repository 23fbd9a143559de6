"""Every equivalence class of the joined tables has at least k persons (5.5.2 b)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.processing.recipes.suggestion import k_needed
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult, JoinedView, TableReport
from ...reports.stored import Text, text
from ..check import Term, WholeCheck, WholeSubject, source_text

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import JoinedRisk, JoinedTable

    from ..case import Case, Tick


class Joined(WholeCheck):
    """The view that joins the tables against the same k as each of them; of tables that do not join, each group."""

    kind = "joined"
    label = gettext_lazy("Every equivalence class of the joined tables has at least k persons")
    clause = "5.5.2 b)"
    meaning = gettext_lazy(
        "Who gets several tables sees what stands in all of them about one person. So classes are counted over all "
        "of them, in persons."
    )
    expression = "k = min f"
    unit = "count"
    sense = "at_least"

    def measure(self, of: WholeSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.joined import joined_risk

        of.report.joined = []
        needed = k_needed(next(iter(of.cases.values())).risk)
        unjudged = [
            f"{name}.{column}" for name, case in of.cases.items() for column in case.unjudged_in_result()
        ]
        if unjudged:
            why = gettext_noop(
                "No verdict stands about %(names)s, so it is not known which records form a class together."
            )
            return [self.not_run(text(why, names=", ".join(unjudged)), target=needed)]
        found = joined_risk(joined_tables(of.cases), of.links, target_k=needed)
        of.report.joined = [
            JoinedView(tables=list(one.tables), rows=one.rows, persons=one.persons, k=one.k) for one in found
        ]
        return [self._row(one, needed) for one in found]

    def _row(self, found: JoinedRisk, needed: int) -> CheckResult:
        passed = found.k >= needed
        plain = text(
            gettext_noop(
                "Joined by their keys the tables have %(rows)d rows about %(persons)d persons; the smallest class "
                "holds %(k)d of them. Somebody who knows several rows of one person at once is not counted."
            ),
            rows=found.rows,
            persons=found.persons,
            k=found.k,
        )
        remedy = text(
            gettext_noop(
                "Generalise or remove quasi-identifiers further: %(below)d persons are in classes that are too "
                "small once the tables are joined"
            ),
            below=found.below,
        )
        return self.row(
            label=Text(message=source_text(self.label), params={}, columns=" + ".join(found.tables)),
            target=needed,
            measured=found.k,
            passed=passed,
            plain=plain,
            formula=f"min {found.k} ≥ {needed}",
            remedies=[] if passed else [remedy],
        )

    def terms(self, result: CheckResult, report: TableReport) -> list[Term]:
        return [("f", _("persons of one equivalence class of the joined tables"), "")]


def joined_tables(cases: Mapping[str, Case]) -> dict[str, JoinedTable]:
    """The written tables with the quasi-identifiers that are left in each."""
    from techniques.disclosure_risk.joined import JoinedTable

    return {name: JoinedTable(case.result.batches, case.quasi()) for name, case in cases.items()}
