"""The only writer of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.models import StoredFile
from projects.jobs.models import Job
from projects.jobs.services import job_about
from projects.vault.purposes import MAPPINGS
from projects.vault.services import secret_get_or_create
from techniques import catalogue
from techniques.catalogue.technique import Scope
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe

from .. import events, rules
from ..enums import RunEngine, RunStatus
from ..models import Run, RunTable
from ..recipes.policy import national_only
from ..recipes.selectors import current_sources
from .cluster import cluster_name
from .keys import keys_end, keys_make
from .selectors import tables_of_run

RUN_JOB = "processing.run"


def hash_facts(word: str, hashes: Mapping[str, str]) -> dict[str, Any]:
    """Hashes by the name of the table as facts of the log, ``word`` saying of what; of the first table by that alone."""
    return {f"{word} {name}" if place else word: one for place, (name, one) in enumerate(hashes.items())}


def run_start(project: Project, *, by: Person, engine: RunEngine | str = RunEngine.LOCAL) -> tuple[Run, Job]:
    """Run the current recipe on the current data of every table, as one job. No result appears before all are whole."""
    with recording(events.RUN_STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        (rules.may_run if engine == RunEngine.LOCAL else rules.may_run_on_cluster)(by, project).require()
        version, sources = current_sources(project)
        assert version is not None  # as the rule requires
        number = (project.runs.aggregate(last=Max("number"))["last"] or 0) + 1
        key, seed = keys_make(project, number, version.as_set(), by=by)
        run = Run.objects.create(
            project=project,
            recipe_version=version,
            number=number,
            key=key,
            seed=seed,
            national=national_only(),
            cluster="" if engine == RunEngine.LOCAL else cluster_name(),
            started_by=by,
        )
        hashes = {}
        for one in sources:
            assert one.dataset is not None  # the rule has asked for it
            RunTable.objects.create(run=run, table=one.table, name=one.name, dataset=one.dataset)
            hashes[one.name] = one.dataset.sha256
        event.subject = run.subject
        event.facts.update(recipe=version.content_hash, national=run.national, **hash_facts("source", hashes))
        if run.cluster:
            event.facts["cluster"] = run.cluster
        if any(Recipe.from_data(part).assigned_columns() for part in version.tables.values()):
            secret_get_or_create(project, MAPPINGS % number, by=by)
        job = job_about(run, RUN_JOB, title=gettext_noop("Run the recipe"), by=by)
        run.job_id = job.pk
        run.save()
        return run, job


_followers: list[Callable[[Run], None]] = []


def on_run_end(follow: Callable[[Run], None]) -> Callable[[Run], None]:
    """Register what a later stage does once a run has succeeded, failed or was cancelled, in the transaction that ends it."""
    _followers.append(follow)
    return follow


@dataclass(frozen=True)
class Written:
    """What a run wrote of one table."""

    result: StoredFile
    subjects: StoredFile | None
    result_format: dict[str, Any]
    report: dict[str, Any]

    def require_sound(self) -> None:
        """``EngineError`` when the stored file is not the one that the report speaks of."""
        if self.report["result_sha256"] != self.result.sha256:
            raise EngineError(
                "run.another_result",
                gettext_noop("The stored result is not the one that the run reported. Run the recipe again."),
            )


def run_succeed(run: Run, *, written: Mapping[str, Written], joins: Sequence[Mapping[str, Any]] = ()) -> Run:
    """Record the whole result; called once, in the transaction that ends the job.

    ``written``: table name → file and report; ``joins``: rows that joined before and after. ``EngineError`` when a
    stored file is not that of its report, or a table is missing.
    """
    for one in written.values():
        one.require_sound()
    tables = tables_of_run(run)
    if set(tables) != set(written):
        text = gettext_noop("The run did not write every table of the project. Run the recipe again.")
        raise EngineError("run.table_missing", text)
    first = written[next(iter(tables))].report
    facts: dict[str, Any] = {
        "rows_in": first["rows_in"],
        "rows_out": first["rows_out"],
        **hash_facts("result", {name: written[name].result.sha256 for name in tables}),
    }
    with recording(events.RUN_SUCCEEDED, by=None, about=run, **facts):
        for name, table in tables.items():
            found = written[name]
            table.result, table.result_format = found.result, found.result_format
            table.result_sha256, table.result_rows = found.result.sha256, found.report["rows_out"]
            table.subjects = found.subjects
            table.report, table.notice = found.report, notice_of(found.report)
            table.save()
        run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        run.status, run.finished_at = RunStatus.SUCCEEDED, timezone.now()
        run.joins = [dict(one) for one in joins]
        run.save()
        keys_end(run)
        for follow in _followers:
            follow(run)
        return run


def run_end_without_result(run: Run, *, status: RunStatus, code: str = "") -> Run:
    """Record that a run failed or was cancelled: there is no result, not even a part of one."""
    action = events.RUN_FAILED if status == RunStatus.FAILED else events.RUN_CANCELLED
    with recording(action, by=None, about=run, code=code):
        run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        run.status, run.finished_at = status, timezone.now()
        run.save()
        keys_end(run)
        for follow in _followers:
            follow(run)
        return run


def notice_of(report: dict[str, Any]) -> dict[str, Any]:
    """What the recipient is told about the changes (GB/T 37964 4.4): counts and techniques, no parameters
    that would help to undo them."""
    return {
        "rows_in": report["rows_in"],
        "rows_out": report["rows_out"],
        "removed_columns": [c for c in report["columns_in"] if c not in report["columns_out"]],
        "steps": [
            {"technique": step["technique"], "columns": step["columns"]}
            for step in report["steps"]
            if catalogue.get(step["technique"]).scope is not Scope.STRUCTURE
        ],
    }
