"""The processing report as a PDF, made by a job when the processing is submitted (5.6.1)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.returns import justifications_in, justified_rows
from projects.jobs.documents import Paper, document_start, document_write
from projects.jobs.models import Job
from projects.workflow import Stage
from techniques.core.messages import gettext_noop

from ..models import Run
from ..recipes.selectors import recipes_of
from .pages import run_context, run_row
from .selectors import latest_run, run_subject, runs_of

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
        context["justified"] = justified_rows(justifications_in(project, Stage.PROCESSING))
        return Paper(head, f"{title} · {project.title}", "processing/report_document.html", context)

    return document_write(project, kind=REPORT, about=subject, language=language, paper=paper, by=by)
