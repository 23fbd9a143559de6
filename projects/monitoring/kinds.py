"""The job that measures a released file again."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store import EncryptedWorkspace, store_open
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.selectors import verdicts
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.objective.selectors import risk_targets
from projects.objective.targets import RiskTargets
from projects.processing.models import Run
from projects.processing.selectors import run_format
from projects.releases.deliveries import row_is_sound, seal_break
from projects.releases.models import Release
from projects.releases.seal import sha256_of
from projects.verification.case import Table
from projects.verification.enums import CheckKind
from techniques.messages import EngineError

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
        workspace, reassessment = _workspace(job), _reassessment(job)
        with workspace.open_read(_OUTPUT) as stream:
            measurement = json.loads(stream.read())
        reassessment_measured(reassessment, measurement=measurement)
        if measurement["broken"] and reassessment.release.seal_broken_at is None:
            seal_break(reassessment.release, recipient=None, measured=measurement["sha256"])
        workspace.clear()

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


def _measure(reassessment: Reassessment, tick: Tick) -> dict[str, Any]:
    """Seal, remaining identifiers and risk of the released file, by today's targets and verdicts.

    {k, max_risk, …, columns, checks: [{kind, target, measured, met}], met, broken, sha256, without_verdict}.
    What is not what was sealed is measured no further: its figures would say nothing about the release.
    """
    release, project = reassessment.release, reassessment.project
    targets = risk_targets(project)
    tick(0.0)
    sha256 = _sha256(release, lambda share: tick(share * 0.2))
    sound = sha256 == release.result_sha256 and row_is_sound(release)
    checks = [_check(CheckKind.INTEGRITY, None, None, met=sound)]
    measured: dict[str, Any] = {"columns": [], "without_verdict": []}
    if sound:
        run = Run.objects.select_related("recipe_version", "dataset__stored").get(pk=release.run_id)
        table = Table(lambda: store_open(release.result), run_format(run), release.rows)
        given = verdicts(project)
        columns = table.columns()
        checks.append(_residual_check(release, run, table, given, lambda share: tick(0.2 + share * 0.4)))
        # A column of the source that nobody has judged may be a quasi-identifier: k is not known then.
        unjudged = [c for c in columns if c in run.dataset.columns and c not in given]
        quasi = [c for c in columns if c in given and given[c].role == ColumnRole.QUASI]
        measured |= {"columns": quasi, "without_verdict": unjudged}
        if unjudged:
            checks.append(_check(CheckKind.K, targets.k, None, met=False))
        elif quasi:
            found = _risk(table, quasi, targets, lambda share: tick(0.6 + share * 0.4))
            measured |= found.summary()
            checks += _risk_checks(found, targets)
        else:
            # Nobody can be found by a quasi-identifier that is not there.
            checks.append(_check(CheckKind.K, targets.k, None, met=True))
    met = all(check["met"] is True for check in checks)
    outcome = {"target_k": targets.k, "checks": checks, "met": met, "broken": not sound, "sha256": sha256}
    return measured | outcome


def _sha256(release: Release, tick: Tick) -> str:
    """Of the stored bytes; "" when the store finds that they were altered, or has them no more."""
    try:
        with store_open(release.result) as stream:
            return sha256_of(stream, tick, release.result.size)
    except EngineError as error:
        if not error.code.startswith("store."):
            raise
        return ""


def _residual_check(release: Release, run: Run, table: Table, given: Any, tick: Tick) -> dict[str, Any]:
    """The residual scan of the gate (5.5.2 a), over what was handed out: the rules may know more by now."""
    from projects.verification.residue import residue_scan
    from techniques.identification.kinds import Role
    from techniques.recipe import Recipe

    dataset = run.dataset
    found = residue_scan(
        Table(lambda: dataset_open(dataset), dataset_format(dataset), dataset.rows or 0),
        table,
        Recipe.from_data(run.recipe_version.content),
        {column: Role(ENGINE_ROLE[ColumnRole(verdict.role)]) for column, verdict in given.items()},
        file_name=release.file_name,
        tick=tick,
    )
    return _check(CheckKind.RESIDUAL, 0, len(found.blocking), met=found.passed)


def _risk(table: Table, quasi: list[str], targets: RiskTargets, tick: Tick) -> RiskReport:
    from techniques.risk.measure import measure

    return measure(
        table.batches(),
        quasi,
        target_k=targets.k,
        tick=lambda rows: tick(min(1.0, rows / max(table.rows, 1))),
    )


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
