"""The job that measures a released file again."""

from __future__ import annotations

import hashlib
import json

from projects.datasets.store import EncryptedWorkspace, store_open
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.objective.selectors import risk_targets
from projects.processing.models import Run
from projects.processing.selectors import run_format
from techniques.messages import EngineError, gettext_noop

from .models import Reassessment
from .services import MEASURE_JOB, reassessment_measured

_OUTPUT = "measurement"


@job_kind(MEASURE_JOB)
class MeasureAgain(JobKind):
    """Recompute the risk of what was released, by today's targets."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from techniques.risk.explain import Target
        from techniques.risk.measure import measure
        from techniques.tables import open_table

        reassessment = _reassessment(job)
        release, project = reassessment.release, reassessment.project
        run = Run.objects.get(pk=release.run_id)
        targets = risk_targets(project)
        tick(0.0)
        with store_open(release.result) as stream:
            table = open_table(stream, run_format(run))
            quasi = [c for c in table.columns if c in columns_with_role(project, ColumnRole.QUASI)]
            if not quasi:
                raise EngineError(
                    "no_quasi_identifiers",
                    gettext_noop("The released file has no quasi-identifier whose risk could be measured."),
                )
            found = measure(
                table.batches(), quasi, target_k=targets.k,
                tick=lambda rows: tick(min(1.0, rows / max(release.rows, 1))),
            )  # fmt: skip
        met = Target(kind="k", bound=targets.k).met_by(found.figures)
        content = json.dumps(
            {**found.summary(), "columns": quasi, "target_k": targets.k, "met": met}
        ).encode()
        with _workspace(job).open_write(_OUTPUT) as target:
            target.write(content)
        return hashlib.sha256(content).hexdigest()

    def finish(self, job: Job) -> None:
        workspace = _workspace(job)
        with workspace.open_read(_OUTPUT) as stream:
            reassessment_measured(_reassessment(job), measurement=json.loads(stream.read()))
        workspace.clear()


def _reassessment(job: Job) -> Reassessment:
    return Reassessment.objects.select_related("project", "release__result").get(pk=job.subject_id)


def _workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"reassessment:{job.subject_id}")
