"""What verification knows of a run's result: whether it passed, its level, and what was allowed to stay."""

from __future__ import annotations

from dataclasses import replace

from approvals.request_cache import cached_read, known
from projects.objective.surroundings.context import assessments_of
from projects.processing.models import Run
from projects.processing.runs.designation.rule import Evidence

from ..gate.checks.leaks.residual import ResidualIdentifiers
from ..models import Verification
from ..reports.gate import Report
from ..selectors import latest_verification


def measured(run: Run, evidence: Evidence) -> Evidence:
    """With the newest complete measurement of exactly this result; without one nothing is known."""
    found = _newest_of(run)
    if found is None:
        return evidence
    measurement = found.measurement
    report, tables = measurement.report, [table for _name, table in measurement.report.by_table()]
    residuals = [table.residual for table in tables]
    allowed = [one.column for table in tables for one in table.exempt]
    allowed += [
        one.column or one.name for found in residuals if found for one in found.findings if one.allowed
    ]
    return replace(
        evidence,
        gate=found.passed,
        direct=any(row.measured for row in measurement.checks if row.kind == ResidualIdentifiers.kind),
        searched=all(one is not None and one.coverage >= 1 for one in residuals),
        allowed=tuple(dict.fromkeys(allowed)),
        unique=any(table.risk is not None and bool(table.risk.unique_persons) for table in tables),
        level=report.level.level if report.level is not None else None,
        risk_holds=_risk_holds(report),
        assessed=_assessed(run, report),
        assessment=_assessment(run, report),
    )


def _newest_of(run: Run) -> Verification | None:
    newest = known(latest_verification, run.project)
    if newest is not None and newest.run_id == run.pk and newest.passed is not None:
        return newest
    return _complete(run)


@cached_read
def _complete(run: Run) -> Verification | None:
    return run.verifications.filter(passed__isnull=False).first()


def _risk_holds(report: Report) -> bool:
    """Whether the degree is reached and the overall risk within its threshold; where no quasi-identifier is left in any
    table, there is none to be above it."""
    if all(table.has_no_quasi for _name, table in report.by_table()):
        return True
    return bool(report.degree and report.degree.passed and report.overall and report.overall.passed)


def _assessment(run: Run, report: Report) -> int | None:
    if report.degree is not None:
        return report.degree.assessment
    taken = assessments_of(run.project).filter(taken_at__isnull=False)
    return taken.values_list("number", flat=True).first()


def _assessed(run: Run, report: Report) -> bool:
    """Whether the measurement went by an assessment; where it needed none, whether there is one."""
    if report.degree is not None:
        return report.degree.assessment is not None
    return assessments_of(run.project).exists()
