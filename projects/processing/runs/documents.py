"""The processing report as a PDF, made by a job when the processing is submitted (5.6.1)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.numbers import count
from projects.core.returns import justifications_in, justified_rows
from projects.datasets.tables.names import titled
from projects.identification.documents import set_aside
from projects.jobs.documents import Paper, cover_facts, document_start, document_write, stage_signers
from projects.jobs.models import Job
from projects.workflow import Stage
from techniques.core.messages import gettext_noop

from ..models import Run
from ..recipes.selectors import recipes_of
from ..solutions.pages import frontiers_of
from .designation.presentation import designation_rows
from .findings import emptied
from .pages import run_context, run_row
from .selectors import latest_run, run_subject, runs_of, tables_of_run

REPORT = "processing_report"
REPORT_JOB = "processing.report_pdf"


def report_start(project: Project, *, by: Person) -> Job | None:
    """Have the report of the current result printed in every language, unless that is done or under way."""
    run = latest_run(project)
    if run is None:
        return None
    title = gettext_noop("Print the processing report")
    return document_start(
        REPORT_JOB, project=project, kind=REPORT, about=run_subject(run), title=title, by=by
    )


def report_context(project: Project, run: Run) -> dict[str, Any]:
    """What the page and the document of the report both show."""
    return {
        "project": project,
        "version": run.recipe_version,
        "versions": list(recipes_of(project).defer("content")),
        "runs": [run_row(one) for one in runs_of(project)],
    } | run_context(run)


def report_write(run: Run, language: str, *, by: Person) -> Document:
    """Make and keep the PDF in ``language``."""
    project, subject = run.project, run_subject(run)

    def paper() -> Paper:
        title = _("Processing report")
        head = DocumentHead(
            number=f"{project.number}-R{run.number}",
            title=title,
            subtitle=project.title,
            content_hash=subject.hash,
            made_at=run.finished_at or run.started_at,
            project=str(project),
        )
        context = report_context(project, run)
        context["frontiers"] = frontiers_of(run.recipe_version)
        context["justified"] = justified_rows(justifications_in(project, Stage.PROCESSING))
        context["signers"] = stage_signers(project, by=by)
        context |= _page_one(project, run)
        return Paper(head, f"{title} · {project.title}", "processing/report_document.html", context)

    return document_write(project, kind=REPORT, about=subject, language=language, paper=paper, by=by)


def _page_one(project: Project, run: Run) -> dict[str, Any]:
    """The cover: which columns go out, what was left out, and what a manager would be surprised by later."""
    brief = [*cover_facts(project), *designation_rows(run)]
    weigh = set_aside(project)
    for name, written in tables_of_run(run).items():
        report = written.report
        gone = [column for column in report["columns_in"] if column not in report["columns_out"]]
        rows = _("%(out)s of %(all)s") % {"out": count(report["rows_out"]), "all": count(report["rows_in"])}
        brief += [
            (titled(name, _("Columns released")), _(", ").join(report["columns_out"])),
            (titled(name, _("Removed columns")), _(", ").join(gone) or "–"),
            (titled(name, _("Rows in the result")), rows),
        ]
        weigh += [
            titled(name, said) for step in report["steps"] for said in emptied(step.get("result") or {})
        ]
        if report.get("only_masks", False):
            weigh.append(titled(name, _("Nothing but masking was used")))
    return {"brief": brief, "weigh": weigh}
