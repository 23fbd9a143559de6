"""The job that measures a result; the engine is loaded in the worker only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction

from approvals.documents.models import Document
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.store.store import EncryptedWorkspace
from projects.identification.selectors import verdicts_hash
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from projects.objective.selectors import basis_hash
from projects.processing.models import Run, RunTable
from projects.processing.runs.shares import share_files_of
from techniques.core.messages import EngineError, gettext_noop

from .comparison.services import COMPARE_JOB, comparison_break_off, comparison_complete
from .documents import REPORT_KIND, SIGNED_KIND, report_document_write
from .enums import APPROVAL_JOB, MEASURE_JOB, SIGNED_JOB, TRIAL_JOB
from .gate.selectors import as_read, cases_of, links_of_run
from .models import Comparison, Trial, Verification
from .reports.comparison import CandidateResult
from .reports.gate import Measurement
from .reports.remedies import Remedies, ViewRemedies
from .services import (
    HANDS_ON,
    verification_break_off,
    verification_complete,
    verification_hand_on,
)
from .trials.services import trial_break_off, trial_complete

if TYPE_CHECKING:
    from techniques.disclosure_risk.joined import Link

    from .gate.case import Case, Table

# Items of the job, and what they leave in its workspace. Of several tables each has its own, by its number.
_MEASURE, _REMEDIES = "measurement", "remedies"
_VIEW_REMEDIES = "remedies-joined"
_CLASSES = "classes"


@job_kind(MEASURE_JOB)
class Measure(JobKind):
    """Reads the written result file anew; shares nothing with the run but the reader."""

    def __init__(self) -> None:
        self._results: tuple[str, dict[str, Table]] | None = None

    def items(self, job: Job) -> list[ItemSpec]:
        measure = ItemSpec(_MEASURE, gettext_noop("Measure the result"))
        run = _verification(job).run
        title = gettext_noop("Work out what would make it pass")
        of_table = gettext_noop("Work out what would make table “%(table)s” pass")
        joined = gettext_noop("Work out what would make the joined view pass")
        tables = _remedies_of(run)
        titles = {key: (of_table, {"table": name}) if name else (title, {}) for key, name in tables.items()}
        each = [ItemSpec(key, said, 0.5 / len(tables), params) for key, (said, params) in titles.items()]
        view = [ItemSpec(_VIEW_REMEDIES, joined, 0.2)] if run.recipe_version.references else []
        # What is handed out in shares is shown to nobody before.
        listed = [] if share_files_of(run.pk) else [ItemSpec(_CLASSES, gettext_noop("List the classes"), 0.2)]
        return [measure, *listed, *each, *view]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        tick(0.0)
        if key == _CLASSES:
            return self._list(job, tick)
        found = self._measure(job, tick) if key == _MEASURE else self._remedies(job, key, tick)
        return _workspace(job).write_json(key, found.as_json()) if found else ""

    def _measure(self, job: Job, tick: Tick) -> Measurement:
        from .gate.measurement import measure

        cases, links = self._cases(job)
        # Those of several tables would lie in memory while others are measured.
        keep = len(cases) == 1 and any(item.key == _CLASSES for item in self.items(job))
        found = measure(as_read(cases, tick), links, tick, keep_classes=keep)
        if keep:
            self._results = str(job.subject_id), {name: case.result for name, (case, _of) in cases.items()}
        return found

    def _list(self, job: Job, tick: Tick) -> str:
        from .reports.classes.listing import classes_listed

        cases, _links = self._cases(job)
        if self._results is not None and self._results[0] == str(job.subject_id):
            results = self._results[1]
            cases = {name: (replace(case, result=results[name]), of) for name, (case, of) in cases.items()}
        self._results = None
        return _workspace(job).write_json(_CLASSES, classes_listed(cases, _measured(job), tick))

    def _remedies(self, job: Job, key: str, tick: Tick) -> Remedies | ViewRemedies | None:
        """Search for remedies of the checks that failed; a result that passes needs none.

        A remedy is for one table, with the others as they are, or for the view that joins them.
        """
        from .gate.case import own_cases
        from .remedies.search import needed, work_out
        from .remedies.view_search import joined_needed, work_out_joined

        measured, name = _measured(job), _remedies_of(_verification(job).run).get(key, "")
        results, report = measured.of(name)
        is_view = key == _VIEW_REMEDIES
        if not (joined_needed(measured.checks) if is_view else needed(results)):
            return None
        read, links = self._cases(job)
        cases = {table: case for table, (case, _of) in read.items()}
        if is_view:
            return work_out_joined(cases, links, measured, tick)
        keys = {place[1] for link in links for place in (link.source, link.target) if place[0] == name}
        return work_out(own_cases(cases)[name], results, report, tick, keys=keys)

    def _cases(self, job: Job) -> tuple[dict[str, tuple[Case, RunTable]], list[Link]]:
        verification = _verification(job)
        # With the project locked nobody changes the targets or a verdict between the look and the reading.
        with transaction.atomic():
            project = project_lock(verification.project)
            require_basis(project, verification.run, verification.targets_hash)
            return cases_of(verification.run, project), links_of_run(verification.run)

    def finish(self, job: Job) -> None:
        workspace, verification = _workspace(job), _verification(job)
        measured = _measured(job)
        for key, name in _remedies_of(verification.run).items():
            if workspace.exists(key):
                measured.report.of(name).remedies = Remedies.model_validate(workspace.read_json(key))
        if workspace.exists(_VIEW_REMEDIES):
            found = workspace.read_json(_VIEW_REMEDIES)
            measured.report.view_remedies = ViewRemedies.model_validate(found)
        listed = workspace.exists(_CLASSES)
        classes = workspace.adopt(_CLASSES, purpose="classes") if listed else None
        verification = verification_complete(verification, measured, classes=classes)
        if job.params.get(HANDS_ON):
            verification_hand_on(verification)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        verification_break_off(_verification(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(job).clear()

    def leave(self) -> None:
        """No column of a result stays behind in the worker."""
        self._results = None


def _remedies_of(run: Run) -> dict[str, str]:
    """Item of the job → the table that it works the remedies out for."""
    return {
        f"{_REMEDIES}-{n}" if name else _REMEDIES: name for n, name in enumerate(run.recipe_version.tables)
    }


def _measured(job: Job) -> Measurement:
    return Measurement.model_validate(_workspace(job).read_json(_MEASURE))


class _Report(DocumentKind):
    kind: str

    def write(self, job: Job, language: str) -> Document:
        return report_document_write(_verification(job), kind=self.kind, language=language)


@job_kind(APPROVAL_JOB)
class ApprovalReport(_Report):
    """The report as it goes to senior management."""

    kind = REPORT_KIND


@job_kind(SIGNED_JOB)
class SignedReport(_Report):
    """The report with the decision in it."""

    kind = SIGNED_KIND


def require_basis(project: Project, run: Run, targets_hash: str) -> None:
    """``EngineError`` unless targets and verdicts are those that were there when the measurement was asked for.

    The job may have waited while the project went back; a measurement by other targets or verdicts must
    never count as one by these, not even when they are changed back later.
    """
    same_verdicts = run.recipe_version.verdicts_hash == verdicts_hash(project)
    if not same_verdicts or targets_hash != basis_hash(project):
        text = gettext_noop(
            "Targets or verdicts changed while the measurement waited for its turn. Measure again."
        )
        raise EngineError("verification.outdated", text)


def _verification(job: Job) -> Verification:
    found = Verification.objects.select_related("project", "run__recipe_version", "requested_by")
    return found.get(pk=job.subject_id)


def _workspace(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"verification:{job.subject_id}")


@job_kind(COMPARE_JOB)
class Compare(JobKind):
    """One item a candidate: the checks of the gate on its written result, and how much detail it keeps."""

    def items(self, job: Job) -> list[ItemSpec]:
        runs = Run.objects.filter(pk__in=_comparison(job).run_ids).order_by("number")
        title = gettext_noop("Measure run %(number)s")
        return [ItemSpec(str(run.pk), title, params={"number": run.number}) for run in runs]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .comparison.measurement import measure_candidate

        comparison = _comparison(job)
        run = Run.objects.select_related("recipe_version", "project").get(pk=key)
        with transaction.atomic():
            project = project_lock(comparison.project)
            # Every candidate is judged by the same targets and verdicts.
            require_basis(project, run, comparison.targets_hash)
            cases = cases_of(run, project)
        tick(0.0)
        found = measure_candidate(as_read(cases, tick), links_of_run(run), tick)
        found.run, found.number, found.version = key, run.number, run.recipe_version.number
        return _workspace(job).write_json(key, found.as_json())

    def finish(self, job: Job) -> None:
        comparison, workspace = _comparison(job), _workspace(job)
        candidates = [CandidateResult.model_validate(workspace.read_json(key)) for key in comparison.run_ids]
        comparison_complete(comparison, candidates=candidates)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        comparison_break_off(_comparison(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


def _comparison(job: Job) -> Comparison:
    return Comparison.objects.select_related("project", "requested_by").get(pk=job.subject_id)


@job_kind(TRIAL_JOB)
class Try(JobKind):
    """The checks of the gate on a result that is not handed over yet; remedies are searched for by a verification alone."""

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        from .gate.measurement import measure

        tick(0.0)
        trial = _trial(job)
        with transaction.atomic():
            project = project_lock(trial.project)
            require_basis(project, trial.run, trial.targets_hash)
            cases, links = cases_of(trial.run, project), links_of_run(trial.run)
        found = measure(as_read(cases, tick), links, tick)
        return _tried(job).write_json(key, found.as_json())

    def finish(self, job: Job) -> None:
        workspace = _tried(job)
        trial_complete(_trial(job), Measurement.model_validate(workspace.read_json("all")))
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        trial_break_off(_trial(job), code=code)

    def clean(self, job: Job) -> None:
        _tried(job).clear()


def _trial(job: Job) -> Trial:
    return Trial.objects.select_related("project", "run__recipe_version", "requested_by").get(
        pk=job.subject_id
    )


def _tried(job: Job) -> EncryptedWorkspace:
    return EncryptedWorkspace(f"trial:{job.subject_id}")
