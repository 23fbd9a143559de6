"""The processing report as a PDF, made by a job when the processing is submitted (G-078)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from approvals.audit.anchors import anchor_now
from approvals.documents.render import DocumentHead, render_pdf
from approvals.documents.selectors import document_find, documents_about
from approvals.documents.services import document_create
from approvals.governance.draft import Subject
from projects.core.models import Project
from projects.jobs.enums import ACTIVE
from projects.jobs.models import Job
from projects.jobs.services import job_start
from techniques.core.messages import gettext_noop

from .. import pages, selectors
from ..models import Run

REPORT = "processing_report"
REPORT_JOB = "processing.report_pdf"


def report_start(project: Project, *, by: Any) -> Job | None:
    """Have the report of the current result printed in every language, unless that is done or under way."""
    run = selectors.latest_run(project)
    if run is None:
        return None
    subject = selectors.run_subject(run)
    if documents_about(subject, kind=REPORT).count() >= len(settings.LANGUAGES):
        return None
    if Job.objects.filter(kind=REPORT_JOB, subject_id=subject.id, status__in=ACTIVE).exists():
        return None
    return job_start(
        REPORT_JOB, project=project, subject=subject, title=gettext_noop("Print the processing report"), by=by
    )


def report_context(project: Project, run: Run) -> dict[str, Any]:
    """What the page and the document of the report both show."""
    return {
        "project": project,
        "version": run.recipe_version,
        "versions": list(selectors.recipes_of(project).defer("content")),
        "runs": [pages.run_row(one) for one in selectors.runs_of(project)],
    } | pages.run_context(run)


def report_print(run: Run, language: str, *, by: Any) -> str:
    """Make and keep the PDF in ``language``; returns its SHA-256."""
    project, subject = run.project, selectors.run_subject(run)
    known = document_find(kind=REPORT, subject=subject, language=language)
    if known is not None:
        return known.sha256
    with translation.override(language):
        title = _("Processing report")
        head = DocumentHead(
            number=f"{project.number}-P{run.number}",
            title=title,
            subtitle=project.title,
            content_hash=subject.hash,
            made_at=run.finished_at or run.started_at,
            project=str(project),
            anchor=anchor_now(),
        )
        content = render_pdf(
            "processing/report_document.html", report_context(project, run), language, head=head
        )
        document = document_create(
            kind=REPORT,
            subject=Subject(subject.kind, subject.id, title, subject.hash),
            project_id=project.pk,
            number=head.number,
            title=f"{title} · {project.title}",
            language=language,
            content=content,
            by=by,
        )
    return document.sha256
