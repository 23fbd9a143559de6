"""What is kept of one candidate: the checks of the gate and the few figures that candidates are compared by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from projects.datasets.tables.names import column_label
from techniques.core.attributes import AttributeRole
from techniques.data_utility.detail import detail_kept

from ..gate.case import Case
from ..gate.check import Tick
from ..gate.checks import check_of
from ..gate.checks.joined import Joined
from ..gate.checks.overall import OverallRisk
from ..gate.measurement import measure
from ..reports.comparison import CandidateFigures, CandidateResult, TableFigures
from ..reports.gate import CheckResult, Measurement, TableReport
from ..reports.stored import Number

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link

_KEPT = ("kind", "label", "target", "measured", "passed", "unit", "sense", "table")


def measure_candidate(cases: Mapping[str, Case], links: Sequence[Link], tick: Tick) -> CandidateResult:
    """The checks of the gate on the written result, and how much detail it keeps."""
    measured = measure(cases, links, lambda share: tick(0.8 * share))
    tables = {name: _figures(case, *measured.of(name)) for name, case in cases.items()}
    tick(1.0)
    figures = _of_all(next(iter(cases.values())), tables, measured)
    return CandidateResult(checks=[_without_texts(result) for result in measured.checks], figures=figures)


def _without_texts(result: CheckResult) -> CheckResult:
    stored = result.as_json()
    return CheckResult.model_validate({name: stored[name] for name in _KEPT if name in stored})


def _of_all(main: Case, tables: Mapping[str, TableFigures], measured: Measurement) -> CandidateFigures:
    """The worst of all tables for each figure, and the detail of all their columns.

    The view that joins them has a part in k, max_risk and, as far as that goes by the highest risk, in overall.
    """
    targets = main.risk
    joined = [result.measured for result in measured.checks if result.kind == Joined.kind]
    known = [int(size) for size in joined if size is not None]
    view = min(known, default=None) if len(known) == len(joined) else None
    # In a table without a quasi-identifier nobody is found, so that there is no class and no risk to speak of.
    risky = [one for one in tables.values() if not (one.k is None and one.overall == 0.0)]
    sizes = [one.k for one in risky]
    max_risk = _worst(one.max_risk for one in risky)
    overall = _worst(one.overall for one in risky)
    if not risky:
        overall = 0.0
    elif joined:
        sizes.append(view or None)
        max_risk = _worst((max_risk, 1 / view if view else None))
        # By the average it goes by the tables, for the average of the view is not measured.
        if targets.measure == "max" or not view:
            overall = _worst((overall, targets.context_risk / view if view else None))
    kept = [(name, *one) for name, found in tables.items() for one in found.detail.items()]
    detail = {column_label(name, column): share for name, column, share in kept}
    least = [size for size in sizes if size is not None]
    figures = CandidateFigures(
        k=min(least, default=None) if len(least) == len(sizes) else None,
        max_risk=max_risk,
        average_risk=_worst(one.average_risk for one in risky),
        overall=overall,
        suppressed=_worst(one.suppressed for one in tables.values()),
        threshold=targets.overall_threshold,
        detail=detail,
        detail_mean=_mean(detail),
    )
    if joined:
        figures.tables, figures.joined_k = dict(tables), view
        figures.view_in_overall = targets.measure == "max"
    return figures


def _worst(values: Iterable[Number | None]) -> Number | None:
    """The highest; None where one could not be measured, for it might be higher."""
    found = list(values)
    known = [value for value in found if value is not None]
    return max(known) if known and len(known) == len(found) else None


def _figures(case: Case, results: Sequence[CheckResult], report: TableReport) -> TableFigures:
    risk = report.risk
    overall = next((one for one in results if one.kind == OverallRisk.kind), None)
    suppressed = [one.measured for one in results if check_of(one.kind).is_suppression]
    detail = _detail(case)
    return TableFigures(
        k=risk.k if risk else None,
        max_risk=risk.max_risk if risk else None,
        average_risk=risk.average_risk if risk else None,
        # Without a quasi-identifier in the result nobody can be found by one.
        overall=overall.measured if overall else 0.0 if report.has_no_quasi else None,
        threshold=case.risk.overall_threshold,
        # Removed, or removed, kept as * and emptied together: the greater is what counts against the limit.
        suppressed=_worst(suppressed),
        detail=detail,
        detail_mean=_mean(detail),
    )


def _detail(case: Case) -> dict[str, Number]:
    columns = [
        column
        for column in case.source.columns()
        if column in case.roles and case.roles[column] != AttributeRole.DIRECT_IDENTIFIER
    ]
    return dict(detail_kept(case.source.batches(), case.result.batches(), columns)) if columns else {}


def _mean(detail: Mapping[str, Number]) -> float | None:
    return sum(detail.values()) / len(detail) if detail else None
