"""Every equivalence class of the joined tables has at least k persons (5.5.2 b)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.processing.recipes.suggestion import k_needed
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult, JoinedView
from ...reports.stored import Text, text
from ..check import Tick, WholeCheck, WholeSubject, source_text, unjudged_text

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import JoinedRisk, JoinedTable, Link

    from ..case import Case


class Joined(WholeCheck):
    """The view that joins the tables against the same k as each of them; of tables that do not join, each group."""

    kind = "joined"
    label = _("Every equivalence class of the joined tables has at least k persons")
    clause = "5.5.2 b)"
    meaning = _(
        "Who gets several tables sees what stands in all of them about one person. So classes are counted over all "
        "of them, in persons."
    )
    expression = "k = min f"
    signs = (("f", _("persons of one equivalence class of the joined tables"), None),)
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
            return [self.not_run(unjudged_text(unjudged), target=needed)]
        found = joined_risk(joined_tables(of.cases), of.links, target_k=needed)
        of.report.joined = [
            JoinedView(tables=list(one.tables), rows=one.rows, persons=one.persons, k=one.k) for one in found
        ]
        return [self._row(one, needed, by_person=_by_person(one, of.links)) for one in found]

    def _row(self, found: JoinedRisk, needed: int, *, by_person: bool) -> CheckResult:
        passed = found.k >= needed
        message = gettext_noop(
            "Joined by their keys the tables have %(rows)d rows about %(persons)d persons; the smallest class "
            "holds %(k)d of them. Somebody who knows several rows of one person at once is not counted."
        )
        help_ = gettext_noop(
            "Generalise or remove quasi-identifiers further: %(below)d persons are in classes that are too "
            "small once the tables are joined"
        )
        if not by_person:
            message = gettext_noop(
                "Joined by their keys the tables have %(rows)d rows, each counted by itself, for no key stands for persons; the "
                "smallest class holds %(k)d of them."
            )
            help_ = gettext_noop(
                "Generalise or remove quasi-identifiers further: %(below)d rows are in classes that are too "
                "small once the tables are joined"
            )
        plain = text(message, rows=found.rows, persons=found.persons, k=found.k)
        remedy = text(help_, below=found.below)
        return self.row(
            label=Text(message=source_text(self.label), params={}, columns=" + ".join(found.tables)),
            target=needed,
            measured=found.k,
            passed=passed,
            plain=plain,
            formula=f"min {found.k} ≥ {needed}",
            remedies=[] if passed else [remedy],
        )


def _by_person(found: JoinedRisk, links: Sequence[Link]) -> bool:
    """Whether a key between the tables of the view stands for persons."""
    return any(one.person for one in links if {one.source[0], one.target[0]} <= {*found.tables})


def joined_tables(cases: Mapping[str, Case]) -> dict[str, JoinedTable]:
    """The written tables with the quasi-identifiers that are left in each."""
    from techniques.disclosure_risk.joined import JoinedTable

    return {name: JoinedTable(case.result.batches, case.quasi()) for name, case in cases.items()}
