"""The job that measures a released file again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from projects.datasets.store import EncryptedWorkspace, store_open
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.objective.selectors import risk_targets
from projects.objective.targets import RiskTargets
from projects.processing.models import Run
from projects.processing.selectors import run_format
from projects.releases.deliveries import row_is_sound
from projects.releases.seal import sha256_of
from projects.verification.enums import CheckKind

from .models import Reassessment
from .services import MEASURE_JOB, reassessment_measured

if TYPE_CHECKING:
    from techniques.risk.report import RiskReport

_OUTPUT = "measurement"


@job_kind(MEASURE_JOB)
class MeasureAgain(JobKind):
    """Verify the seal of what was released and recompute its risk, by today's targets."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        content = json.dumps(_measure(_reassessment(job), tick)).encode()
        with _workspace(job).open_write(_OUTPUT) as target:
            target.write(content)
        return hashlib.sha256(content).hexdigest()

    def finish(self, job: Job) -> None:
        workspace = _workspace(job)
        with workspace.open_read(_OUTPUT) as stream:
            reassessment_measured(_reassessment(job), measurement=json.loads(stream.read()))
        workspace.clear()


def _measure(reassessment: Reassessment, tick: Tick) -> dict[str, Any]:
    """Seal and risk of the released file: {k, max_risk, …, columns, checks: [{kind, target, measured, met}], met}."""
    from techniques.risk.measure import measure
    from techniques.tables import open_table

    release, project = reassessment.release, reassessment.project
    tick(0.0)
    with store_open(release.result) as stream:
        sha256 = sha256_of(stream, lambda share: tick(share * 0.3), release.result.size)
    sound = sha256 == release.result_sha256 and row_is_sound(release)
    checks = [_check(CheckKind.INTEGRITY, None, None, met=sound)]
    figures: dict[str, Any] = {}
    targets = risk_targets(project)
    known = set(columns_with_role(project, ColumnRole.QUASI))
    with store_open(release.result) as stream:
        table = open_table(stream, run_format(Run.objects.get(pk=release.run_id)))
        quasi = [column for column in table.columns if column in known]
        if quasi:
            found = measure(
                table.batches(), quasi, target_k=targets.k,
                tick=lambda rows: tick(0.3 + 0.7 * min(1.0, rows / max(release.rows, 1))),
            )  # fmt: skip
            figures = dict(found.summary())
            checks += _risk_checks(found, targets)
        else:
            # Nobody can be found by a quasi-identifier that is not there.
            checks.append(_check(CheckKind.K, targets.k, None, met=True))
    met = all(check["met"] is True for check in checks)
    return {**figures, "columns": quasi, "target_k": targets.k, "checks": checks, "met": met}


def _risk_checks(found: RiskReport, targets: RiskTargets) -> list[dict[str, Any]]:
    """The same bounds as the gate's (B.1.4), by today's targets."""
    from techniques.risk.explain import Target

    strict = targets.measure == "strict_average"
    cap = min(targets.max_risk, targets.strict_cap) if strict else targets.max_risk
    checks = [
        _check(CheckKind.K, targets.k, found.k, met=Target(kind="k", bound=targets.k).met_by(found.figures)),
        _check(
            CheckKind.MAX_RISK,
            cap,
            found.max_risk,
            met=Target(kind="max_risk", bound=cap).met_by(found.figures),
        ),
    ]
    if strict and targets.average_risk is not None:
        bound = Target(kind="average_risk", bound=targets.average_risk)
        checks.append(
            _check(CheckKind.AVERAGE_RISK, bound.bound, found.average_risk, met=bound.met_by(found.figures))
        )
    overall = (found.average_risk if strict else found.max_risk) * targets.context_risk
    threshold = targets.overall_threshold
    checks.append(_check(CheckKind.OVERALL, threshold, overall, met=overall <= threshold + 1e-12))
    return checks


def _check(kind: CheckKind, target: float | None, measured: float | None, *, met: bool) -> dict[str, Any]:
    return {"kind": kind.value, "target": target, "measured": measured, "met": bool(met)}


def _reassessment(job: Job) -> Reassessment:
    return Reassessment.objects.select_related("project", "release__result").get(pk=job.subject_id)


def _workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"reassessment:{job.subject_id}")
