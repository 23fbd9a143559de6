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
from projects.datasets.tables.names import label_of, titled
from projects.datasets.tables.selectors import table_query
from projects.identification.selectors import verdicts_hash
from projects.jobs.models import Job

from .. import rules, wording
from ..enums import RunStatus
from ..models import RecipeVersion, Run, RunTable
from ..recipes.pages import differences, preparation_facts, step_lines, yaml_text
from ..recipes.selectors import current_recipe, current_sources, recipe_before, recipes_of, without_recipe
from ..recipes.sets import content_of, title_of
from .cluster import cluster_name
from .designation.presentation import shown_of
from .findings import emptied, rows_stand_for, too_close
from .forms import RunForm
from .selectors import latest_run, results_by_table, rows_of, run_estimate, runs_of, tables_of_run

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
        "rows": count(rows_of(run)) if run.status == RunStatus.SUCCEEDED else "",
        "where": _("on the cluster %(name)s") % {"name": run.cluster} if run.cluster else "",
    }  # fmt: skip


def results(run: Run) -> list[dict[str, Any]]:
    """What the run did to each table: its steps, and once it has succeeded what came out."""
    parts = run.recipe_version.tables
    return [
        {
            "name": name,
            "table": one,
            "query": table_query(one.table),
            "facts": table_facts(one, parts[name], f"{run.project.number}-R{run.number}"),
            "steps": step_lines(parts[name], one.report),
            **preparation_facts(run.project, parts[name]),
        }
        for name, one in tables_of_run(run).items()
    ]


def table_facts(written: RunTable, content: Mapping[str, Any], stem: str) -> dict[str, Any]:
    """What came out of one table; nothing of a run that did not succeed. ``stem``: what its file is called by."""
    report = written.report
    if not report:
        return {}
    rows_in, rows_out = report["rows_in"], report["rows_out"]
    removed = [c for c in report["columns_in"] if c not in report["columns_out"]]
    stars = sum(
        step["counts"].get("rows_suppressed", 0) - step["counts"].get("rows_removed", 0) for step in report["steps"]
    )  # fmt: skip
    return {
        "rows_in": count(rows_in),
        "rows_out": count(rows_out),
        "stand_for": rows_stand_for(content["steps"]),
        "rows_removed": count(rows_in - rows_out),
        "share_removed": percent((rows_in - rows_out) / rows_in if rows_in else 0.0),
        "rows_starred": count(stars) if stars > 0 else "",
        "columns_out": report["columns_out"],
        "columns_removed": removed,
        "columns_in_count": len(report["columns_in"]),
        "emptied": [text for step in report["steps"] for text in emptied(step.get("result") or {})],
        "too_close": too_close(report),
        "only_masks": report.get("only_masks", False),
        "levels": [level for line in step_lines(content, report) for level in line.levels],
        "file_name": written.file_name(stem),
        "file_size": written.result.size if written.result else None,
        "format": format_text(written.result_format),
    }


def failure(run: Run, job: Job | None) -> dict[str, Any] | None:
    """Why a run failed, how to go on, and whether a change of the recipe may help; None unless it failed."""
    if run.status != RunStatus.FAILED:
        return None
    text, code = (job.error_text, job.error_code) if job else ("", "")
    return {
        "text": text or _("The run failed."),
        "remedy": wording.run_remedy(code),
        "of_recipe": code not in wording.ADMINISTRATORS,
    }


def job_of(run: Run | None) -> Job | None:
    """The run's job while it says something that the run does not: how far it is, or why it failed."""
    if run is None or run.job_id is None or run.status not in (RunStatus.RUNNING, RunStatus.FAILED):
        return None
    return Job.objects.filter(pk=run.job_id).select_related("project", "requested_by").first()


def overview(project: Project, user: Person) -> dict[str, Any]:
    """The context of the stage page beside that of every stage."""
    recipe, sources = current_sources(project)
    runs = list(runs_of(project))
    newest = runs[0] if runs else None
    job = job_of(newest)
    result = latest_run(project)
    seconds = run_estimate(runs, sum(one.dataset.rows or 0 for one in sources if one.dataset))
    without = without_recipe(sources) if recipe else []
    broken = recipe.broken_link() if recipe and not without else None
    url = reverse("processing:recipe", kwargs={"project_id": project.pk})
    propose = reverse("processing:propose", kwargs={"project_id": project.pk})
    return {
        "recipe": recipe,
        "title": title_of(recipe) if recipe else "",
        "recipe_is_valid": recipe is not None and recipe.verdicts_hash == verdicts_hash(project),
        "may_edit": rules.may_edit_recipe(user, project),
        "may_run": (may_run := rules.may_run(user, project)),
        **cluster_choice(recipe if may_run else None),
        "newest": newest,
        "newest_job": job,
        "newest_failure": failure(newest, job) if newest else None,
        "result": result,
        "estimate": wording.duration(seconds) if seconds is not None else "",
        "runs": [run_row(run) for run in runs],
        "versions": recipes_of(project).defer("content"),
        "without_recipe": without,
        "broken_link": wording.engine_text(broken) if broken is not None else "",
        "parts": [
            {
                "name": (name := label_of(one.table)),
                "dataset": one.dataset,
                "url": url + table_query(one.table),
                "propose": propose + table_query(one.table),
                "edit": titled(name, _("Edit the recipe") if one.recipe else _("Write the recipe")),
                "steps": step_lines(one.recipe) if one.recipe else [],
                **(preparation_facts(project, one.recipe) if one.recipe else {}),
            }
            for one in sources
        ],
        "results": results(result) if result else [],
        "joins": join_lines(result) if result else [],
    }


def cluster_choice(recipe: RecipeVersion | None) -> dict[str, Any]:
    """Where a run of ``recipe`` may take place: a form to choose by, or the reason for which there is no choice; neither where the
    deployment names no cluster."""
    if recipe is None or not (name := cluster_name()):
        return {}
    verdict = rules.cluster_suits(recipe)
    return {"run_form": RunForm(cluster=name)} if verdict else {"not_on_cluster": verdict.text}


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


def result_hash_rows(run: Run) -> list[tuple[str, str]]:
    """What each file of the result is known by."""
    return [
        (titled(name, _("SHA-256 of the result")), sha256) for name, sha256 in results_by_table(run).items()
    ]


def run_context(run: Run) -> dict[str, Any]:
    job = job_of(run)
    tables = tables_of_run(run).values()
    return {
        "run": run,
        "row": run_row(run),
        "job": job,
        "failure": failure(run, job),
        "sources": _(", ").join(one.dataset.name for one in tables),
        "results": results(run),
        "libraries": next((sorted(one.report["versions"].items()) for one in tables if one.report), []),
        "succeeded": run.status == RunStatus.SUCCEEDED,
        "joins": join_lines(run),
        "designation": shown_of(run),
    }


def version_context(project: Project, version: RecipeVersion) -> dict[str, Any]:
    """The context of one version: its steps, its text, and what it changed."""
    before = recipe_before(version)
    return {
        "version": version,
        "before": before,
        "parts": [
            {"name": name, "steps": step_lines(content), **preparation_facts(project, content)}
            for name, content in version.tables.items()
        ],
        "changes": version_changes(before, version) if before else [],
        "text": yaml_text(content_of(version)),
        "runs": [run_row(run) for run in runs_of(project).filter(recipe_version=version)],
        "is_current": current_recipe(project) == version,
    }


def version_changes(before: RecipeVersion, version: RecipeVersion) -> list[tuple[str, str, str]]:
    """(place, before, after) of everything that two versions say differently about any table."""
    # The first table keeps its place under any name.
    (first, *others), (new_first, *new_others) = before.tables, version.tables
    pairs = [(first, new_first), *((name, name) for name in dict.fromkeys([*others, *new_others]))]
    empty: dict[str, Any] = {"steps": []}
    return [
        (titled(new, place), was, now)
        for old, new in pairs
        for place, was, now in differences(before.tables.get(old, empty), version.tables.get(new, empty))
    ]
