"""The re-assessment as a document: what was measured again, and what the supervisor concluded (5.6.2)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import beside, count, moment
from projects.core.sentences import as_read
from projects.jobs.documents import Paper, document_start, document_write
from projects.jobs.models import Job
from projects.processing.models import Run
from projects.processing.runs.designation.presentation import designation_rows
from projects.releases.models import Release
from projects.verification.documents import columns_said
from projects.verification.sign_off.columns import tables_out
from projects.verification.sign_off.recipients import recipient_lines
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from .acceptance.selectors import acceptance_of
from .amendments.presentation import amendment_row, columns_counted
from .amendments.selectors import amendments_of
from .models import Amendment, Reassessment
from .presentation import (
    degree_fell_text,
    gate_rows,
    met_text,
    outside_texts,
    reassessment_row,
    relations_texts,
)
from .selectors import approved_measurement

REPORT = "reassessment_report"
REPORT_JOB = "monitoring.report_pdf"


def report_subject(reassessment: Reassessment) -> Subject:
    """What the document is about: the conclusion with all that it rests on, which nothing alters any more."""
    change, by = reassessment.change, reassessment.concluded_by
    content = {
        "release": reassessment.release.seal,
        "due_on": str(reassessment.due_on),
        "change": change and [change.kind, change.noticed or change.description, str(change.happened_on)],
        "measurement": reassessment.measurement,
        "outcome": reassessment.outcome,
        "finding": reassessment.finding,
        "concluded": [
            by and by.username,
            reassessment.concluded_at and reassessment.concluded_at.isoformat(),
        ],
    }
    if (accepted := acceptance_of(reassessment)) is not None:
        content["accepted"] = [accepted.accepted_by.username, str(accepted.until), accepted.reason]
    return Subject("reassessment", str(reassessment.pk), str(reassessment), canonical_hash(content))


def report_start(reassessment: Reassessment, *, by: Person) -> Job | None:
    """Have the report of a concluded re-assessment printed in every language, unless that is done or under way."""
    return document_start(
        REPORT_JOB,
        project=reassessment.project,
        kind=REPORT,
        about=report_subject(reassessment),
        title=gettext_noop("Print the re-assessment report"),
        by=by,
    )


def report_write(reassessment: Reassessment, language: str, *, by: Person) -> Document:
    """Print and keep one language of the report."""
    project, subject = reassessment.project, report_subject(reassessment)
    concluded_at = reassessment.concluded_at
    assert concluded_at is not None  # before that there is nothing to print
    # Moments of conclusion never change, so that both languages count alike.
    number = Reassessment.objects.filter(project=project, concluded_at__lte=concluded_at).count()

    def paper() -> Paper:
        title = _("Re-assessment report on the released data")
        head = DocumentHead(
            number=f"{project.number}-M{number}",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=concluded_at,
        )
        context = report_context(reassessment)
        return Paper(head, f"{title} {project.title}", "monitoring/reassessment_document.html", context)

    return document_write(project, kind=REPORT, about=subject, language=language, paper=paper, by=by)


def report_context(reassessment: Reassessment) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    row, measured = reassessment_row(reassessment), reassessment.remeasured
    gate = gate_rows(reassessment)
    by = reassessment.concluded_by
    signer = {
        "role": str(Role.SUPERVISOR.label),
        "name": str(by),
        "decision": str(reassessment.get_outcome_display()),
        "time": reassessment.concluded_at,
        "reason": as_read(reassessment.finding),
    }
    return row | {
        "measured": measured,
        "met_text": met_text(measured),
        "columns": _(", ").join(measured.columns),
        "gate": gate,
        "facts": _facts(reassessment, str(row["why"])),
        "release": _release_rows(reassessment.release),
        "brief": _brief(reassessment.project, reassessment),
        "weigh": _weigh(reassessment, gate),
        "amendments": [amendment_row(one) for one in _in_force(reassessment)],
        "counted": columns_counted(reassessment),
        "relations": relations_texts(measured.relations),
        "outside": outside_texts(measured),
        "signers": [
            *(one for amended in _in_force(reassessment) for one in _amenders(amended)),
            *_acceptor(reassessment),
            signer,
        ],
    }


def _in_force(reassessment: Reassessment) -> list[Amendment]:
    """The amendments by which it was measured."""
    numbers = reassessment.remeasured.amendments
    return [one for one in amendments_of(reassessment.project) if one.number in numbers]


def _amenders(amendment: Amendment) -> list[dict[str, Any]]:
    """Who reviewed and who approved an amendment."""
    named = {"number": amendment.number}
    judged = (
        (Role.SUPERVISOR, amendment.reviewed_by, _("Amendment %(number)s reviewed"), amendment.reviewed_at, amendment.review),
        (Role.MANAGEMENT, amendment.decided_by, _("Amendment %(number)s approved"), amendment.decided_at, amendment.decision),
    )  # fmt: skip
    return [
        {"role": str(role.label), "name": str(by), "decision": said % named, "time": at, "reason": why}
        for role, by, said, at, why in judged
    ]


def _acceptor(reassessment: Reassessment) -> list[dict[str, Any]]:
    """Who of senior management accepted that not every target is met, where somebody did."""
    accepted = acceptance_of(reassessment)
    if accepted is None:
        return []
    decision = _("Not meeting every target is accepted until %(until)s") % {"until": accepted.until}
    return [
        {
            "role": str(Role.MANAGEMENT.label),
            "name": str(accepted.accepted_by),
            "decision": decision,
            "time": accepted.accepted_at,
            "reason": accepted.reason,
        }
    ]


def _brief(project: Project, reassessment: Reassessment) -> list[tuple[str, str]]:
    """The cover: who holds which columns in which form, and what was concluded."""
    release = reassessment.release
    recipients = "\n".join(beside(one.name, one.agreement) for one in recipient_lines(project))
    run = Run.objects.select_related("recipe_version", "project").get(pk=release.run_id)
    return [
        (_("Project"), f"{project.number} {project.title}"),
        (_("Who receives it"), recipients or _("None named yet")),
        (_("What for"), project.summary or "–"),
        *designation_rows(run),
        *columns_said(tables_out(run, approved_measurement(release).report)),
        (_("Conclusion"), str(reassessment.get_outcome_display())),
    ]


def _weigh(reassessment: Reassessment, gate: list[dict[str, Any]]) -> list[str]:
    """What speaks against the release today; where nothing does, that all was met."""
    measured = reassessment.remeasured
    said = [
        _("%(column)s: %(kind)s") % {"column": row["label"], "kind": row["plain"] or row["measured"]}
        for row in gate
        if row["passed"] is not True
    ]
    if measured.broken:
        said.insert(0, _("What is stored is not what was sealed; nothing else was measured."))
    if measured.without_verdict:
        text = _(
            "There is no verdict in force on these columns of the release, so its risk was not measured: %(columns)s"
        )
        said.append(text % {"columns": _(", ").join(measured.without_verdict)})
    if measured.degree_fell:
        said.append(degree_fell_text(measured))
    for _name, lines in outside_texts(measured):
        said += lines
    if measured.relations is not None and not measured.relations.is_settled:
        said.append(passage(relations_texts(measured.relations)))
    if reassessment.change:
        said.append(_("What changed: %(change)s") % {"change": reassessment.change.said})
    if not said:
        said.append(
            _("Every target was met when measured, and no reported change led to this re-assessment.")
        )
    return said


def _facts(reassessment: Reassessment, why: str) -> list[tuple[str, str]]:
    change = reassessment.change
    rows = [(_("Why"), why)]
    if change:
        who = str(change.reported_by) if change.reported_by else _("noticed by the portal")
        rows += [
            (_("What changed"), change.said),
            (_("Date of the change"), f"{change.happened_on} · {who}"),
        ]
    return [
        *rows,
        (_("Due on"), str(reassessment.due_on)),
        (_("Opened"), moment(reassessment.opened_at)),
        (_("Measured again"), moment(reassessment.measured_at)),
    ]


def _release_rows(release: Release) -> list[tuple[str, str]]:
    files = [
        _("%(file)s, %(rows)s rows, SHA-256 %(sha256)s")
        % {"file": one["file_name"], "rows": count(one["rows"]), "sha256": one["sha256"]}
        for one in release.files
    ]
    return [
        (_("Files"), "\n".join(files)),
        (_("Released"), f"{moment(release.released_at)} · {release.released_by}"),
        (_("Seal"), release.seal),
        (_("Hash of the recipe"), release.recipe_hash),
    ]
