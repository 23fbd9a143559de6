"""The job that measures a released file again, by the gate that verification runs, beside what it measured when the release was
approved, and the one that prints what was concluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from approvals.documents.models import Document
from projects.core.models import Project
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.datasets.tables.names import column_label
from projects.datasets.tables.selectors import tables_of
from projects.identification.selectors import verdicts_of
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.objective.selectors import risk_targets
from projects.processing.models import Run
from projects.processing.runs.selectors import tables_of_run
from projects.releases.deliveries.files import measured_sha256, sealed_files
from projects.releases.deliveries.services import row_is_sound, seal_break
from projects.releases.models import Release
from projects.verification.gate.checks.integrity import Integrity
from projects.verification.gate.selectors import links_of_run, table_case
from projects.verification.models import Verification
from projects.verification.reports.gate import CheckResult, Measurement
from projects.verification.reports.stored import Number

from .documents import REPORT_JOB, report_write
from .models import Reassessment
from .report import RemeasuredCheck, Remeasurement
from .services import MEASURE_JOB, reassessment_measured

if TYPE_CHECKING:
    from projects.verification.gate.case import Case

_OUTPUT = "measurement"


@job_kind(MEASURE_JOB)
class MeasureAgain(JobKind):
    """Verify the seal of what was released and run the gate over it, by today's targets."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        return _workspace(job).write_json(_OUTPUT, _measure(_reassessment(job), tick).as_json())

    def finish(self, job: Job) -> None:
        workspace, reassessment = _workspace(job), _reassessment(job)
        measurement = Remeasurement.model_validate(workspace.read_json(_OUTPUT))
        reassessment_measured(reassessment, measurement)
        if measurement.broken and reassessment.release.seal_broken_at is None:
            seal_break(reassessment.release, recipient=None, measured=measurement.sha256)
        workspace.clear()

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


@job_kind(REPORT_JOB)
class ReportPdf(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        return report_write(_reassessment(job), language, by=job.requested_by)


def _measure(reassessment: Reassessment, tick: Tick) -> Remeasurement:
    """Seal and gate of the released files, by today's targets and verdicts.

    What is not what was sealed is measured no further: its figures would say nothing about the release.
    """
    release, project = reassessment.release, reassessment.project
    tick(0.0)
    sha256 = measured_sha256(sealed_files(release), lambda share: tick(share * 0.2))
    sound = sha256 == release.files[0]["sha256"] and row_is_sound(release)
    measured = Measurement(checks=[Integrity().row(passed=False)])
    cases: dict[str, Case] = {}
    if sound:
        from projects.verification.gate.measurement import measure

        run = Run.objects.select_related("recipe_version").get(pk=release.run_id)
        cases = released_cases(release, run, project)
        measured = measure(cases, links_of_run(run), lambda share: tick(0.2 + 0.8 * share))
    checks = with_approved(measured.checks, approved_checks(release))
    found = Remeasurement(
        columns=_named({name: case.quasi() for name, case in cases.items()}),
        without_verdict=_named({name: case.unjudged_in_result() for name, case in cases.items()}),
        target_k=risk_targets(project).k,
        checks=checks,
        met=all(check.met for check in checks),
        broken=not sound,
        sha256=sha256,
    )
    if risks := [of_table.risk for _table, of_table in measured.report.by_table() if of_table.risk]:
        worst = min(risks, key=lambda risk: risk.k)
        found.rows, found.classes, found.k = worst.rows, worst.classes, worst.k
        found.max_risk, found.average_risk, found.at_risk = worst.max_risk, worst.average_risk, worst.at_risk
    return found


def _named(columns: Mapping[str, list[str]]) -> list[str]:
    return [column_label(table, one) for table, names in columns.items() for one in names]


def released_cases(release: Release, run: Run, project: Project) -> dict[str, Case]:
    """By the name of the table: the released file and what it is judged by today."""
    of_run, cases, today = tables_of_run(run), {}, tables_of(project)
    for file, (stored, sealed) in zip(release.files, sealed_files(release), strict=True):
        assert stored is not None  # its bytes were measured
        one = of_run[file["table"]]
        given = verdicts_of(one.table) if one.table in today else {}
        case = table_case(project, one, run.recipe_version, given)
        # What the gate judged, with the released bytes in the place of the run's.
        result = replace(case.result, open=partial(store_open, stored), rows=file["rows"])
        cases[one.name] = replace(case, result=result, file_name=file["file_name"], read_sha256=sealed)
    return cases


def approved_checks(release: Release) -> list[CheckResult]:
    """The checks of the verification that is sealed into the release; none where it is no longer the one sealed."""
    found = Verification.objects.filter(
        project_id=release.project_id, run_id=release.run_id, content_hash=release.verification_hash
    ).first()
    return found.results if found else []


def with_approved(checks: Sequence[CheckResult], approved: Sequence[CheckResult]) -> list[RemeasuredCheck]:
    """Each check with whether it is met, and with the figure that it had at approval."""
    return [
        RemeasuredCheck.model_validate(
            check.as_json() | {"met": check.passed is True, "approved": _figure(check, approved)}
        )
        for check in checks
    ]


def _figure(check: CheckResult, approved: Sequence[CheckResult]) -> Number | None:
    """The number as it was kept, a count staying whole; None where nothing alike was measured."""
    alike = [one for one in approved if _about(one) == _about(check) and one.measured is not None]
    # Several targets may be about the same columns, and recipe and targets may each promise something of one: the
    # figure under the same name comes first, then that of the same target.
    alike = [one for one in alike if one.label.message == check.label.message] or alike
    alike = [one for one in alike if one.target == check.target] or alike
    return alike[0].measured if alike else None


def _about(check: CheckResult) -> tuple[str, ...]:
    """What a check measures: of which table and columns, and by which formula."""
    return check.kind, check.table, check.measure, check.label.columns


def _reassessment(job: Job) -> Reassessment:
    return Reassessment.objects.select_related(
        "project", "release__released_by", "change__reported_by", "concluded_by"
    ).get(pk=job.subject_id)


def _workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"reassessment:{job.subject_id}")
