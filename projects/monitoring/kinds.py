"""The job that measures a released file again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.datasets.tables.selectors import tables_of
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts, verdicts_of
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.objective.selectors import risk_targets
from projects.objective.targets.risk import RiskTargets
from projects.processing.models import Run, RunTable
from projects.processing.recipes.joint import parts_of
from projects.processing.recipes.suggestion import k_needed
from projects.processing.selectors import further_of, run_format
from projects.releases.deliveries.services import row_is_sound, seal_break
from projects.releases.files import measured_sha256, open_file
from projects.releases.models import Release
from projects.releases.seal import sha256_of
from projects.verification.enums import CheckKind
from projects.verification.gate.case import Table, text
from techniques.core.messages import EngineError, gettext_noop

from .approval import approved_checks, with_approved
from .models import Reassessment
from .services import MEASURE_JOB, reassessment_measured

if TYPE_CHECKING:
    from projects.verification.gate.case import Case
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

    {k, max_risk, …, columns, checks: [{kind, target, measured, met, approved}], met, broken, sha256, without_verdict};
    ``approved`` is what was measured when the release was approved, and a check of l or t has all that the gate says
    of it. What is not what was sealed is measured no further: its figures would say nothing about the release.
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
        judged = _judged(release, run, project)
        for number, one in enumerate(judged):
            begun, share = 0.2 + 0.8 * number / len(judged), 0.8 / len(judged)
            found_checks, found = _measure_table(one, targets, partial(_part, tick, begun, share))
            checks += [check | {"table": one.name} for check in found_checks] if one.name else found_checks
            if number == 0:
                measured |= found
            else:
                # Of several tables the figures are those of the one with the smallest class.
                measured["columns"] += [f"{one.name}.{column}" for column in found["columns"]]
                measured["without_verdict"] += [f"{one.name}.{column}" for column in found["without_verdict"]]
                if "k" in found and ("k" not in measured or found["k"] < measured["k"]):
                    measured |= {key: value for key, value in found.items() if key not in _LISTS}
        if len(judged) > 1:
            checks.append(_joined_check(run, judged, targets))
    met = all(check["met"] is True for check in checks)
    checks = with_approved(checks, approved_checks(release))
    outcome = {"target_k": targets.k, "checks": checks, "met": met, "broken": not sound, "sha256": sha256}
    return measured | outcome


_LISTS = frozenset({"columns", "without_verdict"})


@dataclass(frozen=True)
class _Judged:
    """One released file with what is needed to judge it; ``name`` is empty where there is a single one."""

    name: str
    case: Case
    dataset: Dataset
    given: dict[str, ColumnVerdict]

    @property
    def table(self) -> Table:
        return self.case.result


def _judged(release: Release, run: Run, project: Project) -> list[_Judged]:
    main = Table(
        lambda: store_open(release.result), run_format(run), release.rows, frozenset(run.dataset.columns)
    )
    recipe = run.recipe_version.content
    found = [_one(project, run, recipe, verdicts(project), (release.main_table, release.file_name, main))]
    of_run, of_project = {one.name: one for one in further_of(run)}, {t.name: t for t in tables_of(project)}
    for number, file in enumerate(release.files, start=1):
        name = file["table"]
        table = Table(
            partial(open_file, release, number), run_format(of_run[name]), file["rows"],
            frozenset(of_run[name].dataset.columns),
        )  # fmt: skip
        given = verdicts_of(of_project[name]) if name in of_project else {}
        recipe = parts_of(run.recipe_version)[name]
        found.append(_one(project, of_run[name], recipe, given, (name, file["file_name"], table)))
    return found


def _one(
    project: Project,
    of: Run | RunTable,
    recipe: Any,
    given: dict[str, ColumnVerdict],
    released: tuple[str, str, Table],
) -> _Judged:
    """What the gate judged about the file that ``of`` wrote, with the ``released`` one (table, file name, bytes)."""
    from projects.verification.kinds import table_case

    name, file_name, table = released
    case = replace(table_case(project, of, recipe, given, name), result=table, file_name=file_name)
    return _Judged(name, case, of.dataset, given)


def _part(tick: Tick, begun: float, share: float, done: float) -> None:
    tick(begun + share * done)


def _measure_table(
    one: _Judged, targets: RiskTargets, tick: Tick
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The checks of one file and its figures."""
    columns, given = one.table.columns(), one.given
    checks = [_residual_check(one, lambda share: tick(share * 0.5))]
    # A column of the source that nobody has judged may be a quasi-identifier: k is not known then.
    unjudged = [c for c in columns if c in one.dataset.columns and c not in given]
    quasi = [c for c in columns if c in given and given[c].role == ColumnRole.QUASI]
    measured: dict[str, Any] = {"columns": quasi, "without_verdict": unjudged}
    if unjudged:
        checks.append(_check(CheckKind.K, targets.k, None, met=False))
    elif quasi:
        found = _risk(one.table, quasi, targets, lambda share: tick(0.5 + share * 0.3))
        measured |= found.summary()
        checks += _risk_checks(found, targets)
    else:
        # Nobody can be found by a quasi-identifier that is not there.
        checks.append(_check(CheckKind.K, targets.k, None, met=True))
    checks += _variety_checks(one.case, quasi, unjudged, lambda share: tick(0.8 + share * 0.2))
    return checks, measured


def _variety_checks(case: Case, quasi: list[str], unjudged: list[str], tick: Tick) -> list[dict[str, Any]]:
    """What recipe and targets promise of l and t (B.1.2, B.1.3), measured by the gate's own code."""
    from projects.verification.gate.gate import guarded
    from projects.verification.gate.sensitive import sensitive_checks, unmeasured_checks

    if unjudged:
        message = gettext_noop(
            "No verdict stands about %(names)s, so it is not known which records form a class together."
        )
        found = unmeasured_checks(case, text(message, names=", ".join(unjudged)))
    else:
        kind = CheckKind.DIVERSITY
        found = guarded(kind, kind.label, lambda: sensitive_checks(case, quasi, {}, tick))
    return [{**check.as_dict(), "met": check.passed is True} for check in found]


def _joined_check(run: Run, judged: list[_Judged], targets: RiskTargets) -> dict[str, Any]:
    """The view that joins all tables, in persons; what cannot be measured is not met."""
    from projects.verification.kinds import links_of_run
    from techniques.risk.joined import JoinedTable, joined_risk

    needed = k_needed(targets)
    tables = {
        one.name: JoinedTable(
            one.table.batches,
            [c for c in one.table.columns() if c in one.given and one.given[c].role == ColumnRole.QUASI],
        )
        for one in judged
    }
    try:
        found = joined_risk(tables, links_of_run(run), target_k=needed)
    except EngineError:
        return _check(CheckKind.JOINED, needed, None, met=False)
    smallest = min(one.k for one in found)
    return _check(CheckKind.JOINED, needed, smallest, met=smallest >= needed)


def _sha256(release: Release, tick: Tick) -> str:
    """Of the stored bytes; "" when the store finds that they were altered, or has them no more."""
    if release.files:
        return measured_sha256(release, tick)
    try:
        with store_open(release.result) as stream:
            return sha256_of(stream, tick, release.result.size)
    except EngineError as error:
        if not error.code.startswith("store."):
            raise
        return ""


def _residual_check(one: _Judged, tick: Tick) -> dict[str, Any]:
    """The residual scan of the gate (5.5.2 a), over what was handed out: the rules may know more by now."""
    from projects.verification.gate.residue import residue_scan

    case = one.case
    found = residue_scan(
        case.source, case.result, case.recipe, case.roles, file_name=case.file_name, tick=tick
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
