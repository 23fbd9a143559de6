"""The only writer of runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.models import StoredFile
from projects.datasets.selectors import current_dataset
from projects.datasets.tables.selectors import current_datasets, tables_of
from projects.jobs.models import Job
from projects.jobs.services import job_start
from projects.vault.services import secret_get_or_create
from techniques import catalogue
from techniques.catalogue.technique import Scope
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe

from .. import events, rules
from ..enums import RunStatus
from ..models import Run, RunTable
from ..recipes.policy import national_only
from ..recipes.selectors import current_recipe
from .mapping_tables import mapping_key
from .selectors import runs_of, tables_of_run

RUN_JOB = "processing.run"


KEY_PURPOSE = "pseudonyms"


def run_start(project: Project, *, by: Person) -> tuple[Run, Job]:
    """Run the current recipe on the current data set, as a job. The result appears when it is whole.

    One job treats all tables; no result appears before all are whole.
    """
    with recording(events.RUN_STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_run(by, project).require()
        recipe, dataset = current_recipe(project), current_dataset(project)
        assert recipe is not None  # as the rule requires
        assert dataset is not None
        last = runs_of(project).first()
        number = last.number + 1 if last else 1
        run = Run.objects.create(
            project=project,
            recipe_version=recipe,
            dataset=dataset,
            number=number,
            # One key per project: pseudonyms of its runs can be told apart by the seed, which is the run's own.
            key=secret_get_or_create(project, KEY_PURPOSE, by=by),
            seed=secret_get_or_create(project, f"seed of run {number}", by=by),
            national=national_only(),
            started_by=by,
        )
        event.subject = run.subject
        event.facts.update(recipe=recipe.content_hash, source=dataset.sha256, national=run.national)
        for table in tables_of(project)[1:]:
            source = current_datasets(project)[table.pk]
            RunTable.objects.create(run=run, table=table, name=table.name, dataset=source)
            event.facts[f"source {table.name}"] = source.sha256
        mapping_key(run, map(Recipe.from_data, recipe.tables.values()), by=by)
        job = job_start(
            RUN_JOB, project=project, subject=run.subject, title=gettext_noop("Run the recipe"), by=by
        )
        run.job_id = job.pk
        run.save()
        return run, job


@dataclass(frozen=True)
class Written:
    """What a run wrote of one table."""

    result: StoredFile
    result_format: dict[str, Any]
    report: dict[str, Any]

    def require_sound(self) -> None:
        """``EngineError`` when the stored file is not the one that the report speaks of."""
        if self.report["result_sha256"] != self.result.sha256:
            raise EngineError(
                "run.another_result",
                gettext_noop("The stored result is not the one that the run reported. Run the recipe again."),
            )


def run_succeed(
    run: Run,
    *,
    written: Mapping[str, Written],
    joins: Sequence[Mapping[str, Any]] = (),
) -> Run:
    """Record the whole result; called once, in the transaction that ends the job.

    ``written``: table name → file and report; ``joins``: rows that joined before and after. ``EngineError`` when a
    stored file is not that of its report, or a table is missing.
    """
    for one in written.values():
        one.require_sound()
    tables, first = tables_of_run(run), run.recipe_version.first_name
    if set(tables) != set(written):
        raise EngineError(
            "run.table_missing",
            gettext_noop("The run did not write every table of the project. Run the recipe again."),
        )
    with recording(
        events.RUN_SUCCEEDED,
        by=None,
        about=run,
        rows_in=written[first].report["rows_in"],
        rows_out=written[first].report["rows_out"],
        result=written[first].result.sha256,
        **{f"result {name}": written[name].result.sha256 for name in tables if name != first},
    ):
        run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        run.status, run.finished_at = RunStatus.SUCCEEDED, timezone.now()
        run.joins = [dict(one) for one in joins]
        for name, table in (tables | {first: run}).items():
            found = written[name]
            table.result, table.result_format = found.result, found.result_format
            table.result_sha256, table.result_rows = found.result.sha256, found.report["rows_out"]
            table.report, table.notice = found.report, notice_of(found.report)
            table.save()
        return run


def run_end_without_result(run: Run, *, status: RunStatus, code: str = "") -> Run:
    """Record that a run failed or was cancelled: there is no result, not even a part of one."""
    action = events.RUN_FAILED if status == RunStatus.FAILED else events.RUN_CANCELLED
    with recording(action, by=None, about=run, code=code):
        run = Run.objects.select_for_update(of=("self",)).get(pk=run.pk)
        run.status, run.finished_at = status, timezone.now()
        run.save()
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
