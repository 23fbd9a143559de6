"""The job that reads the rows drawn in an enclave; the engine is loaded in the worker only."""

from __future__ import annotations

from approvals.governance.verdict import deny
from projects.datasets.samples import MAX_SHOWN
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind

from ...inspected.rules import InspectionReason
from ..enums import READ_JOB
from ..models import ReceivedSample
from ..rules import rows_left
from .selectors import table_drawn_from
from .services import read_end, read_fail

_ROWS = "rows"


@job_kind(READ_JOB)
class ReadReceived(JobKind):
    """The rows go into an encrypted file and never into the row or the log of the job."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from ...inspected.reading import records_read

        sample = _sample(job)
        written = table_drawn_from(sample)
        if written is None:
            deny(InspectionReason.ALTERED).require()
            raise AssertionError
        found = records_read(
            written,
            seed=sample.seed,
            asked=sample.size,
            tick=tick,
            most_rows=rows_left(sample.recipient, sample.release, besides=sample),
            most_characters=MAX_SHOWN,
        )
        return _workspace(sample).write_json(_ROWS, found)

    def finish(self, job: Job) -> None:
        sample, workspace = _sample(job), _workspace(_sample(job))
        found = workspace.read_json(_ROWS)
        read_end(sample, found, content=workspace.adopt(_ROWS, purpose="received_sample"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        read_fail(_sample(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(_sample(job)).clear()


def _sample(job: Job) -> ReceivedSample:
    found = ReceivedSample.objects.select_related("release__project", "recipient", "content")
    return found.get(pk=job.subject_id)


def _workspace(sample: ReceivedSample) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"received_sample:{sample.pk}")
