"""The job that runs a recipe; the engine is loaded in the worker only."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from approvals.documents.models import Document
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from projects.vault.services import secret_bytes
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe

from .enums import RunStatus
from .models import Exploration, Run
from .runs import documents, shares
from .runs import mapping_tables as mappings
from .runs.joint_run import joint_engine, joint_finish, joint_item, joint_items, workspace_of, workspaces
from .services import RUN_JOB, run_end_without_result, run_succeed
from .solutions.services import EXPLORE_JOB, exploration_break_off, exploration_complete

if TYPE_CHECKING:
    from techniques.engines.joint import JointRun
    from techniques.engines.local import LocalRun


SHARE = "share"


@job_kind(RUN_JOB)
class RecipeRun(JobKind):
    """The engine's items are the job's items; what they leave lies encrypted in the run's workspace."""

    def __init__(self) -> None:
        self._last: tuple[str, LocalRun] | None = None
        self._last_joint: tuple[str, JointRun] | None = None

    def items(self, job: Job) -> list[ItemSpec]:
        run = _run(job)
        if run.recipe_version.joint:
            return joint_items(self._joint(run))
        engine = self._engine(run)
        items = [ItemSpec(item.key, item.title, item.weight, item.params) for item in engine.items()]
        if engine.recipe.assigned_columns():
            weight = max(engine.source.rows, 1) * mappings.MAPPINGS_WEIGHT
            title = gettext_noop("Put the mapping tables into the vault")
            items.append(ItemSpec(mappings.MAPPINGS_ITEM, title, weight))
        plan = shares.share_plan(engine.recipe)
        for number in plan.others if plan else ():
            title = gettext_noop("Make the file of holder %(number)d")
            weight = sum(item.weight for item in engine.items())
            items.append(ItemSpec(f"{SHARE}:{number}", title, weight, {"number": number}))
        return items

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        run = _run(job)
        if run.recipe_version.joint:
            return joint_item(run, self._joint(run), key, tick)
        engine = self._engine(run)
        if key == mappings.MAPPINGS_ITEM:
            mappings.mappings_write(run, engine, tick)
            return ""
        if key.startswith(f"{SHARE}:"):
            return shares.share_write(run, engine, int(key.partition(":")[2]), tick)
        engine.execute(key, tick)
        if key != "assemble":
            return ""
        return str(engine.report()["result_sha256"])

    def finish(self, job: Job) -> None:
        run = _run(job)
        if run.recipe_version.joint:
            joint_finish(run, self._joint(run))
            return
        engine, workspace = self._engine(run), _workspace(run)
        report = engine.report()
        result = workspace.adopt(engine.result_name)
        run_succeed(run, result=result, result_format=engine.format.model_dump(mode="json"), report=report)
        mappings.mappings_keep(run, engine.recipe, workspace)
        shares.share_files_keep(run, engine, result)
        # The parts hold raw data.
        workspace.clear()

    def failed(self, job: Job, error: EngineError | None) -> None:
        code = error.code if error else "internal"
        run_end_without_result(_run(job), status=RunStatus.FAILED, code=code)

    def cancelled(self, job: Job) -> None:
        run_end_without_result(_run(job), status=RunStatus.CANCELLED)

    def clean(self, job: Job) -> None:
        run = _run(job)
        for workspace in workspaces(run).values():
            workspace.clear()
        shares.shares_clean(run)

    def leave(self) -> None:
        """Neither keys nor rows of a run stay behind in the worker."""
        self._last = self._last_joint = None

    def _joint(self, run: Run) -> JointRun:
        """The engine's view of a run over several tables."""
        from techniques.core.secrets import Secrets

        if self._last_joint is None or self._last_joint[0] != str(run.pk):
            secrets = Secrets(secret_bytes(run.key), secret_bytes(run.seed), national=run.national)
            self._last_joint = (str(run.pk), joint_engine(run, secrets))
        return self._last_joint[1]

    def _engine(self, run: Run) -> LocalRun:
        """The engine's view of this run; kept between items, so that keys are fetched (and audited) once."""
        from techniques.core.secrets import Secrets
        from techniques.engines.local import LocalRun, Source

        if self._last is not None and self._last[0] == str(run.pk):
            return self._last[1]
        dataset = run.dataset
        assert dataset.rows is not None  # a run starts on a checked data set only
        engine = LocalRun(
            Recipe.from_data(run.recipe_version.content),
            Source(lambda: dataset_open(dataset), dataset_format(dataset), dataset.rows, dataset.size),
            _workspace(run),
            Secrets(secret_bytes(run.key), secret_bytes(run.seed), national=run.national),
        )
        self._last = (str(run.pk), engine)
        return engine


def _run(job: Job) -> Run:
    return Run.objects.select_related("recipe_version", "dataset__stored", "project", "key", "seed").get(
        pk=job.subject_id
    )


def _workspace(run: Run) -> EncryptedWorkspace:
    return workspace_of(run)


@job_kind(documents.REPORT_JOB)
class ReportPdf(DocumentKind):
    """The report on the processing."""

    def write(self, job: Job, language: str) -> Document:
        return documents.report_write(_run(job), language, by=job.requested_by)


_SPACE, _FRONTIER, _WHAT_IF = "space", "frontier", "what_if"


@job_kind(EXPLORE_JOB)
class Explore(JobKind):
    """The solutions around the best one, the best for other k and limits, and what a column costs; none of it changes
    any data."""

    def items(self, job: Job) -> list[ItemSpec]:
        return [
            ItemSpec(_SPACE, gettext_noop("Look at the solutions around the best one")),
            ItemSpec(_FRONTIER, gettext_noop("Look for the best solution for other k and limits")),
            ItemSpec(_WHAT_IF, gettext_noop("Look at what dropping or coarsening a column would buy")),
        ]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .solutions.exploration import frontier_of, space_of, what_if_of

        exploration = _exploration(job)
        dataset = exploration.dataset
        recipe = Recipe.from_data(exploration.recipe_version.content)
        tick(0.0)
        with dataset_open(dataset) as stream:
            look = {_SPACE: space_of, _FRONTIER: frontier_of, _WHAT_IF: what_if_of}[key]
            found = look(recipe, stream, dataset_format(dataset), tick)
        content = json.dumps(found, ensure_ascii=False).encode()
        with _looked_at(job).open_write(key) as target:
            target.write(content)
        return hashlib.sha256(content).hexdigest()

    def finish(self, job: Job) -> None:
        workspace, result = _looked_at(job), {}
        for key in (_SPACE, _FRONTIER, _WHAT_IF):
            with workspace.open_read(key) as stream:
                result[key] = json.loads(stream.read())
        exploration_complete(_exploration(job), result=result)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        exploration_break_off(_exploration(job), code=code)

    def clean(self, job: Job) -> None:
        _looked_at(job).clear()


def _exploration(job: Job) -> Exploration:
    return Exploration.objects.select_related("project", "recipe_version", "dataset__stored").get(
        pk=job.subject_id
    )


def _looked_at(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"exploration:{job.subject_id}")
