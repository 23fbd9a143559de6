"""The text of an agreement to sign, from what was approved: what each side owes the other (3.13, B.1.4.2 b; T/ISC 0078 11.2 d)."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.models import Project
from projects.datasets.tables.names import titled
from projects.jobs.documents import Paper, cover_facts, document_start, document_write
from projects.jobs.models import Job
from projects.objective.models import ContextAssessment
from projects.objective.selectors import factors_of, objective_of
from projects.objective.surroundings.context import assessments_of
from projects.objective.surroundings.profile.presentation import profile_rows
from projects.objective.surroundings.profile.rules import profile_of
from projects.processing.runs.designation.presentation import designation_rows
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.scales.environment import CONTROLS

from ..rules import may_print_agreement
from ..selectors import approved_content, recipients_of
from .clauses import Clauses, clauses_in_force

AGREEMENT_JOB = "releases.agreement_pdf"
KIND = "agreement_text"
MEASURES = {item.code: item.title for item in CONTROLS}
TEXT = 4
"""Which text it is: 2 says how often the recipient checks samples, 3 whether each fetch needs an approval of its own, 4 what the
recipient may do and what keeps the protections."""
IN_FORCE, IN_PART = 1.0, 0.5
"""The answers to whether a control is there."""


def text_subject(project: Project, clauses: Clauses) -> Subject:
    """What the document is about: whatever changes what is signed makes another one."""
    content = approved_content(project)
    assessment = counted_assessment(project)
    about = {
        "text": TEXT,
        "approved": content["verification"].content_hash,
        "purpose": purpose_of(project),
        "recipients": [str(one.pk) for one in recipients_of(project)],
        "assessment": assessment.content_hash if assessment else "",
    }
    about["protections"] = factors_of(project).get("protections")
    if (profile := profile_of(project)) is not None:
        about["profile"] = profile.model_dump(mode="json")
    if clauses.of:
        about["clauses"] = clauses.hash
    return Subject(KIND, str(project.pk), project.number, canonical_hash(about))


def purpose_of(project: Project) -> str:
    """What the plan says that the data are used for."""
    objective = objective_of(project)
    scope = (objective.scope if objective else None) or {}
    return str(scope.get("use") or project.summary)


def text_start(project: Project, *, by: Person) -> Job | None:
    """Have it printed in every language, unless that is done or under way; for who may record the signed agreement."""
    may_print_agreement(by, project).require()
    return document_start(
        AGREEMENT_JOB,
        project=project,
        kind=KIND,
        about=text_subject(project, clauses_in_force()),
        title=gettext_noop("Print the text of the agreement"),
        by=by,
    )


def text_write(project: Project, language: str, *, by: Person) -> Document:
    """Print and keep one language."""
    clauses = clauses_in_force()
    subject = text_subject(project, clauses)

    def paper() -> Paper:
        title = _("Data use agreement")
        head = DocumentHead(
            number=f"{project.number}-DA1",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=timezone.now(),
        )
        return Paper(
            head, f"{title} {project.title}", "releases/agreement_document.html", _context(project, clauses)
        )

    return document_write(project, kind=KIND, about=subject, language=language, paper=paper, by=by)


def _context(project: Project, clauses: Clauses) -> dict[str, Any]:
    if clauses.of:
        origin = _(
            "It is a proposal from what the portal enforces, with the provider's own clauses, which the portal does not enforce. Have legal counsel read it before it is signed."
        )
    else:
        origin = _(
            "It is a proposal from what the portal enforces. Have legal counsel read it before it is signed."
        )
    content = approved_content(project)
    return {
        "brief": [*cover_facts(project), *designation_rows(content["run"])],
        "weigh": [
            _("This is a text to sign. Nothing is handed over before both sides have signed and the planning manager has recorded the agreement."),
            origin,
        ],
        "purpose": purpose_of(project),
        "files": [
            (titled(table.name, _("Columns released")), _(", ").join(table.report["columns_out"]))
            for table in content["tables"]
        ],
        "measures": measures_of(project),
        "surroundings": profile_rows(factors_of(project), project.sharing_type),
        "duties": duties(),
        "clauses": clauses,
    }  # fmt: skip


def counted_assessment(project: Project) -> ContextAssessment | None:
    """The newest assessment of the surroundings that the target took over: others were made and not counted on."""
    return assessments_of(project).exclude(taken_at=None).first()


def measures_of(project: Project) -> list[tuple[str, str]] | None:
    """The recipient's controls that the assessment of the surroundings counted on, and whether wholly; None where there is none."""
    assessment = counted_assessment(project)
    if assessment is None:
        return None
    words = {IN_FORCE: _("in force"), IN_PART: _("in part")}
    answers = assessment.answers["controls"]
    return [
        (_(title), words[answers[code]]) for code, title in MEASURES.items() if answers.get(code) in words
    ]


def duties() -> list[tuple[str, str, str]]:
    """(matter, what the provider does, what the recipient does), as the portal carries them out."""
    return [
        (
            _("Handing over"),
            _("Hands over exactly what senior management approved, through the portal, and records each download."),
            _("Accepts the terms in the portal first, and downloads with an account of their own, which nobody else uses."),
        ),
        (
            _("Use"),
            _("Has a new purpose, a further recipient or a longer term decided by senior management before it begins."),
            _("Uses the data for the stated purpose alone, and asks before anything else is done with them."),
        ),
        (
            _("Protection"),
            _("Says which measures the risk assessment counts on."),
            _("Keeps these measures in force for as long as the data are there, and says when one no longer is."),
        ),
        (
            _("Review"),
            _("Reviews the risk regularly and when something changes, and may suspend downloads while it does."),
            _("Answers questions about where the data are and who uses them."),
        ),
        (
            _("Checks of samples"),
            _("Draws rows of what was fetched in the portal, and reminds the recipient when a check is due."),
            _("Checks them on receipt and as often as agreed above, and reports in the portal what was found."),
        ),
        (
            _("Incidents"),
            _("Suspends downloads where data or persons are in danger, and informs whom the law names."),
            _("Reports a suspected re-identification, leak or misuse in the portal at once, and helps to limit the harm."),
        ),
        (
            _("End"),
            _("Ends all downloads after the last day, or earlier where a condition of this agreement is broken."),
            _("Destroys every copy when the agreement ends and confirms that in the portal."),
        ),
    ]  # fmt: skip
