"""What the pages of processing show of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.datasets.presentation import format_text
from projects.datasets.selectors import current_dataset
from projects.datasets.tables.selectors import named_tables, table_query
from projects.identification.selectors import verdicts_hash
from projects.jobs.models import Job

from .. import rules, wording
from ..enums import RunStatus
from ..models import RecipeVersion, Run, RunTable
from ..recipes.pages import differences, step_lines, yaml_text
from ..recipes.selectors import current_recipe, recipe_before, recipes_of
from ..recipes.sets import broken_link, content_of, part_of, tables_without_recipe
from .selectors import further_of, latest_run, run_estimate, runs_of

TONES = {
    RunStatus.RUNNING: "info",
    RunStatus.SUCCEEDED: "ok",
    RunStatus.FAILED: "fail",
    RunStatus.CANCELLED: "neutral",
}


def run_row(run: Run) -> dict[str, Any]:
    return {
        "run": run,
        "tone": TONES[RunStatus(run.status)],
        "word": run.get_status_display(),
        "took": wording.duration((run.finished_at - run.started_at).total_seconds()) if run.finished_at else "",
        "rows": count(run.result_rows) if run.result_rows is not None else "",
    }  # fmt: skip


def result_facts(run: Run) -> dict[str, Any]:
    """What came out of a succeeded run; of its first table."""
    return table_facts(run.report, run.recipe_version.first, f"{run.project.number}-R{run.number}", run)


def table_facts(
    report: Mapping[str, Any], content: Mapping[str, Any], name: str, written: Run | RunTable
) -> dict[str, Any]:
    """What came out of one table."""
    rows_in, rows_out = report["rows_in"], report["rows_out"]
    removed = [c for c in report["columns_in"] if c not in report["columns_out"]]
    stars = sum(
        step["counts"].get("rows_suppressed", 0) - step["counts"].get("rows_removed", 0) for step in report["steps"]
    )  # fmt: skip
    return {
        "rows_in": count(rows_in),
        "rows_out": count(rows_out),
        "rows_removed": count(rows_in - rows_out),
        "share_removed": percent((rows_in - rows_out) / rows_in if rows_in else 0.0),
        "rows_starred": count(stars) if stars > 0 else "",
        "columns_out": report["columns_out"],
        "columns_removed": removed,
        "columns_in_count": len(report["columns_in"]),
        "only_masks": report.get("only_masks", False),
        "versions": sorted(report["versions"].items()),
        "levels": [level for line in step_lines(content, report) for level in line.levels],
        "file_name": f"{name}.{written.result_extension}",
        "file_size": written.result.size if written.result else None,
        "format": format_text(written.result_format),
    }


def failure(run: Run, job: Job | None) -> dict[str, str] | None:
    """Why a run failed and how to go on; None unless it failed."""
    if run.status != RunStatus.FAILED:
        return None
    text = job.error_text if job else ""
    return {"text": text or _("The run failed."), "remedy": wording.run_remedy(job.error_code if job else "")}


def job_of(run: Run | None) -> Job | None:
    """The run's job while it says something that the run does not: how far it is, or why it failed."""
    if run is None or run.job_id is None or run.status not in (RunStatus.RUNNING, RunStatus.FAILED):
        return None
    return Job.objects.filter(pk=run.job_id).select_related("project", "requested_by").first()


def overview(project: Project, user: Person) -> dict[str, Any]:
    """The context of the stage page beside that of every stage."""
    recipe = current_recipe(project)
    runs = list(runs_of(project))
    newest = runs[0] if runs else None
    job = job_of(newest)
    result = latest_run(project)
    dataset = current_dataset(project)
    seconds = run_estimate(runs, dataset.rows if dataset else None)
    return {
        "recipe": recipe,
        "recipe_is_valid": recipe is not None and recipe.verdicts_hash == verdicts_hash(project),
        "steps": step_lines(recipe.first) if recipe else [],
        "dataset": dataset,
        "may_edit": rules.may_edit_recipe(user, project),
        "may_run": rules.may_run(user, project),
        "newest": newest,
        "newest_job": job,
        "newest_failure": failure(newest, job) if newest else None,
        "result": result,
        "facts": result_facts(result) if result else None,
        "estimate": wording.duration(seconds) if seconds is not None else "",
        "runs": [run_row(run) for run in runs],
        "versions": recipes_of(project).defer("content"),
    } | tables_context(project, recipe, result)


def tables_context(project: Project, recipe: RecipeVersion | None, result: Run | None) -> dict[str, Any]:
    """What the stage page shows of the tables that people tell apart by name, and of the links between them."""
    url = reverse("processing:recipe", kwargs={"project_id": project.pk})
    broken = broken_link(project, recipe) if recipe else None
    return {
        "without_recipe": tables_without_recipe(project, recipe) if recipe else [],
        "broken_link": wording.engine_text(broken) if broken is not None else "",
        "parts": [
            {
                "table": table,
                "url": url + table_query(table),
                "steps": step_lines(part) if (part := part_of(recipe, table)) else [],
            }
            for table in named_tables(project)
        ],
        "further": further_facts(result) if result else [],
        "joins": join_lines(result) if result else [],
    }


def further_facts(run: Run) -> list[dict[str, Any]]:
    """What came out of each further table of a succeeded run, and what each step did to it."""
    parts = run.recipe_version.tables
    return [
        {
            "name": one.name,
            "table": one,
            "facts": table_facts(
                one.report, parts[one.name], f"{run.project.number}-R{run.number}-{one.name}", one
            ),
            "steps": step_lines(parts[one.name], one.report),
        }
        for one in further_of(run)
        if one.result is not None
    ]


def join_lines(run: Run) -> list[dict[str, Any]]:
    """What joined before and after, for each declared link."""
    return [
        {
            "link": f"{'.'.join(one['from'])} → {'.'.join(one['to'])}",
            "rows_before": count(one["rows_before"]),
            "joined_before": count(one["rows_before"] - one["orphans_before"]),
            "rows_after": count(one["rows_after"]),
            "joined_after": count(one["rows_after"] - one["orphans_after"]),
        }
        for one in run.joins
    ]


def run_context(run: Run) -> dict[str, Any]:
    job = job_of(run)
    return {
        "run": run,
        "row": run_row(run),
        "job": job,
        "failure": failure(run, job),
        "facts": result_facts(run) if run.status == RunStatus.SUCCEEDED else None,
        "steps": step_lines(run.recipe_version.first, run.report),
        "further": further_facts(run),
        "joins": join_lines(run),
    }


def version_context(project: Project, version: RecipeVersion) -> dict[str, Any]:
    """The context of one version: its steps, its text, and what it changed."""
    before = recipe_before(version)
    return {
        "version": version,
        "before": before,
        "steps": step_lines(version.first),
        "changes": _changes(before, version) if before else [],
        "text": yaml_text(content_of(version)),
        "further_steps": [(name, step_lines(content)) for name, content in list(version.tables.items())[1:]],
        "runs": [run_row(run) for run in runs_of(project).filter(recipe_version=version)],
        "is_current": current_recipe(project) == version,
    }


def _changes(before: RecipeVersion, version: RecipeVersion) -> list[tuple[str, str, str]]:
    found = differences(before.first, version.first)
    old, new = (dict(list(one.tables.items())[1:]) for one in (before, version))
    for name in old | new:
        empty: dict[str, Any] = {"steps": []}
        lines = differences(old.get(name, empty), new.get(name, empty))
        found += [(f"{name} · {place}", was, now) for place, was, now in lines]
    return found
