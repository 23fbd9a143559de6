"""The job that measures a result; the engine is loaded in the worker only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from django.db import transaction

from approvals.documents.models import Document
from projects.core.models import Project
from projects.core.services import project_lock
from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace, store_open
from projects.datasets.tables.selectors import links_of, tables_of
from projects.identification.enums import ENGINE_ROLE, ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.selectors import verdicts, verdicts_hash, verdicts_of
from projects.jobs.documents import DocumentKind
from projects.jobs.models import Job
from projects.jobs.registry import ItemSpec, JobKind, Tick, job_kind
from projects.objective.selectors import basis_hash, risk_targets, utility_targets
from projects.processing.models import Run, RunTable
from projects.processing.recipes.joint import parts_of
from projects.processing.recipes.suggestion import hierarchy_of
from projects.processing.runs.shares import share_files_of
from projects.processing.selectors import further_of, run_format, run_open
from techniques.core.messages import EngineError, gettext_noop

from .comparison.services import COMPARE_JOB, comparison_break_off, comparison_complete
from .documents import REPORT_KIND, SIGNED_KIND, report_document_write
from .enums import APPROVAL_JOB, MEASURE_JOB, SIGNED_JOB
from .models import Comparison, Verification
from .services import verification_break_off, verification_complete

if TYPE_CHECKING:
    from techniques.risk.joined import Link

    from .gate.case import Case

# Items of the job, and what they leave in its workspace. Of several tables each has its own, by its number.
_MEASURE, _REMEDIES = "measurement", "remedies"
_JOINED_REMEDIES = "remedies-joined"


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
        return [measure, *each, ItemSpec(_JOINED_REMEDIES, joined, 0.2)]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        if key == _MEASURE:
            return self._measure(job, tick)
        return self._mend_joined(job, tick) if key == _JOINED_REMEDIES else self._mend(job, key, tick)

    def _measure(self, job: Job, tick: Tick) -> str:
        from .gate.gate import measure_all
        from .gate.joint import measure_joint

        verification = _verification(job)
        run = verification.run
        # With the project locked nobody changes the targets or a verdict between the look and the reading.
        with transaction.atomic():
            verification.project = project = project_lock(verification.project)
            require_basis(verification)
            cases = cases_of(run, project)
        tick(0.0)
        if run.recipe_version.joint:
            measured = {name: (case, _sha256(of, tick)) for name, (case, of) in cases.items()}
            checks, report = measure_joint(measured, links_of_run(run), tick)
        else:
            case, of = cases[""]
            checks, report = measure_all(case, _sha256(of, tick), tick)
        return _keep(job, _MEASURE, {"checks": checks, "report": report})

    def _mend(self, job: Job, key: str, tick: Tick) -> str:
        """Search for what would mend the checks that failed, if any did; a result that passes needs nothing.

        Of several tables that is one of them by itself, with the others as they are.
        """
        from .gate.joint import measured_of, own_cases
        from .remedies.search import needed, work_out

        tick(0.0)
        verification = _verification(job)
        name = _remedies_of(verification.run)[key]
        measured = measured_of(_kept(job, _MEASURE), name)
        if not needed(measured["checks"]):
            return ""
        cases = self._cases(verification)
        links = links_of_run(verification.run) if name else []
        keys = {place[1] for link in links for place in (link.source, link.target) if place[0] == name}
        return _keep(job, key, work_out(own_cases(cases)[name], measured, tick, keys=keys))

    def _mend_joined(self, job: Job, tick: Tick) -> str:
        """The same for the view that joins the tables, where that failed."""
        from .remedies.joined_search import joined_needed, work_out_joined

        tick(0.0)
        measured = _kept(job, _MEASURE)
        if not joined_needed(measured["checks"]):
            return ""
        verification = _verification(job)
        cases = self._cases(verification)
        found = work_out_joined(cases, links_of_run(verification.run), measured, tick)
        return _keep(job, _JOINED_REMEDIES, found)

    def _cases(self, verification: Verification) -> dict[str, tuple[Case, Run | RunTable]]:
        with transaction.atomic():
            verification.project = project = project_lock(verification.project)
            require_basis(verification)
            return cases_of(verification.run, project)

    def finish(self, job: Job) -> None:
        workspace, verification = _workspace(job), _verification(job)
        content = _kept(job, _MEASURE)
        report = content["report"]
        for key, name in _remedies_of(verification.run).items():
            if workspace.exists(key):
                report.get("tables", {}).get(name, report)["remedies"] = _kept(job, key)
        if workspace.exists(_JOINED_REMEDIES):
            report["joined_remedies"] = _kept(job, _JOINED_REMEDIES)
        verification_complete(verification, checks=content["checks"], report=report)
        workspace.clear()

    def failed(self, job: Job, error: EngineError | None) -> None:
        verification_break_off(_verification(job), code=error.code if error else "internal")

    def cancelled(self, job: Job) -> None:
        verification_break_off(_verification(job), code="cancelled")

    def clean(self, job: Job) -> None:
        _workspace(job).clear()


def _remedies_of(run: Run) -> dict[str, str]:
    """Item of the job → the table that it works the remedies out for; a single table has no name."""
    tables = {f"{_REMEDIES}-{n}": name for n, name in enumerate(parts_of(run.recipe_version))}
    return tables or {_REMEDIES: ""}


def case_of(run: Run, project: Project) -> Case:
    """What the gate judges about ``run``, by the targets and verdicts as they are now; the caller holds the lock.

    Of several tables it is the main one's; :func:`cases_of` has all of them.
    """
    return table_case(project, run, run.recipe_version.content, verdicts(project), project.number)


def table_case(
    project: Project, of: Run | RunTable, recipe: Any, given: Mapping[str, ColumnVerdict], name: str
) -> Case:
    """What is judged about the file that ``of`` wrote by ``recipe``; ``name`` is that of the file, without its ending."""
    from techniques.core.attributes import AttributeRole
    from techniques.engines.reporting import sampling_fraction
    from techniques.recipe.recipe import Recipe

    from .gate.case import Case, Table
    from .gate.sampling import rows_left_out

    dataset = of.dataset
    return Case(
        source=Table(lambda: dataset_open(dataset), dataset_format(dataset), dataset.rows or 0),
        result=Table(lambda: run_open(of), run_format(of), of.result_rows or 0, frozenset(dataset.columns)),
        recipe=Recipe.from_data(recipe),
        roles={
            column: AttributeRole(ENGINE_ROLE[ColumnRole(verdict.role)]) for column, verdict in given.items()
        },
        risk=risk_targets(project),
        utility=utility_targets(project),
        file_name=f"{name}.{of.result_extension}",
        result_sha256=of.result_sha256,
        rows_in=dataset.rows or 0,
        sharing_type=project.sharing_type,
        sampling_fraction=sampling_fraction(of.report),
        rows_not_drawn=rows_left_out(of.report),
        assessment=_assessment(project),
        hierarchies={
            column: hierarchy_of(verdict)
            for column, verdict in given.items()
            if verdict.role == ColumnRole.QUASI
        },
    )


def _assessment(project: Project) -> dict[str, Any] | None:
    """What the newest assessment of the surroundings found, with its number."""
    from projects.objective.surroundings.context import assessments_of

    newest = assessments_of(project).first()
    return None if newest is None else {"number": newest.number, **newest.finding}


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


def cases_of(run: Run, project: Project) -> dict[str, tuple[Case, Run | RunTable]]:
    """By the name of the table ("" for a single one, the main one first): what is judged, and who wrote it."""
    if not run.recipe_version.joint:
        return {"": (case_of(run, project), run)}
    of_project = {table.name: table for table in tables_of(project)}
    parts = parts_of(run.recipe_version)
    name = run.recipe_version.joint["main"]
    cases: dict[str, tuple[Case, Run | RunTable]] = {name: (case_of(run, project), run)}
    for one in further_of(run):
        if one.name not in of_project:
            # The main table's verdicts would say nothing about the columns of another one.
            raise EngineError(
                "verification.table_removed",
                gettext_noop(
                    "Table “%(table)s” of this run is no longer a table of the project. Run the recipe again."
                ),
                table=one.name,
            )
        given = verdicts_of(of_project[one.name])
        cases[one.name] = (
            table_case(project, one, parts[one.name], given, f"{project.number}-{one.name}"),
            one,
        )
    return cases


def links_of_run(run: Run) -> list[Link]:
    """The links that the recipe was written for, and whose values stand for persons."""
    from techniques.risk.joined import Link

    of_person = {
        (link.source.name, link.source_column, link.target.name, link.target_column): link.of_person
        for link in links_of(run.project)
    }
    return [
        Link(tuple(one["from"]), tuple(one["to"]), person=of_person.get((*one["from"], *one["to"]), True))
        for one in run.recipe_version.joint["references"]
    ]


def _keep(job: Job, name: str, content: dict[str, Any]) -> str:
    """Leave an item's outcome in the workspace; returns its hash."""
    written = json.dumps(content, ensure_ascii=False).encode()
    with _workspace(job).open_write(name) as target:
        target.write(written)
    return hashlib.sha256(written).hexdigest()


def _kept(job: Job, name: str) -> dict[str, Any]:
    with _workspace(job).open_read(name) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found


def _sha256(run: Run | RunTable, tick: Tick) -> str:
    """Of the stored result; "" where it, or the file of any holder of shares, is not what was written."""
    try:
        for share in share_files_of(run.pk) if isinstance(run, Run) else ():
            with store_open(share.stored) as stream:
                if share.sha256 != share.stored.sha256 or share.sha256 != _digest(stream, tick):
                    return ""
        with run_open(run) as stream:
            return _digest(stream, tick)
    except EngineError:
        # The store found its own bytes altered: the integrity check says so.
        return ""


def _digest(stream: BinaryIO, tick: Tick) -> str:
    digest = hashlib.sha256()
    while block := stream.read(1 << 20):
        digest.update(block)
        tick(0.0)
    return digest.hexdigest()


def _verification(job: Job) -> Verification:
    return Verification.objects.select_related(
        "project", "run__recipe_version", "run__dataset__stored", "run__result", "requested_by"
    ).get(pk=job.subject_id)


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
        from .comparison.measurement import measure_candidate, measure_joint_candidate

        comparison = _comparison(job)
        run = Run.objects.select_related("recipe_version", "dataset__stored", "result", "project").get(pk=key)
        with transaction.atomic():
            project = project_lock(comparison.project)
            _require_same(comparison, project, run)
            cases = cases_of(run, project)
        tick(0.0)
        measured = {name: (case, _sha256(of, tick)) for name, (case, of) in cases.items()}
        if run.recipe_version.joint:
            found = measure_joint_candidate(measured, links_of_run(run), tick)
        else:
            found = measure_candidate(*measured[""], tick)
        about = {"run": key, "number": run.number, "version": run.recipe_version.number}
        return _keep(job, key, about | found)

    def finish(self, job: Job) -> None:
        comparison, workspace = _comparison(job), _workspace(job)
        comparison_complete(comparison, results=[_kept(job, key) for key in comparison.run_ids])
        workspace.clear()

    def failed(self, job: Job, error: EngineError | None) -> None:
        comparison_break_off(_comparison(job), code=error.code if error else "internal")

    def cancelled(self, job: Job) -> None:
        comparison_break_off(_comparison(job), code="cancelled")

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
