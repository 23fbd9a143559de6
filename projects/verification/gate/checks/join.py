"""Rows that refer to another table still find their counterpart (5.5.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number
from techniques.core.messages import EngineError, gettext_noop
from techniques.disclosure_risk.sizes import keeps

from ...reports.gate import CheckResult, JoinReport
from ...reports.stored import Text, text
from ..check import Tick, WholeCheck, WholeSubject, problem_text, source_text

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link
    from techniques.tables.joins import JoinCounts

    from ..case import Table


class Join(WholeCheck):
    """One row for every link: what joins in the results against what joined in the sources.

    Records that the limit of suppression allows to go may leave others without their counterpart, no more. Nothing may
    join that did not join before: then two keys would have become one.
    """

    kind = "join"
    label = _("Rows that refer to another table still find their counterpart")
    clause = "5.5.3"
    meaning = _(
        "Tables that no longer join have lost what they were needed for; and if more rows join than "
        "before, two keys have become one."
    )
    expression = _("share that joins after / share that joined before")
    sense = "at_least"

    def measure(self, of: WholeSubject, tick: Tick) -> list[CheckResult]:
        of.report.joins = []
        rows = []
        for place, link in enumerate(of.links):
            rows.append(self._row(of, link))
            tick((place + 1) / len(of.links))
        return rows

    def _row(self, of: WholeSubject, link: Link) -> CheckResult:
        source, target = of.cases[link.source[0]], of.cases[link.target[0]]
        name = f"{'.'.join(link.source)} → {'.'.join(link.target)}"
        label = Text(message=source_text(self.label), params={}, columns=name)
        try:
            before = _counts(source.source, link, target.source)
            after = _counts(source.result, link, target.result)
        except EngineError as error:
            return self.not_run(problem_text(error), label=label)
        counted = {"link": name, "before": before.as_dict(), "after": after.as_dict()}
        of.report.joins.append(JoinReport.model_validate(counted))
        kept = after.share / before.share if before.joined else 0.0
        least = 1.0 - source.risk.suppression_limit
        grown = after.joined > before.joined or after.keys > before.keys or after.repeated > before.repeated
        # Where no row has gone, fewer keys are keys that have become one.
        grown = grown or (after.rows >= before.rows and after.keys < before.keys)
        passed = after.joined > 0 and keeps(least, kept) and not grown
        plain = text(
            gettext_noop(
                "%(joined)d of %(rows)d rows with a key find their counterpart; in the source %(joined_before)d of "
                "%(rows_before)d did."
            ),
            joined=after.joined,
            rows=after.rows,
            joined_before=before.joined,
            rows_before=before.rows,
        )
        remedy = (
            gettext_noop("Keys that were different have become equal: use longer pseudonyms or an encryption")
            if grown
            else gettext_noop(
                "Let fewer records of the table referred to be suppressed: generalise it further"
            )
        )
        return self.row(
            label=label,
            target=least,
            measured=min(1.0, kept),
            passed=passed,
            plain=plain,
            formula=f"({after.joined} / {after.rows}) / ({before.joined} / {before.rows}) = {number(kept)}",
            remedies=[] if passed else [text(remedy)],
        )


def _counts(source: Table, link: Link, target: Table) -> JoinCounts:
    from techniques.tables.joins import join_counts

    return join_counts(_cells(source, link.source[1]), _cells(target, link.target[1]))


def _cells(table: Table, column: str) -> Iterator[Any]:
    place: int | None = None
    for batch in table.batches():
        place = batch.schema.get_field_index(column) if place is None else place
        if place < 0:
            message = gettext_noop("The result has no column called “%(column)s”.")
            raise EngineError("column_missing", message, column=column)
        yield batch.column(place)
