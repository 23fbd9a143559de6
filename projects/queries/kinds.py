"""The job that answers a question; the engine is loaded in the worker only."""

from __future__ import annotations

from approvals.documents.models import Document
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind

from .documents import ACCOUNT_JOB, statement_write
from .local.services import ESTIMATE_JOB, estimate_break_off, estimate_complete
from .models import LocalEstimate, Query
from .selectors import opened_of
from .services import ANSWER_JOB, query_answered, query_fail

_ANSWER = "answer"


@job_kind(ANSWER_JOB)
class AnswerQuery(JobKind):
    """Noise is drawn once and seen by nobody before the transaction that keeps the answer; an item that is run again draws anew."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        import pyarrow as pa

        from techniques.models.differential_privacy.answer import answer
        from techniques.models.differential_privacy.planning import plan
        from techniques.models.differential_privacy.question import Question
        from techniques.tables import open_table
        from techniques.tables.subjects import read_subjects

        query = _query(job)
        question = Question.model_validate(query.question)
        # A table without columns would have no rows either.
        wanted = list(dict.fromkeys([*question.columns, *query.person_key])) or query.dataset.columns[:1]
        parts = []
        with (
            dataset_open(query.dataset) as stream,
            open_table(stream, dataset_format(query.dataset)) as reader,
        ):
            for batch in reader.batches():
                parts.append(batch.select(wanted))
                tick(0.5)
        schema = pa.schema([(name, pa.string()) for name in wanted])
        table = pa.Table.from_batches(parts) if parts else schema.empty_table()
        opened = opened_of(query.dataset)
        assert opened is not None  # a question is charged to an account
        planned = plan(question, opened.neighbours)  # type: ignore[arg-type]
        if planned.loss.as_dict() != query.loss:
            raise RuntimeError("the answer would cost something else than was charged")
        made = answer(planned, table, read_subjects(parts, query.person_key))
        tick(0.9)
        _workspace(query).write_json(_ANSWER, made.model_dump(mode="json"))
        return ""

    def finish(self, job: Job) -> None:
        query, workspace = _query(job), _workspace(_query(job))
        query_answered(query, workspace.read_json(_ANSWER))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        query_fail(_query(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(_query(job)).clear()


@job_kind(ACCOUNT_JOB)
class PrintAccount(DocumentKind):
    """The statement of the accounts of a project."""

    def write(self, job: Job, language: str) -> Document:
        assert job.project is not None  # the job was started by somebody in a project
        return statement_write(job.project, language, by=job.requested_by)


@job_kind(ESTIMATE_JOB)
class EstimateReports(JobKind):
    """Answers that devices randomised are read once and estimated."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .local.measurement import estimated

        tick(0.0)
        return _estimates(job).write_json(key, estimated(_estimate(job), tick))

    def finish(self, job: Job) -> None:
        workspace = _estimates(job)
        estimate_complete(_estimate(job), result=workspace.read_json("all"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        estimate_break_off(_estimate(job), code=code)

    def clean(self, job: Job) -> None:
        _estimates(job).clear()


def _estimate(job: Job) -> LocalEstimate:
    return LocalEstimate.objects.select_related("project", "stored").get(pk=job.subject_id)


def _estimates(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"local_estimate:{job.subject_id}")


def _query(job: Job) -> Query:
    return Query.objects.select_related("project", "recipient", "dataset__stored", "dataset__table").get(
        pk=job.subject_id
    )


def _workspace(query: Query) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"query:{query.pk}")
