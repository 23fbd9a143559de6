"""The job that measures a result; the engine is loaded in the worker only."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

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
from techniques.core.messages import EngineError, gettext_noop

from .comparison.report import CandidateResult
from .comparison.services import COMPARE_JOB, comparison_break_off, comparison_complete
from .documents import REPORT_KIND, SIGNED_KIND, report_document_write
from .enums import APPROVAL_JOB, MEASURE_JOB, SIGNED_JOB
from .gate.report import Measurement
from .gate.selectors import as_read, cases_of, links_of_run
from .models import Comparison, Verification
from .remedies.report import Remedies, ViewRemedies
from .services import verification_break_off, verification_complete
from .stored import Stored

if TYPE_CHECKING:
    from .gate.case import Case

# Items of the job, and what they leave in its workspace. Of several tables each has its own, by its number.
_MEASURE, _REMEDIES = "measurement", "remedies"
_VIEW_REMEDIES = "remedies-joined"


@job_kind(MEASURE_JOB)
class Measure(JobKind):
    """Reads the written result file anew; shares nothing with the run but the reader."""

    def items(self, job: Job) -> list[ItemSpec]:
        measure = ItemSpec(_MEASURE, gettext_noop("Measure the result"))
        tables = _remedies_of(_verification(job).run)
        if _REMEDIES in tables:
            return [measure, ItemSpec(_REMEDIES, gettext_noop("Work out what would make it pass"), 0.5)]
        title = gettext_noop("Work out what would make table “%(table)s” pass")
        joined = gettext_noop("Work out what would make the joined view pass")
        each = [ItemSpec(key, title, 0.5 / len(tables), {"table": name}) for key, name in tables.items()]
        return [measure, *each, ItemSpec(_VIEW_REMEDIES, joined, 0.2)]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        if key == _MEASURE:
            return self._measure(job, tick)
        return self._view_remedies(job, tick) if key == _VIEW_REMEDIES else self._remedies(job, key, tick)

    def _measure(self, job: Job, tick: Tick) -> str:
        from .gate.measurement import measure

        verification = _verification(job)
        cases = self._cases(verification)
        tick(0.0)
        measured = measure(as_read(cases, tick), links_of_run(verification.run), tick)
        return _keep(job, _MEASURE, measured)

    def _remedies(self, job: Job, key: str, tick: Tick) -> str:
        """Search for remedies of the checks that failed; a result that passes needs none.

        A remedy is for one table, with the others as they are.
        """
        from .gate.case import own_cases
        from .remedies.search import needed, work_out

        tick(0.0)
        verification = _verification(job)
        name = _remedies_of(verification.run)[key]
        results, report = _measured(job).of(name)
        if not needed(results):
            return ""
        cases = {table: case for table, (case, _of) in self._cases(verification).items()}
        links = links_of_run(verification.run)
        keys = {place[1] for link in links for place in (link.source, link.target) if place[0] == name}
        return _keep(job, key, work_out(own_cases(cases)[name], results, report, tick, keys=keys))

    def _view_remedies(self, job: Job, tick: Tick) -> str:
        """The same for the view that joins the tables, where that failed."""
        from .remedies.view_search import joined_needed, work_out_joined

        tick(0.0)
        measured = _measured(job)
        if not joined_needed(measured.checks):
            return ""
        verification = _verification(job)
        cases = {table: case for table, (case, _of) in self._cases(verification).items()}
        found = work_out_joined(cases, links_of_run(verification.run), measured, tick)
        return _keep(job, _VIEW_REMEDIES, found)

    def _cases(self, verification: Verification) -> dict[str, tuple[Case, RunTable]]:
        # With the project locked nobody changes the targets or a verdict between the look and the reading.
        with transaction.atomic():
            verification.project = project = project_lock(verification.project)
            require_basis(verification)
            return cases_of(verification.run, project)

    def finish(self, job: Job) -> None:
        workspace, verification = _workspace(job), _verification(job)
        measured = _measured(job)
        for key, name in _remedies_of(verification.run).items():
            if workspace.exists(key):
                measured.report.of(name).remedies = Remedies.model_validate(_kept(job, key))
        if workspace.exists(_VIEW_REMEDIES):
            measured.report.view_remedies = ViewRemedies.model_validate(_kept(job, _VIEW_REMEDIES))
        verification_complete(verification, measured)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        verification_break_off(_verification(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


def _remedies_of(run: Run) -> dict[str, str]:
    """Item of the job → the table that it works the remedies out for."""
    return {
        f"{_REMEDIES}-{n}" if name else _REMEDIES: name for n, name in enumerate(run.recipe_version.tables)
    }


def _measured(job: Job) -> Measurement:
    return Measurement.model_validate(_kept(job, _MEASURE))


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


def require_basis(verification: Verification) -> None:
    """``EngineError`` unless targets and verdicts are those that were there when the measurement was asked for.

    The job may have waited while the project went back; a measurement by other targets or verdicts must
    never count as one by these, not even when they are changed back later.
    """
    project = verification.project
    same_verdicts = verification.run.recipe_version.verdicts_hash == verdicts_hash(project)
    if not same_verdicts or verification.targets_hash != basis_hash(project):
        raise EngineError(
            "verification.outdated",
            gettext_noop(
                "Targets or verdicts changed while the measurement waited for its turn. Measure again."
            ),
        )


def _keep(job: Job, name: str, content: Stored) -> str:
    """Leave an item's outcome in the workspace; returns its hash."""
    written = json.dumps(content.as_json(), ensure_ascii=False).encode()
    with _workspace(job).open_write(name) as target:
        target.write(written)
    return hashlib.sha256(written).hexdigest()


def _kept(job: Job, name: str) -> dict[str, Any]:
    with _workspace(job).open_read(name) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found


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
            _require_same(comparison, project, run)
            cases = cases_of(run, project)
        tick(0.0)
        found = measure_candidate(as_read(cases, tick), links_of_run(run), tick)
        found.run, found.number, found.version = key, run.number, run.recipe_version.number
        return _keep(job, key, found)

    def finish(self, job: Job) -> None:
        comparison, workspace = _comparison(job), _workspace(job)
        candidates = [CandidateResult.model_validate(_kept(job, key)) for key in comparison.run_ids]
        comparison_complete(comparison, candidates=candidates)
        workspace.clear()

    def broken_off(self, job: Job, code: str) -> None:
        comparison_break_off(_comparison(job), code=code)

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


def _comparison(job: Job) -> Comparison:
    return Comparison.objects.select_related("project", "requested_by").get(pk=job.subject_id)


def _require_same(comparison: Comparison, project: Project, run: Run) -> None:
    """Every candidate is judged by the same targets and verdicts, which are those that were asked for."""
    same_verdicts = run.recipe_version.verdicts_hash == verdicts_hash(project)
    if not same_verdicts or comparison.targets_hash != basis_hash(project):
        raise EngineError(
            "verification.outdated",
            gettext_noop(
                "Targets or verdicts changed while the measurement waited for its turn. Measure again."
            ),
        )
