"""The identification report as a PDF, made by a job when the identification is submitted (G-078)."""

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

from . import rows, selectors, wording
from .models import IdentificationRound

REPORT = "identification_report"
REPORT_JOB = "identification.report_pdf"


def report_start(project: Project, *, by: Any) -> Job | None:
    """Have the report of the current content printed in both languages, unless that is done or under way."""
    round_ = selectors.current_round(project)
    if round_ is None or not selectors.verdicts_hash(project):
        return None
    subject = selectors.report_subject(round_)
    if documents_about(subject, kind=REPORT).count() >= len(settings.LANGUAGES):
        return None
    if Job.objects.filter(kind=REPORT_JOB, subject_id=subject.id, status__in=ACTIVE).exists():
        return None
    return job_start(
        REPORT_JOB,
        project=project,
        subject=subject,
        title=gettext_noop("Print the identification report"),
        by=by,
    )


def report_context(project: Project, round_: IdentificationRound) -> dict[str, Any]:
    """What the page and the document of the report both show."""
    lines = rows.rows_of(project, round_)
    return {
        "project": project,
        "round": round_,
        "rows": lines,
        "tally": rows.tally(lines),
        "row_count": wording.number(round_.report["rows"]),
        "coverage": wording.percent(round_.report["coverage"]),
        "methods": rows.method_lines(round_),
    }


def further_contexts(project: Project) -> list[dict[str, Any]]:
    """The same for each further table of the project, with its name."""
    return [
        report_context(project, round_) | {"table": table}
        for table, round_ in selectors.rounds_now(project)
        if not table.is_first and round_ is not None
    ]


def report_print(round_: IdentificationRound, language: str, *, by: Any) -> str:
    """Make and keep the PDF in ``language``; returns its SHA-256."""
    project = round_.project
    given = selectors.verdicts_in(round_)
    subject = selectors.report_subject(round_)
    known = document_find(kind=REPORT, subject=subject, language=language)
    if known is not None:
        return known.sha256
    with translation.override(language):
        title = _("Identification report")
        head = DocumentHead(
            number=f"{project.number}-I{round_.number}",
            title=title,
            subtitle=project.title,
            content_hash=subject.hash,
            made_at=max((v.decided_at for v in given.values()), default=round_.finished_at)
            or round_.started_at,
            project=str(project),
            anchor=anchor_now(),
        )
        context = report_context(project, round_) | {"further": further_contexts(project)}
        content = render_pdf("identification/report_document.html", context, language, head=head)
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
