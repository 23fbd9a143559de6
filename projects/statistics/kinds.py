"""The job that makes a table of statistics; the engine is loaded in the worker only."""

from __future__ import annotations

from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind

from .models import Tabulation
from .services import MAKE_JOB, table_fail, table_made

_REPORT, _RESULT = "report", "result"


@job_kind(MAKE_JOB)
class MakeTable(JobKind):
    """Counted or read, protected, audited and explained; an item that is run again writes the same."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .making import made

        table = _table(job)
        report, result = made(table, tick)
        workspace = _workspace(table)
        workspace.clear()
        if result is not None:
            with workspace.open_write(_RESULT) as stream:
                stream.write(result)
        workspace.write_json(_REPORT, report)
        return ""

    def finish(self, job: Job) -> None:
        table, workspace = _table(job), _workspace(_table(job))
        result = workspace.adopt(_RESULT) if workspace.exists(_RESULT) else None
        table_made(table, report=workspace.adopt(_REPORT), result=result)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        table_fail(_table(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(_table(job)).clear()


def _table(job: Job) -> Tabulation:
    found = Tabulation.objects.select_related(
        "project", "imported", "dataset__stored", "dataset__table", "run_table__result", "made_by"
    )
    return found.get(pk=job.subject_id)


def _workspace(table: Tabulation) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"tabulation:{table.pk}")
