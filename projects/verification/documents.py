"""The approval report: all that senior management decides from, as a document in both languages (5.5.4)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from approvals.decisions.models import Decision, Review, SignOff
from approvals.decisions.selectors import passed_review, signatures_that_count, signoffs_of
from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.executing.source import executing_facts
from projects.core.models import Project
from projects.core.numbers import beside, count, moment
from projects.core.pages import pointers
from projects.core.returns import justifications_in, justified_rows
from projects.core.timeline import course
from projects.datasets.tables.names import titled
from projects.identification.documents import persons_aside
from projects.identification.presentation import overrides_of
from projects.jobs.documents import Paper, document_start, document_write, signers_of
from projects.jobs.models import Job
from projects.processing.runs.designation.presentation import designation_rows
from projects.processing.runs.pages import result_hash_rows
from projects.processing.runs.selectors import rows_of
from projects.workflow import Role, Stage
from techniques.core.messages import gettext_noop

from .enums import APPROVAL_JOB, SIGNED_JOB, SIGNED_SUBJECT
from .gate.scales.presentation import degree_statement
from .models import Verification
from .reports.parts import parts_of
from .rules import RELEASE
from .sign_off.columns import TableOut
from .sign_off.quorum import signatures_text
from .sign_off.summary import sign_summary

REPORT_KIND = "approval_report"
SIGNED_KIND = "approval_report_signed"
# A signed report is about one sign-off.
_SUFFIX = {REPORT_KIND: "V", SIGNED_KIND: "VA"}
_JOBS = {REPORT_KIND: APPROVAL_JOB, SIGNED_KIND: SIGNED_JOB}
_TITLES = {
    "": gettext_noop("Write the approval report as PDF"),
    Decision.APPROVED: gettext_noop("Write the signed approval report as PDF"),
    Decision.RETURNED: gettext_noop("Write the returned approval report as PDF"),
    Decision.REJECTED: gettext_noop("Write the rejected approval report as PDF"),
}
"""What the job is called, by what was decided about the result; "" before a decision."""


def report_document_start(verification: Verification, *, by: Person, kind: str = REPORT_KIND) -> Job | None:
    """Queue the report in every language; None when it is there already or being made."""
    decided = _decided(verification, kind)
    title = _TITLES[Decision(decided.decision) if decided else ""]
    about, subject = document_subject(verification, kind), verification.subject
    return document_start(
        _JOBS[kind], project=verification.project, kind=kind, about=about, subject=subject, title=title, by=by
    )


def document_subject(verification: Verification, kind: str) -> Subject:
    """The subject of a report: the measurement, or one decision about it.

    A measurement may be decided about again, after it was returned or its release taken back, and each
    decision has its own document.
    """
    decided = _decided(verification, kind)
    if decided is None:
        return verification.subject
    return Subject(SIGNED_SUBJECT, str(decided.pk), str(verification), verification.content_hash)


def report_document_write(verification: Verification, *, kind: str, language: str) -> Document:
    """Print and keep one language of the report."""
    project = verification.project

    def paper() -> Paper:
        head = DocumentHead(
            number=f"{project.number}-{_SUFFIX[kind]}{verification.number}",
            title=_title(_decided(verification, kind)),
            subtitle=project.title,
            project=project.number,
            content_hash=verification.content_hash,
            made_at=_made_at(verification, kind),
        )
        context = report_document_context(verification, kind=kind)
        return Paper(head, f"{head.title} {project.title}", "documents/approval.html", context)

    return document_write(
        project, kind=kind, about=document_subject(verification, kind), language=language, paper=paper
    )


def _title(decided: SignOff | None) -> str:
    """A report is called by what was decided; one that came back, or whose decision has lapsed, is not called signed."""
    titles = {
        Decision.APPROVED: _("Approval report on the de-identified data (signed)"),
        Decision.RETURNED: _("Approval report on the de-identified data (returned)"),
        Decision.REJECTED: _("Approval report on the de-identified data (rejected)"),
    }
    return titles[Decision(decided.decision)] if decided else _("Approval report on the de-identified data")


def report_document_context(verification: Verification, *, kind: str) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    from . import pages
    from .comparison import pages as candidate_pages

    project = verification.project
    below, decided = verification.degree_below, _decided(verification, kind)
    request = _request_about(verification)
    found = (
        pages.measured(verification)
        | pages.basis(project)
        | pages.run_facts(verification.run)
        | {
            "verification": verification,
            "overrides": overrides_of(project),
            "persons_aside": persons_aside(project),
        }
    )
    return (
        found
        | _page_one(project, found)
        | {
            "course": course(project),
            "course_at": moment(timezone.now()),
            "justified": justified_rows(justifications_in(project, *Stage)),
            "passed": verification.passed is True,
            "degree_below": below and degree_statement(below, decided),
            "accepted": _accepted(decided),
            "facts": [*_facts(verification), *_signatures_needed(request)],
            "candidates": candidate_pages.behind(verification),
            "parts": parts_of(verification),
            "signers": signers_of(
                project,
                Role.EXECUTOR,
                verification.requested_by,
                verification.measured_at,
                review=_review(verification),
                decided=decided,
                signed=signatures_that_count(decided),
                needed=request.needed if request else 1,
            ),
        }
    )


def _accepted(decided: SignOff | None) -> list[tuple[str, str, str]]:
    """Who signed, why the degree below 1 is accepted, and why related releases are; of who decided the first stands with the degree."""
    if decided is None or decided.decision != Decision.APPROVED:
        return []
    rows = [
        (one.signer_text, one.acceptance or "", one.related_acceptance or "")
        for one in signatures_that_count(decided)
    ]
    return [
        row for row in (*rows, (decided.decider_text, "", decided.related_acceptance or "")) if any(row[1:])
    ]


def _page_one(project: Project, found: dict[str, Any]) -> dict[str, Any]:
    """The cover: who gets what for which purpose, what can happen at worst, and every caveat, as the page of the sign-off has it."""
    said = sign_summary(project, None, found, scope={}, plan=None, reviews=())
    brief = [
        (_("Who receives it"), "\n".join(beside(one.name, one.agreement) for one in said.recipients)),
        *executing_facts(project),
        (_("What for"), project.summary or "–"),
        (_("People and rows"), said.people or "–"),
    ]
    verification: Verification = found["verification"]
    brief += [*designation_rows(verification.run), *columns_said(said.tables)]
    brief.append((_("At worst"), said.worst or "–"))
    rows = [(key, value or _("None named yet")) for key, value in brief]
    # On paper too: what other stages know, as it stands beside the answer on the page.
    known = pointers(project, Stage.VERIFICATION) or pointers(project, Stage.RELEASE)
    return {"brief": rows, "weigh": [caveat.text for caveat in said.caveats] + [one.text for one in known]}


def columns_said(tables: Iterable[TableOut]) -> list[tuple[str, str]]:
    """For a cover: the columns that go out, by their form, and those that were removed."""
    rows = []
    for table in tables:
        forms: dict[str, list[str]] = {}
        for column in table.columns:
            forms.setdefault(column.form, []).append(column.name)
        out = "\n".join(
            _("%(form)s: %(columns)s") % {"form": form, "columns": _(", ").join(names)}
            for form, names in forms.items()
        )
        rows.append((titled(table.name, _("Columns released")), out))
        rows.append((titled(table.name, _("Removed columns")), _(", ").join(table.removed) or "–"))
    return rows


def _facts(verification: Verification) -> list[tuple[str, str]]:
    project, run = verification.project, verification.run
    return [
        (_("Project"), f"{project.number} {project.title}"),
        (_("What the data will be used for"), project.summary or "–"),
        (_("Sharing type"), str(SharingType(project.sharing_type).label) if project.sharing_type else "–"),
        (
            _("Result"),
            _("Run %(run)s of version %(version)s of the recipe, %(rows)s records")
            % {"run": run.number, "version": run.recipe_version.number, "rows": count(rows_of(run))},
        ),
        *result_hash_rows(run),
        (_("Hash of the recipe"), run.recipe_version.content_hash),
        (
            pgettext("when and by whom", "Measured"),
            f"{moment(verification.measured_at)} · {verification.requested_by}",
        ),
    ]


def _signatures_needed(request: SignOff | None) -> list[tuple[str, str]]:
    """How many sign and why, where more than one does."""
    said = signatures_text(request.needed, request.needed_by) if request else ""
    return [(_("Signatures needed"), said)] if said else []


def _made_at(verification: Verification, kind: str) -> datetime:
    """When the content that the document states came about: the measurement, its review, or the decision."""
    review, decided = _review(verification), _decided(verification, kind)
    times = [verification.measured_at or verification.requested_at]
    times += [review.recorded_at] if review else []
    times += [decided.decided_at] if decided and decided.decided_at else []
    return max(times)


def _review(verification: Verification) -> Review | None:
    content = verification.content_hash
    return passed_review(verification.project_id, stage=Stage.VERIFICATION, content_hash=content)


def _request_about(verification: Verification) -> SignOff | None:
    """The newest request to sign exactly this; how many have to was fixed with it."""
    for signoff in signoffs_of(verification.project_id):
        if (signoff.subject_kind, signoff.subject_hash) == (RELEASE, verification.content_hash):
            return signoff
    return None


def _decided(verification: Verification, kind: str) -> SignOff | None:
    """The decision that a report of this kind states."""
    return decision_about(verification) if kind == SIGNED_KIND else None


def decision_about(verification: Verification) -> SignOff | None:
    """The decision about exactly this verification, or None while there is none; a lapsed one does not count."""
    about = (RELEASE, str(verification.pk), verification.content_hash)
    for signoff in signoffs_of(verification.project_id):
        judged = (signoff.subject_kind, signoff.subject_id, signoff.subject_hash)
        if judged == about and signoff.decision and signoff.lapsed_at is None:
            return signoff
    return None
