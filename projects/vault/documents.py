"""The certificate of destruction: which key is gone for good, what was made with it, and who destroyed it (4.2 c)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.audit.models import AuditEvent
from approvals.documents.models import Document
from approvals.documents.render import DocumentHead
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.numbers import count, moment
from projects.jobs.documents import Paper, cover_facts, document_start, document_write
from projects.jobs.models import Job
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from . import events
from .models import Secret
from .purposes import is_shared, purpose_text
from .uses import KeyUse, uses_of

CERTIFICATE = "destruction_certificate"
CERTIFICATE_JOB = "vault.certificate_pdf"


def certificate_subject(secret: Secret) -> Subject:
    """What a certificate is about: the row of a destroyed key, which nothing alters any more."""
    created_by, destroyed_by = secret.created_by, secret.destroyed_by
    content: dict[str, Any] = {
        "purpose": secret.purpose,
        "created": [secret.created_at.isoformat(), created_by and created_by.username],
        "destroyed": [
            secret.destroyed_at and secret.destroyed_at.isoformat(),
            destroyed_by and destroyed_by.username,
            secret.destroyed_why,
        ],
    }
    if secret.proposed_by is not None and secret.proposed_at is not None:
        # Earlier destructions had no proposal, and their certificates keep their hash.
        content["proposed"] = [
            secret.proposed_at.isoformat(),
            secret.proposed_by.username,
            secret.proposed_why,
        ]
    if secret.apart:
        content["apart"] = True
    return Subject("secret", str(secret.pk), secret.purpose, canonical_hash(content))


def certificate_start(secret: Secret, *, by: Person) -> Job | None:
    """Have the certificate of a destroyed key printed in every language, unless that is done or under way."""
    return document_start(
        CERTIFICATE_JOB,
        project=secret.project,
        kind=CERTIFICATE,
        about=certificate_subject(secret),
        title=gettext_noop("Print the certificate of destruction"),
        by=by,
    )


def certificate_write(secret: Secret, language: str, *, by: Person) -> Document:
    """Print and keep one language of the certificate; the key is gone from wherever it lay."""
    project, subject, destroyed_at = secret.project, certificate_subject(secret), secret.destroyed_at
    assert destroyed_at is not None  # what is in custody has no certificate
    # Moments of destruction never change, so that both languages count alike.
    number = Secret.objects.filter(project=project, destroyed_at__lte=destroyed_at).count()

    def paper() -> Paper:
        title = _("Certificate of the destruction of a key")
        head = DocumentHead(
            number=f"{project.number}-D{number}",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=destroyed_at,
        )
        context = certificate_context(secret)
        return Paper(head, f"{title} {project.title}", "vault/certificate_document.html", context)

    return document_write(project, kind=CERTIFICATE, about=subject, language=language, paper=paper, by=by)


def certificate_context(secret: Secret) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    uses, purpose = uses_of(secret), purpose_text(secret.purpose)
    columns = list(dict.fromkeys(column for use in uses for column in use.columns))
    maker = str(secret.created_by) if secret.created_by else _("the portal")
    said = AuditEvent.objects.filter(
        action=events.SECRET_DESTROYED, subject_kind="secret", subject_id=str(secret.pk)
    ).first()
    proposed = secret.proposed_by is not None
    second = {
        "role": str((Role.SUPERVISOR if proposed else Role.PLANNER).label),
        "name": str(secret.destroyed_by),
        "decision": _("Destroyed"),
        "time": secret.destroyed_at,
        "reason": secret.destroyed_why,
    }
    first = {
        "role": str(Role.PLANNER.label),
        "name": str(secret.proposed_by),
        "decision": _("Destruction proposed"),
        "time": secret.proposed_at,
        "reason": secret.proposed_why,
    }
    proposal = [
        (_("Destruction proposed"), f"{moment(secret.proposed_at)} · {secret.proposed_by}"),
        (_("Why it was proposed"), secret.proposed_why),
    ]
    return {
        "brief": [
            *cover_facts(secret.project),
            (_("Key"), purpose),
            (_("Columns that depend on keys or random draws of its runs"), _(", ").join(columns) or "–"),
            (_("Destroyed"), f"{moment(secret.destroyed_at)} · {secret.destroyed_by}"),
        ],
        "weigh": _weigh(secret),
        "facts": [
            (_("Key"), purpose),
            (_("Number in the vault"), str(secret.pk)),
            (_("Created"), f"{moment(secret.created_at)} · {maker}"),
            *(proposal if proposed else []),
            (_("Destroyed"), f"{moment(secret.destroyed_at)} · {secret.destroyed_by}"),
            (_("Reason"), secret.destroyed_why),
            (_("How"), _how(secret)),
        ],
        "uses": [_use_row(use) for use in uses],
        "event": said,
        "signers": [first, second] if proposed else [second],
    }


def _use_row(use: KeyUse) -> dict[str, Any]:
    return {
        "title": use.title,
        "at": moment(use.at),
        "columns": _(", ").join(use.columns) or "–",
        "results": use.results,
    }


def _weigh(secret: Secret) -> list[str]:
    """What the destruction means, and what it does not reach."""
    # Who reads the certificate may not see the others: their number is said, and nothing of them.
    same = Secret.objects.filter(purpose=secret.purpose, destroyed_at=None).exclude(project=secret.project)
    others = same.values("project").distinct().count() if is_shared(secret.purpose) else 0
    gone = _(
        "With this key, values can no longer be recovered and what was made with it can no longer be repeated."
    )
    kept = ngettext(
        "%(projects)s other project that shares this key keeps it. Values can still be recovered with it.",
        "%(projects)s other projects that share this key keep it. Values can still be recovered with it.",
        others,
    )
    return [
        kept % {"projects": count(others)} if others else gone,
        *_backups(secret),
    ]


def _how(secret: Secret) -> str:
    if secret.apart:
        return _(
            "Its bytes, wrapped by the master key and sealed by the key of the store of the keys, were removed from that store; its row in "
            "the portal's database stays."
        )
    return _("Its bytes, wrapped by the master key, were removed from its row, which stays.")


def store_backups() -> str:
    """What is said of earlier backups wherever a key lay in the store of the keys."""
    return _(
        "An earlier backup of the store of the keys still contains the sealed key until that backup is deleted too."
    )


def _backups(secret: Secret) -> list[str]:
    """Which backups hold the key yet: of the place in which it lay, and of the one from which it was moved."""
    moved = AuditEvent.objects.filter(
        action=events.SECRET_MOVED, subject_kind="secret", subject_id=str(secret.pk)
    )
    result = []
    if secret.apart:
        result.append(store_backups())
    if not secret.apart or moved.exists():
        result.append(
            _(
                "An earlier backup of the database still contains the wrapped key until that backup is deleted too."
            )
        )
    return result
