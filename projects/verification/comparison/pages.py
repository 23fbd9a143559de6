"""What the page of candidates and the approval report show of a comparison; words and order, no decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import count, percent, probability
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.processing.models import RecipeVersion, Run
from projects.processing.recipes.objections import recipe_objections
from projects.processing.recipes.policy import national_only
from projects.processing.runs.selectors import latest_run, rows_of

from ..gate.check import label_of
from ..models import Comparison, Verification
from ..reports.comparison import CandidateResult, TableFigures
from .selectors import candidate_runs, comparisons_of, may_choose, may_compare

HISTORY = 10


@dataclass(frozen=True)
class Row:
    run_id: str
    name: str
    version: int
    note: str
    passed: bool
    failed: list[str]
    risk: str
    smallest: str
    average: str
    suppressed: str
    detail: str
    is_chosen: bool
    stopped: str


def shown(
    comparison: Comparison, notes: Mapping[str, str] | None = None, stopped: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Chart and table of a measured comparison. ``notes``: run → what its recipe version says of itself; ``stopped``:
    run → why the policy about cryptography does not let it go forward."""
    rows, points, threshold = [], [], None
    candidates = comparison.candidates
    for one in candidates:
        figures, chosen = one.figures, one.run == str(comparison.chosen_run_id)
        name = _("Run %(number)s") % {"number": one.number}
        threshold = figures.threshold
        rows.append(
            Row(
                run_id=one.run,
                name=name,
                version=one.version,
                note=(notes or {}).get(one.run, ""),
                passed=one.passed,
                failed=[label_of(result) for result in one.checks if result.passed is not True],
                is_chosen=chosen,
                stopped=(stopped or {}).get(one.run, ""),
                **_said(figures),
            )
        )
        if figures.overall is not None and figures.detail_mean is not None:
            points.append((name, figures.overall, figures.detail_mean, one.passed, chosen))
    columns = list(candidates[0].figures.detail) if candidates else []
    return {
        "comparison": comparison,
        "rows": rows,
        "points": points,
        "threshold": threshold,
        "detail_rows": [
            (column, [_share(one.figures.detail.get(column)) for one in candidates]) for column in columns
        ],
        "by_table": _by_table(candidates),
        "several": _several(candidates),
        "caption": _caption(candidates),
    }


def _by_table(candidates: Sequence[CandidateResult]) -> list[dict[str, Any]]:
    """The figures of each table and of the view that joins them, candidate by candidate."""
    rows: list[dict[str, Any]] = []
    for one in candidates:
        if one.figures.tables:
            name = {"candidate": _("Run %(number)s") % {"number": one.number}}
            rows += [name | {"table": table} | _said(found) for table, found in one.figures.tables.items()]
            rows.append(name | {"joined": True, "smallest": count(one.figures.joined_k or 0)})
    # What is to be compared stands side by side.
    places = list(dict.fromkeys(row.get("table", "") for row in rows))
    return sorted(rows, key=lambda row: places.index(row.get("table", "")))


def _several(candidates: Sequence[CandidateResult]) -> str:
    """What the figures of candidates over several tables are about; empty of a single one."""
    if not candidates or not candidates[0].figures.tables:
        return ""
    said = _(
        "There are several tables. The smallest class is that of the worst table or of the view that joins them, whichever "
        "is smaller; average risk and suppression are those of the worst table, and detail kept is the mean over the "
        "columns of all."
    )
    if candidates[0].figures.view_in_overall:
        return f"{said} " + _("The overall risk is the higher of the worst table's and the joined view's.")
    return f"{said} " + _(
        "The overall risk is based on the average, which is not measured for the joined view, so it "
        "is that of the worst table. A candidate whose joined view is too fine does not meet every "
        "target, wherever its point is."
    )


def _said(figures: TableFigures) -> dict[str, str]:
    return {
        "risk": _risk(figures.overall),
        "smallest": count(figures.k) if figures.k else "",
        "average": _risk(figures.average_risk),
        "suppressed": _share(figures.suppressed),
        "detail": _share(figures.detail_mean),
    }


def _risk(value: float | None) -> str:
    return "" if value is None else probability(value)


def _share(value: float | None) -> str:
    return "" if value is None else percent(value)


def _caption(candidates: Sequence[CandidateResult]) -> str:
    good = [one for one in candidates if one.passed]
    if not good:
        return _("None of the candidates meets every target.")
    best = max(good, key=lambda one: one.figures.detail_mean or 0.0)
    if best.figures.detail_mean is None:
        return _("It was not measured how much detail is kept by the candidates that meet every target.")
    return _(
        "Of the candidates that meet every target, none keeps more detail than run %(run)s: %(detail)s."
    ) % {
        "run": best.number,
        "detail": _share(best.figures.detail_mean),
    }


def overview(project: Project, user: Person) -> dict[str, Any]:
    """The page: candidates to tick, the newest comparison, and earlier ones."""
    runs = candidate_runs(project)
    found = list(comparisons_of(project)[: HISTORY + 1])
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    measured = next((one for one in found if one.measured_at is not None), None)
    notes = {str(run.pk): run.recipe_version.note for run in runs}
    return {
        "runs": [_candidate(run) for run in runs],
        "may_compare": may_compare(user, project, len(runs)),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "shown": shown(measured, notes, _stopped(runs)) if measured else None,
        "goes_on": _goes_on(project, measured),
        "may_choose": may_choose(user, measured) if measured else None,
        "earlier": [one for one in found if one.chosen_run_id and one is not measured],
    }


def _stopped(runs: list[Run]) -> dict[str, str]:
    """Run → why the policy that holds now stops its recipe; the recipes are read only where there is a policy."""
    if not national_only():
        return {}
    versions = RecipeVersion.objects.in_bulk([run.recipe_version_id for run in runs])
    return {
        str(run.pk): passage(recipe_objections(versions[run.recipe_version_id]))
        for run in runs
        if run.recipe_version_id in versions
    }


def _goes_on(project: Project, comparison: Comparison | None) -> Run | None:
    """The run of the chosen candidate's recipe that is the current result, where the recipe had to run again."""
    chosen, latest = comparison.chosen_run if comparison else None, latest_run(project)
    if chosen is None or latest is None or latest == chosen:
        return None
    same = latest.recipe_version.content_hash == chosen.recipe_version.content_hash
    return latest if same else None


def _candidate(run: Run) -> dict[str, Any]:
    return {"run": run, "rows": count(rows_of(run)), "version": run.recipe_version}


def behind(verification: Verification) -> dict[str, Any] | None:
    """The comparison from which the recipe of this verification went forward, for the report; None without one."""
    wanted = verification.run.recipe_version.content_hash
    about = comparisons_of(verification.project).filter(
        chosen_run__recipe_version__content_hash=wanted, requested_at__lte=verification.requested_at
    )
    found = about.first()
    return shown(found) if found else None
