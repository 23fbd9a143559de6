"""The impact assessment as a document in both languages, printed when it was concluded."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.person import Person
from projects.jobs.documents import Paper, cover_facts, document_start, document_write
from projects.jobs.models import Job
from techniques.core.messages import gettext_noop

from .enums import PDF_JOB, REPORT
from .models import ImpactAssessment
from .presentation import assessment_rows, occasion_texts


def report_start(assessment: ImpactAssessment, *, by: Person) -> Job | None:
    """Have it printed in every language, unless that is done or under way."""
    return document_start(
        PDF_JOB,
        project=assessment.project,
        kind=REPORT,
        about=assessment.subject,
        title=gettext_noop("Print the impact assessment"),
        by=by,
    )


def report_write(assessment: ImpactAssessment, language: str, *, by: Person) -> Document:
    """Print and keep one language."""
    project = assessment.project

    def paper() -> Paper:
        title = _("Personal information protection impact assessment report")
        head = DocumentHead(
            number=f"{project.number}-IA{assessment.number}",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=assessment.content_hash,
            made_at=assessment.decided_at or assessment.made_at,
        )
        return Paper(
            head, f"{title} {project.title}", "impact/report_document.html", report_context(assessment)
        )

    return document_write(
        project, kind=REPORT, about=assessment.subject, language=language, paper=paper, by=by
    )


def report_context(assessment: ImpactAssessment) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    until = _("Kept at least until %(day)s (article 56).") % {"day": assessment.kept_until.isoformat()}
    made = {"role": _("Assessed"), "name": str(assessment.made_by), "decision": _("Submitted")}
    decided = {"role": _("Decided"), "name": str(assessment.decided_by), "reason": assessment.reason}
    return {
        "brief": [*cover_facts(assessment.project), (_("Conclusion"), str(assessment.get_outcome_display()))],
        "weigh": [*occasion_texts(assessment.occasions), until],
        "rows": assessment_rows(assessment),
        "signers": [
            made | {"time": assessment.made_at},
            decided | {"decision": str(assessment.get_outcome_display()), "time": assessment.decided_at},
        ],
    }
