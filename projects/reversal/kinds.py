"""The job that gets values back; the engine is loaded in the worker only."""

from __future__ import annotations

from functools import partial

from projects.datasets.models import Dataset
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.jobs.models import Job
from projects.jobs.registry import JobKind, Tick, job_kind
from projects.processing.models import MappingTable, RunTable
from projects.processing.runs.keys import secrets_of
from projects.processing.runs.mapping_tables import mapping_find
from projects.processing.runs.selectors import result_format, result_open, tables_of_run
from projects.processing.runs.shares import share_files_of, share_plan
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe
from techniques.recipe.reversibility import needs_result

from .contents import Answer, answer_read, answer_write, settled, values_read
from .enums import WayBack
from .models import ReversalRequest
from .rules import may_answer
from .services import REVERSE_JOB, reversal_fail, reversal_succeed

_ANSWER = "answer"


@job_kind(REVERSE_JOB)
class Reverse(JobKind):
    """Only values that stand in the run's own result are got back: a key is no oracle for others."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        request = _request(job)
        may_answer(request).require()
        wanted = values_read(request.asked)
        tick(0.1)
        answers = _answers(request, wanted, tick)
        with _workspace(request).open_write(_ANSWER) as stream:
            answer_write(stream, answers)
        return ""

    def finish(self, job: Job) -> None:
        request, workspace = _request(job), _workspace(_request(job))
        stored = workspace.adopt(_ANSWER, purpose="reversal")
        found = sum(answer.original is not None for answer in answer_read(stored))
        reversal_succeed(request, answer=stored, found=found)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        reversal_fail(_request(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(_request(job)).clear()


def _answers(request: ReversalRequest, wanted: list[str], tick: Tick) -> list[Answer]:
    from techniques.engines.reversal import occurring
    from techniques.tables import open_table

    run, column = request.run, request.column
    recipe, part = run.recipe_version.as_set().tables[request.table], tables_of_run(run)[request.table]
    if request.way == WayBack.RECOMBINATION:
        return _recombined(part, column, recipe, wanted, tick)
    if needs_result(recipe, column):

        def occurs(values: list[str]) -> list[bool]:
            with result_open(part) as stream, open_table(stream, result_format(part)) as reader:
                there: list[bool] = occurring(column, values, reader.batches()).tolist()
            return there

        found = settled(wanted, occurs)
    else:
        # Ciphertexts and their sums have no spaces around them.
        found = [(value, True) for value in dict.fromkeys(one.strip() for one in wanted)]
    tick(0.4)
    present = [value for value, is_there in found if is_there]
    originals = iter(_lookup(request, recipe, part.dataset, present) if present else [])
    return [Answer(value, is_there, next(originals) if is_there else None) for value, is_there in found]


def _lookup(request: ReversalRequest, recipe: Recipe, dataset: Dataset, texts: list[str]) -> list[str | None]:
    """What each of ``texts`` stands for, by the way that the request names; ``dataset`` is what the table came from."""
    from techniques.engines.reversal import recompute_some, reverse_some
    from techniques.recipe.recipe_set import table_secrets
    from techniques.tables import open_table

    run, column = request.run, request.column
    if request.way == WayBack.MAPPING_TABLE:
        return mapping_find(_mapping(request), texts)
    secrets = table_secrets(secrets_of(run, recipe.purposes(column)), request.table)
    rows = dataset.rows or 0
    if request.way == WayBack.DECRYPTION:
        return reverse_some(recipe, column, texts, secrets, rows)
    recompute = partial(recompute_some, recipe, column, texts, secrets=secrets, rows=rows)
    with dataset_open(dataset) as stream, open_table(stream, dataset_format(dataset)) as reader:
        return recompute(source=reader.batches())


def _recombined(
    written: RunTable, column: str, recipe: Recipe, wanted: list[str], tick: Tick
) -> list[Answer]:
    """The numbers of rows of the result (from 1) are asked for; as many holders' files are opened as needed."""
    from techniques.engines.reversal import cells_at, combine_some
    from techniques.tables import open_table

    last = written.result_rows or 0
    wanted = list(dict.fromkeys(one.strip() for one in wanted))
    there = [one.isdecimal() and len(one) < 19 and 1 <= int(one) <= last for one in wanted]
    rows = [int(one) for one, is_there in zip(wanted, there, strict=True) if is_there]
    plan = share_plan(recipe)
    assert plan is not None
    texts = {}
    shares = [share for share in share_files_of(written.run_id) if share.table == written.name]
    for share in shares[: plan.threshold]:
        with store_open(share.stored) as stream, open_table(stream, result_format(written)) as reader:
            texts[share.number] = cells_at(column, rows, reader.batches())
        tick(0.5)
    originals = iter(combine_some(recipe, column, texts) if rows else [])
    return [
        Answer(one, is_there, next(originals) if is_there else None)
        for one, is_there in zip(wanted, there, strict=True)
    ]


def _mapping(request: ReversalRequest) -> MappingTable:
    kept = MappingTable.objects.select_related("key", "stored", "run")
    found = kept.filter(run=request.run, table=request.table, column=request.column).first()
    if found is None:
        text = gettext_noop(
            "The mapping table of this run was not kept: the run is older than the vault's tables."
        )
        raise EngineError("reversal.no_mapping", text)
    return found


def _request(job: Job) -> ReversalRequest:
    of_run = ("run__recipe_version", "run__key", "run__seed")
    found = ReversalRequest.objects.select_related("project", "asked", "asked_by", "decided_by", *of_run)
    return found.get(pk=job.subject_id)


def _workspace(request: ReversalRequest) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"reversal:{request.pk}")
