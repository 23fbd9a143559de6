"""Who may have the protection levels counted, and the only writer of what was counted."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role, person_key_of
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from techniques.core import faults
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from ... import events, rules
from ...models import LevelCount
from ...rules import ProcessingReason

COUNT_JOB = "processing.count_levels"


def counts_of(project: Project) -> QuerySet[LevelCount]:
    """All of them, newest first."""
    return LevelCount.objects.filter(project=project).select_related(
        "project", "dataset__table", "requested_by"
    )


def may_count(user: Person, table: Table) -> Verdict:
    """The executor, while the data is processed, of a table that has a sensitive attribute."""
    verdict = rules.may_edit_recipe(user, table.project)
    if not verdict:
        return verdict
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready or not columns_with_role(table, ColumnRole.SENSITIVE):
        return deny(ProcessingReason.NOTHING_SENSITIVE)
    if LevelCount.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.LEVELS_UNDER_WAY)
    return ALLOW


def count_start(table: Table, *, column: str, level_column: str, by: Person) -> tuple[LevelCount, Job]:
    """Have it counted how many ask for which level, as a job. EngineError ``unknown_column`` for a column that cannot be meant."""
    with recording(events.LEVELS_COUNT_STARTED, by=by, project_id=table.project_id, column=column) as event:
        table.project = project = project_lock(table.project)
        may_count(by, table).require()
        dataset = dataset_now(table)
        assert dataset is not None  # as the rule requires
        if column not in columns_with_role(table, ColumnRole.SENSITIVE):
            raise faults.unknown_column(column)
        if level_column and (level_column == column or level_column not in dataset_columns(dataset)):
            raise faults.unknown_column(level_column)
        count = LevelCount.objects.create(
            project=project,
            dataset=dataset,
            number=result_number(LevelCount, project),
            column=column,
            level_column=level_column,
            person_key=list(person_key_of(table) or ()),
            requested_by=by,
        )
        event.subject = count.subject
        event.facts.update(table=label_of(table))
        return count, result_queue(count, COUNT_JOB, title=gettext_noop("Count the protection levels"), by=by)


def count_complete(count: LevelCount, *, result: dict[str, Any]) -> LevelCount:
    """Record what was counted; called once, in the transaction that ends the job."""
    facts: dict[str, Any] = {"rows": result["records"]}
    with recording(events.LEVELS_COUNTED, by=None, project_id=count.project_id, **facts) as event:
        count = result_lock(count)
        count.result = result
        count.content_hash = canonical_hash(result)
        result_end(count)
        event.subject = count.subject
        return count


def count_break_off(count: LevelCount, *, code: str) -> None:
    """Record that nothing was counted: the job failed or was cancelled."""
    result_break_off(count, events.LEVELS_BROKEN_OFF, code=code)
