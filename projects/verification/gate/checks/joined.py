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
    from techniques.core.subjects import Subjects
    from techniques.disclosure_risk.joined import JoinedRisk, JoinedTable, Link

    from ..case import Case

_ROWS = gettext_noop("Every equivalence class of the joined tables has at least k records")


class Joined(WholeCheck):
    """The view that joins the tables against the same k as each of them; of tables that do not join, each group."""

    kind = "joined"
    label = _("Every equivalence class of the joined tables has at least k persons")
    clause = "5.5.2 b)"
    meaning = _(
        "Someone who receives several tables sees what all of them say about one person. So classes "
        "are counted over all of them, in persons."
    )
    expression = "k = min f"
    signs = (("f", _("persons of one equivalence class of the joined tables"), None),)
    unit = "count"
    sense = "at_least"

    def measure(self, of: WholeSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.joined import joined_risk

        of.report.joined = []
        needed = joined_k(of.cases)
        unjudged = [
            f"{name}.{column}" for name, case in of.cases.items() for column in case.unjudged_in_result()
        ]
        if unjudged:
            return [self.not_run(unjudged_text(unjudged), target=needed)]
        found = joined_risk(joined_tables(of.cases, of.links), of.links, target_k=needed)
        of.report.joined = [
            JoinedView(tables=list(one.tables), rows=one.rows, persons=one.persons, k=one.k) for one in found
        ]
        return [self._row(one, needed) for one in found]

    def _row(self, found: JoinedRisk, needed: int) -> CheckResult:
        passed = found.k >= needed
        message = gettext_noop(
            "Joined by their keys the tables have %(rows)d rows about %(persons)d persons; the smallest class "
            "holds %(k)d of them. Somebody who knows several rows of one person at once is not counted."
        )
        plain = text(message, rows=found.rows, persons=found.persons, k=found.k)
        label = source_text(self.label)
        if found.counts_rows:
            label = _ROWS
            message = gettext_noop(
                "Joined by their keys the tables have %(rows)d rows; the smallest class holds %(k)d of them. Nothing tells whose "
                "they are, so persons are not counted."
            )
            plain = text(message, rows=found.rows, k=found.k)
        message = gettext_noop(
            "Generalise or remove quasi-identifiers further: %(below)d persons are in classes that are too "
            "small once the tables are joined"
        )
        if found.counts_rows:
            message = gettext_noop(
                "Generalise or remove quasi-identifiers further: %(below)d rows are in classes that are too small once the tables "
                "are joined"
            )
        remedy = text(message, below=found.below)
        return self.row(
            label=Text(message=label, params={}, columns=" + ".join(found.tables)),
            target=needed,
            measured=found.k,
            passed=passed,
            plain=plain,
            formula=f"min {found.k} {'≥' if passed else '<'} {needed}",
            remedies=[] if passed else [remedy],
        )


def joined_k(cases: Mapping[str, Case]) -> int:
    """The k of the joined view: the greatest that a table is held to, for the view shows the most harmful attribute of all."""
    return max(k_needed(case.at_severity().risk) for case in cases.values())


def joined_tables(cases: Mapping[str, Case], links: Sequence[Link]) -> dict[str, JoinedTable]:
    """The written tables with the quasi-identifiers that are left in each, and whose their rows are."""
    from techniques.disclosure_risk.joined import JoinedTable

    return {
        name: JoinedTable(case.result.batches, case.quasi(), _subjects(name, case, links))
        for name, case in cases.items()
    }


def _subjects(name: str, case: Case, links: Sequence[Link]) -> Subjects | None:
    """Whose each row of the result is by the key of its source; None where links whose values stand for persons say it."""
    import numpy as np

    from ..persons import rows_of_persons

    of_links = {
        column for one in links if one.person for table, column in (one.source, one.target) if table == name
    }
    if case.person_key is None or (of_links and {*case.person_key} <= of_links):
        return None
    if not case.person_key:
        return np.arange(case.result.rows, dtype=np.int32)
    return rows_of_persons(case).result
