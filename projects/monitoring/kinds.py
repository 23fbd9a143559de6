"""The job that measures a released file again, by the gate that verification runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from projects.core.models import Project
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.datasets.tables.selectors import tables_of
from projects.identification.selectors import verdicts_of
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.objective.selectors import risk_targets
from projects.processing.models import Run
from projects.processing.runs.selectors import tables_of_run
from projects.releases.deliveries.files import measured_sha256, sealed_files
from projects.releases.deliveries.services import row_is_sound, seal_break
from projects.releases.models import Release
from projects.verification.gate.checks.integrity import Integrity
from projects.verification.gate.report import Measurement
from projects.verification.gate.selectors import links_of_run, table_case

from .approval import approved_checks, with_approved
from .models import Reassessment
from .report import Remeasurement
from .services import MEASURE_JOB, reassessment_measured

if TYPE_CHECKING:
    from projects.verification.gate.case import Case

_OUTPUT = "measurement"


@job_kind(MEASURE_JOB)
class MeasureAgain(JobKind):
    """Verify the seal of what was released and run the gate over it, by today's targets."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        content = json.dumps(_measure(_reassessment(job), tick).as_json()).encode()
        with _workspace(job).open_write(_OUTPUT) as target:
            target.write(content)
        return hashlib.sha256(content).hexdigest()

    def finish(self, job: Job) -> None:
        workspace, reassessment = _workspace(job), _reassessment(job)
        with workspace.open_read(_OUTPUT) as stream:
            measurement = Remeasurement.model_validate(json.loads(stream.read()))
        reassessment_measured(reassessment, measurement)
        if measurement.broken and reassessment.release.seal_broken_at is None:
            seal_break(reassessment.release, recipient=None, measured=measurement.sha256)
        workspace.clear()

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


def _measure(reassessment: Reassessment, tick: Tick) -> Remeasurement:
    """Seal and gate of the released files, by today's targets and verdicts.

    What is not what was sealed is measured no further: its figures would say nothing about the release.
    """
    release, project = reassessment.release, reassessment.project
    tick(0.0)
    sha256 = measured_sha256(sealed_files(release), lambda share: tick(share * 0.2))
    sound = sha256 == release.files[0]["sha256"] and row_is_sound(release)
    measured, figures = Measurement(checks=[Integrity().row(passed=False)]), {}
    if sound:
        from projects.verification.gate.measurement import measure

        run = Run.objects.select_related("recipe_version").get(pk=release.run_id)
        cases = released_cases(release, run, project)
        measured = measure(cases, links_of_run(run), lambda share: tick(0.2 + 0.8 * share))
        figures = _figures(measured, cases)
    checks = with_approved(measured.checks, approved_checks(release))
    return Remeasurement.model_validate(
        {"columns": [], "without_verdict": []}
        | figures
        | {
            "target_k": risk_targets(project).k,
            "checks": [check.as_json() for check in checks],
            "met": all(check.met for check in checks),
            "broken": not sound,
            "sha256": sha256,
        }
    )


def _figures(measured: Measurement, cases: Mapping[str, Case]) -> dict[str, Any]:
    """The figures of the table with the smallest class, and the columns of all tables, named with their table."""
    risks = [of_table.risk for _table, of_table in measured.report.by_table() if of_table.risk]
    worst = min(risks, key=lambda risk: risk.k).as_json() if risks else {}
    return {
        **{name: worst[name] for name in _FIGURES if name in worst},
        "columns": [column for name, case in cases.items() for column in _named(name, case.quasi(), cases)],
        "without_verdict": [
            column
            for name, case in cases.items()
            for column in _named(name, case.unjudged_in_result(), cases)
        ],
    }


_FIGURES = ("rows", "classes", "k", "max_risk", "average_risk", "at_risk")


def _named(table: str, columns: list[str], cases: Mapping[str, Case]) -> list[str]:
    """Columns of the first table by their names alone, those of the others with their table."""
    return columns if table == next(iter(cases)) else [f"{table}.{column}" for column in columns]


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


def _reassessment(job: Job) -> Reassessment:
    return Reassessment.objects.select_related("project", "release").get(pk=job.subject_id)


def _workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"reassessment:{job.subject_id}")
