"""The job that runs a recipe; the engine is loaded in the worker only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from approvals.documents.models import Document
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from techniques.core.messages import EngineError, gettext_noop
from techniques.recipe.recipe import Recipe

from .editor.whole.services import WHOLE_JOB, columns_of, preview_break_off, preview_complete
from .enums import RunStatus
from .models import (
    Exploration,
    Forecast,
    LevelAnswers,
    LevelCount,
    LoadMeasurement,
    Proposal,
    Run,
    WholePreview,
)
from .recipes.forecast.services import FORECAST_JOB, forecast_break_off, forecast_complete
from .recipes.levels.joining import JOIN_JOB, answers_break_off, answers_joined
from .recipes.levels.services import COUNT_JOB, count_break_off, count_complete
from .recipes.load.services import LOAD_JOB, load_break_off, load_complete
from .recipes.proposal.services import PROPOSE_JOB, proposal_break_off, proposal_complete
from .runs import documents, execution, shares
from .runs.cluster import Connection
from .runs.keys import secrets_of
from .runs.services import RUN_JOB, run_end_without_result
from .solutions.services import EXPLORE_JOB, exploration_break_off, exploration_complete

if TYPE_CHECKING:
    from techniques.engines.joint import JointRun


@job_kind(RUN_JOB)
class RecipeRun(JobKind):
    """The engine's items are the job's items; what they leave lies encrypted in the run's workspace."""

    def __init__(self) -> None:
        self._last: tuple[str, JointRun] | None = None
        self._connection = Connection()

    def items(self, job: Job) -> list[ItemSpec]:
        return execution.run_items(self._engine(_run(job)))

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        run = _run(job)
        return execution.run_item(run, self._engine(run), key, tick)

    def finish(self, job: Job) -> None:
        run = _run(job)
        execution.run_finish(run, self._engine(run))

    def failed(self, job: Job, error: EngineError | None) -> None:
        code = error.code if error else "internal"
        run_end_without_result(_run(job), status=RunStatus.FAILED, code=code)

    def cancelled(self, job: Job) -> None:
        run_end_without_result(_run(job), status=RunStatus.CANCELLED)

    def clean(self, job: Job) -> None:
        run = _run(job)
        for workspace in execution.workspaces(run).values():
            workspace.clear()
        shares.shares_clean(run)

    def leave(self) -> None:
        """Neither keys nor rows of a run stay behind in the worker, nor on a cluster."""
        self._last = None
        self._connection.close()

    def _engine(self, run: Run) -> JointRun:
        """The engine's view of this run; kept between items, so that keys are fetched (and audited) once."""
        if self._last is None or self._last[0] != str(run.pk):
            secrets = secrets_of(run, run.recipe_version.as_set().purposes())
            self._last = (str(run.pk), execution.engine_of(run, secrets, self._connection))
        return self._last[1]


def _run(job: Job) -> Run:
    return Run.objects.select_related("recipe_version", "project", "key", "seed").get(pk=job.subject_id)


@job_kind(documents.REPORT_JOB)
class ReportPdf(DocumentKind):
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
        recipe = Recipe.from_data(exploration.recipe_version.part_of(dataset.table))
        tick(0.0)
        with dataset_open(dataset) as stream:
            look = {_SPACE: space_of, _FRONTIER: frontier_of, _WHAT_IF: what_if_of}[key]
            found = look(recipe, stream, dataset_format(dataset), tick)
        return _looked_at(job).write_json(key, found)

    def finish(self, job: Job) -> None:
        workspace = _looked_at(job)
        result = {key: workspace.read_json(key) for key in (_SPACE, _FRONTIER, _WHAT_IF)}
        exploration_complete(_exploration(job), result=result)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        exploration_break_off(_exploration(job), code=code)

    def clean(self, job: Job) -> None:
        _looked_at(job).clear()


def _exploration(job: Job) -> Exploration:
    found = Exploration.objects.select_related(
        "project", "recipe_version", "dataset__stored", "dataset__table"
    )
    return found.get(pk=job.subject_id)


def _looked_at(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"exploration:{job.subject_id}")


_SOURCE = "source"


@job_kind(FORECAST_JOB)
class MeasurePlanned(JobKind):
    """The source, then the table as it is after each step, with all steps before it; none of it is kept."""

    def items(self, job: Job) -> list[ItemSpec]:
        forecast = _forecast(job)
        recipe = Recipe.from_data(forecast.recipe_version.part_of(forecast.dataset.table))
        title = gettext_noop("Steps up to %(number)d, %(technique)s: carry out and measure")
        return [
            ItemSpec(_SOURCE, gettext_noop("Measure the source")),
            *(
                ItemSpec(str(number), title, 1.0 + number, {"number": number, "technique": step.spec.name})
                for number, step in enumerate(recipe.steps, start=1)
            ),
        ]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .recipes.forecast.measurement import risk_after, risk_of_source

        forecast = _forecast(job)
        tick(0.0)
        if key == _SOURCE:
            return _forecasts(job).write_json(key, risk_of_source(forecast))
        place = _forecasts(job, f":{key}")
        try:
            return _forecasts(job).write_json(key, risk_after(forecast, int(key), place, tick))
        finally:
            # The beginning of the recipe left raw data there.
            place.clear()

    def finish(self, job: Job) -> None:
        workspace = _forecasts(job)
        steps = sorted((name for name in workspace.names() if name != _SOURCE), key=int)
        result = {
            _SOURCE: workspace.read_json(_SOURCE),
            "steps": [workspace.read_json(name) for name in steps],
        }
        forecast_complete(_forecast(job), result=result)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        forecast_break_off(_forecast(job), code=code)

    def clean(self, job: Job) -> None:
        _forecasts(job).clear()
        for item in job.items.all():
            _forecasts(job, f":{item.key}").clear()


def _forecast(job: Job) -> Forecast:
    found = Forecast.objects.select_related("project", "recipe_version", "dataset__stored", "dataset__table")
    return found.get(pk=job.subject_id)


def _forecasts(job: Job, place: str = "") -> EncryptedWorkspace:
    """Where the figures lie until all are there, or with a ``place`` what the steps up to one make."""
    return EncryptedWorkspace(f"forecast:{job.subject_id}{place}")


@job_kind(LOAD_JOB)
class MeasureLoad(JobKind):
    """A recipe on a sample and on a quarter of it; figures are kept, and nothing of the data."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .recipes.load.measurement import loads_of

        place, run_place = _loading(job, ":sample"), _loading(job, ":run")
        return _loading(job).write_json(key, loads_of(_load_measurement(job), place, run_place, tick))

    def finish(self, job: Job) -> None:
        workspace = _loading(job)
        load_complete(_load_measurement(job), result=workspace.read_json("all"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        load_break_off(_load_measurement(job), code=code)

    def clean(self, job: Job) -> None:
        for place in ("", ":sample", ":run"):
            _loading(job, place).clear()


def _load_measurement(job: Job) -> LoadMeasurement:
    found = LoadMeasurement.objects.select_related(
        "project", "recipe_version", "dataset__stored", "dataset__table"
    )
    return found.get(pk=job.subject_id)


def _loading(job: Job, place: str = "") -> EncryptedWorkspace:
    """Where the figures lie until the job ends, or with a ``place`` a sample and what a run on it makes."""
    return EncryptedWorkspace(f"load:{job.subject_id}{place}")


@job_kind(COUNT_JOB)
class CountLevels(JobKind):
    """How many ask for which protection level, with which value."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .recipes.levels.measurement import levels_of

        tick(0.0)
        return _counting(job).write_json(key, levels_of(_level_count(job), tick))

    def finish(self, job: Job) -> None:
        workspace = _counting(job)
        count_complete(_level_count(job), result=workspace.read_json("all"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        count_break_off(_level_count(job), code=code)

    def clean(self, job: Job) -> None:
        _counting(job).clear()


def _level_count(job: Job) -> LevelCount:
    found = LevelCount.objects.select_related("project", "dataset__stored", "dataset__table")
    return found.get(pk=job.subject_id)


def _counting(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"levels:{job.subject_id}")


_COUNTS = "counts"


@job_kind(JOIN_JOB)
class JoinLevels(JobKind):
    """Answers of the form are joined to the data, which become a new data set."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .recipes.levels.measurement import joined

        workspace = _joining(job)
        workspace.clear()
        return workspace.write_json(_COUNTS, joined(_level_answers(job), workspace, tick))

    def finish(self, job: Job) -> None:
        workspace = _joining(job)
        answers_joined(_level_answers(job), workspace=workspace, result=workspace.read_json(_COUNTS))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        answers_break_off(_level_answers(job), code=code)

    def clean(self, job: Job) -> None:
        _joining(job).clear()


def _level_answers(job: Job) -> LevelAnswers:
    found = LevelAnswers.objects.select_related(
        "project", "dataset__stored", "dataset__table", "stored", "requested_by"
    )
    return found.get(pk=job.subject_id)


def _joining(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"answers:{job.subject_id}")


@job_kind(PROPOSE_JOB)
class Propose(JobKind):
    """The suggestion carried out on the whole table, and other ways to its target where it empties columns."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .recipes.proposal.measurement import outcome_of

        tick(0.0)
        return _proposing(job).write_json(key, outcome_of(_proposal(job), _proposing(job, ":run"), tick))

    def finish(self, job: Job) -> None:
        workspace = _proposing(job)
        proposal_complete(_proposal(job), result=workspace.read_json("all"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        proposal_break_off(_proposal(job), code=code)

    def clean(self, job: Job) -> None:
        for place in ("", ":run"):
            _proposing(job, place).clear()


def _proposal(job: Job) -> Proposal:
    found = Proposal.objects.select_related("project", "dataset__stored", "dataset__table")
    return found.get(pk=job.subject_id)


def _proposing(job: Job, place: str = "") -> EncryptedWorkspace:
    """Where the outcome lies until the job ends, or with a ``place`` what one way makes."""
    return EncryptedWorkspace(f"proposal:{job.subject_id}{place}")


_FIGURES, _SHOWN = "figures", "shown"


@job_kind(WHOLE_JOB)
class PreviewWhole(JobKind):
    """The recipe of a draft on the whole table: figures and a few masked rows stay, and nothing else."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .editor.whole.measurement import measured

        preview, place = _whole_preview(job), _previewing(job, ":run")
        tick(0.0)
        place.clear()
        try:
            figures, shown = measured(preview, columns_of(preview.dataset), place, tick)
        finally:
            # The run leaves raw data there.
            place.clear()
        workspace = _previewing(job)
        workspace.write_json(_SHOWN, shown)
        return workspace.write_json(_FIGURES, figures)

    def finish(self, job: Job) -> None:
        workspace = _previewing(job)
        figures = workspace.read_json(_FIGURES)
        preview_complete(_whole_preview(job), result=figures, rows=workspace.adopt(_SHOWN, "preview"))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        preview_break_off(_whole_preview(job), code=code)

    def clean(self, job: Job) -> None:
        _previewing(job).clear()
        _previewing(job, ":run").clear()


def _whole_preview(job: Job) -> WholePreview:
    found = WholePreview.objects.select_related("project", "dataset__stored", "dataset__table")
    return found.get(pk=job.subject_id)


def _previewing(job: Job, place: str = "") -> EncryptedWorkspace:
    """Where figures and shown rows lie until the job ends, or with a ``place`` what the run makes."""
    return EncryptedWorkspace(f"preview:{job.subject_id}{place}")
