"""A document in each language of the portal, made by a job: one language is one item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from string import digits
from typing import Any

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from approvals.audit.anchors import anchor_now
from approvals.decisions.models import Decision, Review, Signature, SignOff
from approvals.documents.kinds import OF_ITS_OWN, attached
from approvals.documents.letterhead import letterhead_now
from approvals.documents.models import Document
from approvals.documents.render import LANGUAGES, DocumentHead, Reference, render_pdf
from approvals.documents.selectors import document_find, documents_about, documents_of_project, number_for
from approvals.documents.services import NumberTaken, document_create
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.selectors import mark_text, members_by_role
from projects.workflow import STATES, Role, State
from techniques.core.messages import gettext_noop

from .models import Job
from .registry import ItemSpec, JobKind, Tick
from .selectors import latest_job
from .services import job_start

_TITLES = {"zh-hans": gettext_noop("Chinese document"), "en": gettext_noop("English document")}


@dataclass(frozen=True)
class Paper:
    """What a document says, in the active language; ``title`` is the one under which it is listed."""

    head: DocumentHead
    title: str
    template: str
    context: Mapping[str, Any]


class DocumentKind(JobKind):
    """Base of the jobs that make a document; overwrite ``write``."""

    def items(self, job: Job) -> list[ItemSpec]:
        return [ItemSpec(language, _TITLES[language]) for language in LANGUAGES]

    def run_item(self, job: Job, key: str, tick: Tick) -> str:
        tick(0.0)
        return self.write(job, key).sha256

    def write(self, job: Job, language: str) -> Document:
        """Make and keep the document in ``language`` (``document_write``)."""
        raise NotImplementedError


def document_start(
    job_kind: str,
    *,
    project: Project,
    kind: str,
    about: Subject,
    title: str,
    by: Person,
    subject: Subject | None = None,
) -> Job | None:
    """Queue the document of ``kind`` about ``about``; None when every language is there already or being made.

    ``subject`` is what the job is about, where that is not what the document is about.
    """
    subject = subject or about
    if documents_about(about, kind=kind).count() >= len(LANGUAGES):
        return None
    running = latest_job(project, job_kind, subject.id)
    if running is not None and running.is_active:
        return None
    with transaction.atomic():
        return job_start(job_kind, project=project, subject=subject, title=title, by=by)


def signers_of(
    project: Project,
    role: Role,
    by: Person,
    at: datetime | None,
    *,
    review: Review | None,
    decided: SignOff | None,
    signed: Sequence[Signature] = (),
    needed: int = 1,
) -> list[dict[str, Any]]:
    """Who signs a document, for its block of signatures: who submitted as ``role``, the supervisor with the ``review``,
    and senior management with what was ``decided``, after those who had ``signed`` before; the names of those who may where
    nobody has yet, on as many lines as are ``needed``."""
    said: dict[Role, dict[str, Any]] = {
        role: {"name": str(by), "decision": _("Submitted"), "time": at},
        Role.SUPERVISOR: {},
        Role.MANAGEMENT: {},
    }
    if review is not None:
        outcome = review.get_outcome_display()
        said[Role.SUPERVISOR] = {"name": review.reviewer_text, "decision": outcome, "time": review.time}
    if decided is not None:
        outcome, reason = decided.get_decision_display(), decided.reason
        last = {"name": decided.decider_text, "decision": outcome, "reason": reason}
        said[Role.MANAGEMENT] = last | {"time": decided.decided_at}
    *others, management = _signers(project, said)
    approved = str(Decision.APPROVED.label)
    before = [
        {"name": one.signer_text, "decision": approved, "reason": one.reason, "time": one.signed_at}
        for one in signed
    ]
    lines = [{**management, **one} for one in before] + [management]
    return [*others, *lines, *([management] * (needed - 1 if decided is None else 0))]


def _signers(project: Project, said: Mapping[Role, Mapping[str, Any]]) -> list[dict[str, Any]]:
    members = members_by_role(project)
    return [
        {
            "role": str(one.label),
            "name": _(", ").join(str(person) for person in members.get(one, [])),
            **known,
        }
        for one, known in said.items()
    ]


def stage_signers(project: Project, *, by: Person | None) -> list[dict[str, Any]]:
    """Who signs the report of a stage: its executor, ``by`` where they submitted it in the portal, and the supervisor, whose
    review is still to come when it is printed."""
    submitted: dict[str, Any] = {}
    if by is not None:
        time = project.state_since if STATES[State(project.state)].under_review else None
        submitted = {"name": str(by), "decision": _("Submitted"), "time": time}
    return _signers(project, {Role.EXECUTOR: submitted, Role.SUPERVISOR: {}})


def cover_facts(project: Project) -> list[tuple[str, str]]:
    """What the cover of every report begins with: the project, what for, and who receives the result."""
    recipients = members_by_role(project).get(Role.RECIPIENT, [])
    return [
        (_("Project"), f"{project.number} {project.title}"),
        (_("What the data will be used for"), project.summary or "–"),
        (_("Who receives it"), _(", ").join(map(str, recipients)) or _("None named yet")),
    ]


def document_write(
    project: Project,
    *,
    kind: str,
    about: Subject,
    language: str,
    paper: Callable[[], Paper],
    by: Person | None = None,
) -> Document:
    """Print and keep ``paper`` in ``language``; harmless when called twice.

    ``paper`` proposes a number, as ``2026-0003-V2``. Where another content has it already, the next of the series is taken.
    """
    while True:
        known = document_find(kind=kind, subject=about, language=language)
        if known is not None:
            return known
        with translation.override(language):
            made = paper()
            head = _numbered(project, made.head, kind=kind, about=about, language=language)
            content = render_pdf(made.template, made.context, language, head=head)
            try:
                return document_create(
                    kind=kind,
                    subject=about,
                    project_id=project.pk,
                    number=head.number,
                    title=made.title,
                    language=language,
                    content=content,
                    by=by,
                )
            except NumberTaken:
                continue


def _numbered(
    project: Project, head: DocumentHead, *, kind: str, about: Subject, language: str
) -> DocumentHead:
    """The head with its number and letterhead, the earlier documents of its kind, and the newest of each kind before it."""
    series = head.number.rstrip(digits)
    wanted = int(head.number.removeprefix(series))
    number = number_for(project.pk, kind=kind, subject=about, series=series, wanted=wanted)
    earlier = [
        one for one in documents_of_project(project.pk).order_by("created_at") if one.language == language
    ]
    newest = {one.kind: one for one in earlier}
    versions = [] if kind in OF_ITS_OWN else [one for one in earlier if one.kind == kind]
    own = Reference(number, str(head.title), head.content_hash, head.made_at)
    return replace(
        head,
        number=number,
        anchor=anchor_now(),
        letterhead=replace(letterhead_now(), mark=mark_text(project)),
        versions=[*(_reference(one, project) for one in versions if one.number != number), own],
        attachments=[_reference(newest[one], project) for one in attached(kind) if one in newest],
    )


def _reference(document: Document, project: Project) -> Reference:
    """It is called as on its own cover, which says of a decision what was decided."""
    title = document.title.removesuffix(project.title).rstrip(" ·")
    return Reference(document.number, title, document.subject_hash, document.created_at)
