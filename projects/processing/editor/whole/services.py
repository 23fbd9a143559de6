"""Who may have the whole result of a draft worked out, and the only writer of what was found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Verdict, deny
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.models import Dataset, StoredFile, Table
from projects.datasets.store.store import store_remove
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.jobs.models import Job
from projects.jobs.results import result_break_off, result_end, result_lock, result_number, result_queue
from projects.workflow import State
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from ... import events, rules
from ...models import WholePreview
from ...recipes.sets import table_checked
from ...rules import ProcessingReason

WHOLE_JOB = "processing.preview"


def previews_of(project: Project) -> QuerySet[WholePreview]:
    """All of them, newest first, without the recipes that they were made of."""
    found = WholePreview.objects.filter(project=project).defer("recipe")
    return found.select_related("project", "dataset__table", "requested_by", "rows")


def may_preview(user: Person, table: Table) -> Verdict:
    """The executor, while the data is processed and there is a checked data set; one at a time."""
    verdict = rules.may_edit_recipe(user, table.project)
    if not verdict:
        return verdict
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready:
        return deny(ProcessingReason.NO_DATA_TO_PREVIEW)
    if WholePreview.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.PREVIEW_UNDER_WAY)
    return ALLOW


def preview_start(table: Table, *, content: Mapping[str, Any], by: Person) -> tuple[WholePreview, Job]:
    """Have the recipe ``content`` of one table, saved or not, carried out and measured, as a job.

    EngineError where it could not be saved either.
    """
    with recording(events.PREVIEW_STARTED, by=by, project_id=table.project_id) as event:
        table.project = project = project_lock(table.project)
        may_preview(by, table).require()
        recipe, dataset = table_checked(table, content), dataset_now(table)
        assert dataset is not None  # as the rule requires
        preview = WholePreview.objects.create(
            project=project,
            dataset=dataset,
            number=result_number(WholePreview, project),
            recipe=recipe.model_dump(mode="json"),
            recipe_hash=recipe.content_hash(),
            requested_by=by,
        )
        event.subject = preview.subject
        event.facts.update(table=label_of(table))
        title = gettext_noop("Work out the preview of the whole result")
        return preview, result_queue(preview, WHOLE_JOB, title=title, by=by)


def columns_of(dataset: Dataset) -> dict[str, list[str]]:
    """The quasi-identifiers of a table and the direct identifiers, by the verdicts as they are."""
    return {
        "quasi": columns_with_role(dataset.table, ColumnRole.QUASI),
        "direct": columns_with_role(dataset.table, ColumnRole.DIRECT),
    }


def preview_complete(
    preview: WholePreview, *, result: dict[str, Any], rows: StoredFile | None
) -> WholePreview:
    """Record what was found and let the rows of earlier previews go; called once, in the transaction that ends the job.

    ``rows`` are let go as well where the project was moved on, or the data replaced, while the job worked.
    """
    with recording(events.PREVIEW_MEASURED, by=None, project_id=preview.project_id) as event:
        project = project_lock(preview.project)
        preview = result_lock(preview)
        table = preview.dataset.table
        rows_let_go(project, table)
        if rows is not None and (project.state != State.PROCESSING or dataset_now(table) != preview.dataset):
            store_remove(rows)
            rows = None
        preview.result, preview.rows = result, rows
        preview.content_hash = canonical_hash(result)
        result_end(preview)
        event.subject = preview.subject
        event.facts.update(rows=result["rows_in"])
        return preview


def rows_let_go(project: Project, table: Table | None = None) -> None:
    """Remove the rows that previews show, of one ``table`` or of all, in the transaction of what makes them superfluous; figures
    stay."""
    earlier = WholePreview.objects.filter(project=project, rows__isnull=False)
    if table is not None:
        earlier = earlier.filter(dataset__table=table)
    stored = list(StoredFile.objects.filter(pk__in=earlier.values("rows")))
    earlier.update(rows=None)
    for one in stored:
        store_remove(one)


def preview_break_off(preview: WholePreview, *, code: str) -> None:
    """Record that nothing was found: the job failed or was cancelled."""
    result_break_off(preview, events.PREVIEW_BROKEN_OFF, code=code)
