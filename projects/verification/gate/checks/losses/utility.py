"""Usefulness stays above the minimum that was agreed (5.5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import percent
from projects.objective.targets.utility import plain_message
from techniques.catalogue.table_c1 import TABLE_C1
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError, gettext_noop

from ....reports.gate import CheckResult, Column, Noisy, NoisyPair
from ....reports.stored import Text, text
from ...check import TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from collections.abc import Iterable

    from techniques.data_utility.measure import ColumnComparison, TargetResult
    from techniques.data_utility.profile import ColumnProfile

    from ...case import Table


class Utility(TableCheck):
    """One row for every utility target about the columns of the table."""

    kind = "utility"
    is_for_everybody = True
    label = _("Usefulness stays above the minimum")
    clause = "5.5.3"
    meaning = _(
        "Protection that leaves the data useless has missed its purpose. The minimum usefulness was agreed in step 1."
    )
    has_remedy = True
    effort = 0.3

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.data_utility.covering import labels_above
        from techniques.data_utility.measure import assess
        from techniques.data_utility.targets import AssociationChange

        case = of.case
        rows = case.source.rows + case.result.rows
        needed = {column for target in case.utility for column in target.needed_columns()}
        compared_by = {*case.source.columns()} & {*case.result.columns(), *needed}
        written = case.result.columns()
        paired = {name for one in case.utility if isinstance(one, AssociationChange) for name in one.columns}
        known = _profiled(case.source, compared_by), _profiled(case.result, written)
        before, after = (
            [name for name in names if name not in profiled or name in paired]
            for names, profiled in zip((compared_by, written), known, strict=True)
        )
        results, compared = assess(
            case.utility,
            case.source.batches(before),
            case.result.batches(after),
            hierarchies=labels_above(case.recipe.hierarchies),
            least=_least_rows(of),
            known=known,
            columns=written,
            tick=lambda done: tick(done / rows if rows else 1.0),
        )
        of.report.columns = [_column(item, case.roles.get(item.column)) for item in compared]
        if noisy := _noisy(of):
            of.report.noisy = noisy
        return [self._row(item) for item in results]

    def _row(self, item: TargetResult) -> CheckResult:
        target = item.target
        columns = ", ".join(target.needed_columns())
        label = Text(message=target.title, params={})
        if columns:
            label.columns = columns
        passed: bool | None
        if item.measured is None:
            said, passed = text(item.reason, **item.params), None
        else:
            bound = percent(target.bound)
            passed = bool(item.passed)
            said = text(plain_message(target.kind, passed=passed), bound=bound, columns=columns)
        remedy = gettext_noop(
            "Treat this less strictly where the risk allows it, or lower the minimum in the target, with a reason"
        )
        return self.row(
            label=label,
            target=target.bound,
            measured=item.measured,
            passed=passed,
            sense=target.sense,
            plain=said,
            remedies=[text(remedy)] if passed is False else [],
        )


def _profiled(table: Table, columns: Iterable[str]) -> dict[str, ColumnProfile]:
    """The profiles of the columns that are held, of which nothing has to be read."""
    from techniques.data_utility.profile import column_profile

    found = {name: column_profile(cells, table.lengths) for name, cells in table.held(columns).items()}
    return {name: one for name, one in found.items() if one is not None}


def _noisy(of: TableSubject) -> Noisy | None:
    """How the columns with noise vary together, before and after; None of less than two that are numbers on both sides."""
    from techniques.data_utility.covariances import MOST_COLUMNS, together

    with_noise = {
        column
        for step in of.case.recipe.steps
        if step.spec.properties is TABLE_C1["noise"]
        for column in step.columns
    }
    named = [one.column for one in of.report.columns if None not in one.standard_deviation]
    columns = [name for name in named if name in with_noise]
    if len(columns) < 2:
        return None
    taken = columns[:MOST_COLUMNS]
    before, after = (together(side.batches(taken), taken) for side in (of.case.source, of.case.result))
    pairs = [
        NoisyPair(
            columns=list(one.columns),
            covariance=[one.covariance, other.covariance],
            correlation=[one.correlation, other.correlation],
        )
        for one, other in zip(before, after, strict=True)
    ]
    left_out = columns[MOST_COLUMNS:]
    return Noisy(pairs=pairs, left_out=left_out) if left_out else Noisy(pairs=pairs)


def _least_rows(of: TableSubject) -> int | None:
    """Rows that are of :data:`MINIMUM` persons at the least; None where that is not known, or the result's rows are groups."""
    from techniques.core.subjects import most_rows
    from techniques.identification.profiles.profile import MINIMUM

    if of.case.cells is not None:
        return None
    try:
        source = of.persons.source
    except EngineError:
        return None
    return MINIMUM * (1 if source is None else most_rows(source))


def _column(item: ColumnComparison, role: AttributeRole | None) -> Column:
    """What is kept of a column; one that may point to a person by itself gets no picture."""
    said = item.model_dump(mode="json")
    if said["distribution"] is None or role in (None, AttributeRole.DIRECT_IDENTIFIER):
        del said["distribution"]
    return Column.model_validate(said)
