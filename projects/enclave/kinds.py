"""The job that answers a query; the engine and DuckDB are loaded in the worker only."""

from __future__ import annotations

import time

from approvals.governance.verdict import deny
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from projects.releases.deliveries.files import measured_sha256
from projects.releases.deliveries.services import handed_to, row_is_sound, seal_break
from projects.releases.rules import ReleaseReason
from techniques.core.messages import gettext_noop

from . import rules
from .models import EnclaveQuery
from .selectors import sources_of, statement_of
from .services import QUERY_JOB, query_end, query_fail

_FOUND = "found"
_SEAL, _ANSWER = "seal", "answer"


@job_kind(QUERY_JOB)
class AnswerQuery(JobKind):
    """The seal is verified as before a look at the rows; then the query runs. A query that cannot be run is an answer too: DuckDB's
    words, which may quote a value, go into the encrypted result and never into the row or the log of the job."""

    def items(self, job: Job) -> list[ItemSpec]:
        return [
            ItemSpec(_SEAL, gettext_noop("Verify the seal"), 1.0),
            ItemSpec(_ANSWER, gettext_noop("Run the query"), 3.0),
        ]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        query = _query(job)
        rules.may_answer(query).require()
        files = handed_to(query.release, query.asked_by)
        if not files:
            deny(ReleaseReason.NO_SHARE).require()
        if key == _SEAL:
            measured = measured_sha256(files, tick)
            if measured != files[0][1] or not row_is_sound(query.release):
                seal_break(query.release, recipient=query.asked_by, measured=measured)
                deny(ReleaseReason.SEAL_BROKEN).require()
            return measured
        from .running import found_by

        started = time.monotonic()
        stored = [one for one, _sealed in files if one is not None]
        found = found_by(statement_of(query), sources_of(query.release), stored, tick)
        found["milliseconds"] = round((time.monotonic() - started) * 1000)
        return _workspace(query).write_json(_FOUND, found)

    def finish(self, job: Job) -> None:
        query, workspace = _query(job), _workspace(_query(job))
        found = workspace.read_json(_FOUND)
        query_end(query, found, result=workspace.adopt(_FOUND, purpose="enclave_query"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        query_fail(_query(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(_query(job)).clear()


def _query(job: Job) -> EnclaveQuery:
    found = EnclaveQuery.objects.select_related("project", "release__project", "statement", "asked_by")
    return found.get(pk=job.subject_id)


def _workspace(query: EnclaveQuery) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"enclave_query:{query.pk}")
