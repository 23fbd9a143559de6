"""Answers of the form about protection levels: received, joined to the data by a job, and made a new data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Refused, Verdict, deny
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.models import StoredFile, Table
from projects.datasets.rules import may_upload
from projects.datasets.selectors import dataset_columns
from projects.datasets.services import dataset_upload
from projects.datasets.store.store import EncryptedWorkspace, store_remove, store_write
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import dataset_now
from projects.jobs.models import Job
from projects.jobs.results import result_end, result_lock, result_number, result_queue
from techniques.core import faults
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError, gettext_noop

from ... import events
from ...models import LevelAnswers
from ...rules import ProcessingReason

JOIN_JOB = "processing.join_levels"
UPLOAD_LIMIT = 2 << 20
PURPOSE = "levels"
JOINED = "joined"


def answers_of(project: Project) -> QuerySet[LevelAnswers]:
    """All that were sent, newest first."""
    return LevelAnswers.objects.filter(project=project).select_related(
        "project", "dataset__table", "requested_by", "made"
    )


def may_join(user: Person, table: Table) -> Verdict:
    """Who may replace the data set: the executor, while identifiers are identified, once there is one that was checked."""
    verdict = may_upload(user, table)
    if not verdict:
        return verdict
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready:
        return deny(ProcessingReason.NOTHING_TO_JOIN_LEVELS_TO)
    if LevelAnswers.objects.filter(project=table.project_id, ended_at=None).exists():
        return deny(ProcessingReason.LEVELS_BEING_JOINED)
    return ALLOW


def answers_receive(
    table: Table, *, content: bytes, key: str, more_keys: Sequence[str] = (), default: int, by: Person
) -> tuple[LevelAnswers, Job]:
    """Have the answers, as CSV, joined to the table's data by ``key``, and ``more_keys`` where it takes several columns to tell whose
    a row is, as a job. A file that is not taken does not stay.

    EngineError ``unknown_column``.
    """
    may_join(by, table).require()
    if len(content) > UPLOAD_LIMIT:
        raise Refused(deny(ProcessingReason.ANSWERS_TOO_LARGE))
    with store_write(PURPOSE) as writer:
        writer.write(content)
    try:
        return _receive(table, writer.stored, list(dict.fromkeys([key, *more_keys])), default, by)
    except BaseException:
        store_remove(writer.stored)
        raise


def _receive(
    table: Table, stored: StoredFile, keys: list[str], default: int, by: Person
) -> tuple[LevelAnswers, Job]:
    with recording(events.LEVELS_SENT, by=by, project_id=table.project_id, column=", ".join(keys)) as event:
        table.project = project = project_lock(table.project)
        may_join(by, table).require()
        dataset = dataset_now(table)
        assert dataset is not None  # as the rule requires
        for key in keys:
            if key not in dataset_columns(dataset):
                raise faults.unknown_column(key)
        answers = LevelAnswers.objects.create(
            project=project,
            dataset=dataset,
            number=result_number(LevelAnswers, project),
            stored=stored,
            key=keys[0],
            more_keys=keys[1:],
            default=default,
            requested_by=by,
        )
        event.subject = answers.subject
        event.facts.update(table=label_of(table))
        return answers, result_queue(
            answers, JOIN_JOB, title=gettext_noop("Join the protection levels"), by=by
        )


def answers_joined(answers: LevelAnswers, *, workspace: EncryptedWorkspace, result: dict[str, Any]) -> None:
    """Make a data set of the joined file and let the answers go; called once, in the transaction that ends the job.

    EngineError ``levels.data_replaced``: other data were uploaded meanwhile, which the joined ones would push aside.
    """
    facts: dict[str, Any] = {"persons": result["answered"], "missing": result["missing"]}
    with recording(events.LEVELS_JOINED, by=None, project_id=answers.project_id, **facts) as event:
        answers = result_lock(answers, "dataset__table", "requested_by", "stored")
        project_lock(answers.project)
        if dataset_now(answers.dataset.table) != answers.dataset:
            raise _replaced()
        made = dataset_upload(
            answers.dataset.table,
            content=workspace.adopt(JOINED, "dataset"),
            name=f"{answers.dataset.name.rpartition('.')[0] or answers.dataset.name}.csv",
            by=answers.requested_by,
        )
        stored, answers.stored = answers.stored, None
        answers.made, answers.result = made, result
        answers.content_hash = canonical_hash(result)
        result_end(answers)
        if stored is not None:
            store_remove(stored)
        event.subject = answers.subject


def _replaced() -> EngineError:
    text = gettext_noop("The data set was replaced while the answers were being joined. Send them again.")
    return EngineError("levels.data_replaced", text)


def answers_break_off(answers: LevelAnswers, *, code: str) -> None:
    """Record that nothing was joined; the answers go all the same."""
    stored = answers.stored
    with recording(events.LEVELS_NOT_JOINED, by=None, about=answers, code=code):
        LevelAnswers.objects.filter(pk=answers.pk).update(ended_at=timezone.now(), stored=None)
    if stored is not None:
        store_remove(stored)
