"""The job that reads the records of a draw; the engine is loaded in the worker only."""

from __future__ import annotations

from approvals.governance.verdict import deny
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.processing.runs.selectors import tables_of_run

from .enums import READ_JOB
from .models import ResultSample
from .rules import InspectionReason, is_there
from .services import read_end, read_fail

_ROWS = "rows"


@job_kind(READ_JOB)
class ReadRecords(JobKind):
    """The rows go into an encrypted file and never into the row or the log of the job."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .reading import records_read

        sample = _sample(job)
        if not is_there(sample):
            deny(InspectionReason.ALTERED).require()
        written = tables_of_run(sample.run)[sample.of_table]
        # Drawn again with the size of the draw, which the proposal may not give any more.
        found = records_read(written, seed=sample.seed, asked=sample.size or sample.asked, tick=tick)
        return _workspace(sample).write_json(_ROWS, found)

    def finish(self, job: Job) -> None:
        sample, workspace = _sample(job), _workspace(_sample(job))
        found = workspace.read_json(_ROWS)
        read_end(sample, found, content=workspace.adopt(_ROWS, purpose="result_sample"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        read_fail(_sample(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(_sample(job)).clear()


def _sample(job: Job) -> ResultSample:
    return ResultSample.objects.select_related("project", "run__project").get(pk=job.subject_id)


def _workspace(sample: ResultSample) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"result_sample:{sample.pk}")
