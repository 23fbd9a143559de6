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
from projects.processing.models import Run
from projects.processing.runs.selectors import tables_of_run
from projects.releases.deliveries.files import measured_sha256, sealed_files
from projects.releases.deliveries.services import row_is_sound, seal_break
from projects.releases.models import Release
from projects.verification.gate.check import problem_text
from projects.verification.gate.checks import check_of
from projects.verification.gate.checks.integrity import Integrity
from projects.verification.gate.selectors import links_of_run, table_case
from projects.verification.reports.gate import CheckResult, Measurement, TableReport
from techniques.core.messages import EngineError

from .afterwards.enums import LATER_MEASURE_JOB
from .afterwards.services import later_measured
from .amendments.yardstick import Yardstick, yardstick_of
from .documents import REPORT_JOB, report_write
from .enums import AmendmentKind
from .measuring import MEASURE_JOB
from .models import LaterReassessment, Reassessment
from .relations import relations_of
from .report import Outside, RemeasuredCheck, Remeasurement
from .selectors import approved_measurement
from .services import reassessment_measured

if TYPE_CHECKING:
    from projects.verification.gate.case import Case

_OUTPUT = "measurement"


@job_kind(MEASURE_JOB)
class MeasureAgain(JobKind):
    """Verify the seal of what was released and run the gate over it, by today's targets."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        release = self.release(job)
        found = _measure(release, tick)
        while found.amendments != [one.number for one in yardstick_of(release.project).amendments]:
            # An amendment was approved meanwhile.
            found = _measure(release, tick)
        return _workspace(job).write_json(_OUTPUT, found.as_json())

    def finish(self, job: Job) -> None:
        workspace, release = _workspace(job), self.release(job)
        measurement = Remeasurement.model_validate(workspace.read_json(_OUTPUT))
        self.keep(job, measurement)
        if measurement.broken and release.seal_broken_at is None:
            seal_break(release, recipient=None, measured=measurement.sha256)
        workspace.clear()

    def release(self, job: Job) -> Release:
        """What is measured."""
        return _reassessment(job).release

    def keep(self, job: Job, measurement: Remeasurement) -> None:
        """Write down what was measured."""
        reassessment_measured(_reassessment(job), measurement)

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


@job_kind(LATER_MEASURE_JOB)
class MeasureLater(MeasureAgain):
    """The same of a release that has ended, of which copies are out."""

    def release(self, job: Job) -> Release:
        return _later(job).release

    def keep(self, job: Job, measurement: Remeasurement) -> None:
        later_measured(_later(job), measurement)


@job_kind(REPORT_JOB)
class ReportPdf(DocumentKind):
    def write(self, job: Job, language: str) -> Document:
        return report_write(_reassessment(job), language, by=job.requested_by)


def _measure(release: Release, tick: Tick) -> Remeasurement:
    """Seal and gate of the released files, by the yardstick of today.

    What is not what was sealed is measured no further: its figures would say nothing about the release.
    """
    project = release.project
    tick(0.0)
    sha256 = measured_sha256(sealed_files(release), lambda share: tick(share * 0.2))
    sound = sha256 == release.files[0]["sha256"] and row_is_sound(release)
    measured = Measurement(checks=[Integrity().row(passed=False)])
    cases: dict[str, Case] = {}
    yardstick = yardstick_of(project)
    run = Run.objects.select_related("project", "recipe_version").get(pk=release.run_id)
    if sound:
        from projects.verification.gate.measurement import measure

        released = released_cases(release, run, project)
        cases = {name: yardstick.applied(case, name) for name, case in released.items()}
        measured = measure(cases, links_of_run(run), lambda share: tick(0.2 + 0.8 * share))
    approved = approved_measurement(release)
    checks = with_approved(measured.checks, approved.checks, yardstick)
    found = Remeasurement(
        columns=_named({name: case.quasi() for name, case in cases.items()}),
        without_verdict=_named({name: case.unjudged_in_result() for name, case in cases.items()}),
        target_k=yardstick.risk.k,
        checks=checks,
        broken=not sound,
        sha256=sha256,
    )
    if yardstick.amendments:
        found.amendments = [one.number for one in yardstick.amendments]
    if yardstick.last(AmendmentKind.SURROUNDINGS) is not None:
        found.degree, found.approved_degree = measured.report.degree, approved.report.degree
    found.relations = relations_of(run)
    outside = {
        name: _outside(case, measured.report.of(name)) for name, case in cases.items() if case.population
    }
    if outside:
        found.outside = outside
    found.met = found.met_alone and not found.tells_more_together
    if risks := [of_table.risk for _table, of_table in measured.report.by_table() if of_table.risk]:
        worst = min(risks, key=lambda risk: risk.k)
        found.rows, found.classes, found.k = worst.rows, worst.classes, worst.k
        found.max_risk, found.average_risk, found.at_risk = worst.max_risk, worst.average_risk, worst.at_risk
    return found


def _outside(case: Case, report: TableReport) -> Outside:
    """What the population table of one table tells beside its released file."""
    from projects.verification.gate.population import outside_attack

    assert report.population is not None  # there is a population table
    try:
        found = outside_attack(case)
    except EngineError as error:
        return Outside(population=report.population, problem=problem_text(error))
    said = found.model_dump(mode="json", exclude={"attack"}) | found.attack.model_dump(mode="json")
    return Outside.model_validate({"population": report.population} | said)


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


def with_approved(
    checks: Sequence[CheckResult], approved: Sequence[CheckResult], yardstick: Yardstick
) -> list[RemeasuredCheck]:
    """Each check with whether it is met, with the figure that it had at approval, and with what of its yardstick was amended."""
    targets_on = yardstick.on(AmendmentKind.TARGETS)
    surroundings_on = yardstick.on(AmendmentKind.SURROUNDINGS)
    before = yardstick.signed.context_risk
    rows = []
    for check in checks:
        alike = _alike(check, approved)
        row = check.as_json() | {"met": check.passed is True, "approved": alike.measured if alike else None}
        former = alike.target if alike else None
        if targets_on and check.target is not None and former != check.target:
            row |= {"targets_on": targets_on, "former": former}
        if surroundings_on and check_of(check.kind).of_surroundings and yardstick.risk.context_risk != before:
            attempts = {"attempt": yardstick.risk.context_risk, "former_attempt": before}
            row |= {"surroundings_on": surroundings_on, **attempts}
        rows.append(RemeasuredCheck.model_validate(row))
    return rows


def _alike(check: CheckResult, approved: Sequence[CheckResult]) -> CheckResult | None:
    """What was measured alike at approval; None where nothing was."""
    alike = [one for one in approved if _about(one) == _about(check) and one.measured is not None]
    # Several targets may be about the same columns, and recipe and targets may each promise something of one: the
    # figure under the same name comes first, then that of the same target.
    alike = [one for one in alike if one.label.message == check.label.message] or alike
    alike = [one for one in alike if one.target == check.target] or alike
    return alike[0] if alike else None


def _about(check: CheckResult) -> tuple[str, ...]:
    """What a check measures: of which table and columns, and by which formula."""
    return check.kind, check.table, check.measure, check.label.columns


def _reassessment(job: Job) -> Reassessment:
    return Reassessment.objects.select_related(
        "project", "release__project", "release__released_by", "change__reported_by", "concluded_by"
    ).get(pk=job.subject_id)


def _later(job: Job) -> LaterReassessment:
    rows = LaterReassessment.objects.select_related("project", "release__project")
    return rows.get(pk=job.subject_id)


def _workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"reassessment:{job.subject_id}")
