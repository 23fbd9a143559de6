"""The certificate of destruction: which data and keys are gone for good, what was measured of the act, and who stands behind it."""

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
from projects.releases.deliveries.notice import released_rows
from projects.vault.documents import CERTIFICATE, store_backups
from projects.vault.models import Secret
from projects.workflow import Role
from techniques.core.canonical import canonical_hash
from techniques.core.messages import gettext_noop

from . import events
from .enums import CERTIFICATE_JOB
from .models import Disposal
from .presentation import copies_text, copy_rows, key_rows, kinds_text, measured_rows, staying


def certificate_subject(disposal: Disposal) -> Subject:
    """What the certificate is about: a disposal that was carried out, with what was measured, which nothing alters any more."""
    assert disposal.decided_at is not None
    assert disposal.decided_by is not None
    assert disposal.finished_at is not None
    content = {
        "content": disposal.content,
        "measured": disposal.measured,
        "proposed": [disposal.proposed_at.isoformat(), disposal.proposed_by.username, disposal.reason],
        "decided": [disposal.decided_at.isoformat(), disposal.decided_by.username, disposal.decision_reason],
        "finished": disposal.finished_at.isoformat(),
    }
    return Subject("disposal", str(disposal.pk), str(disposal), canonical_hash(content))


def certificate_start(disposal: Disposal, *, by: Person) -> Job | None:
    """Have the certificate printed in every language, unless that is done or under way."""
    return document_start(
        CERTIFICATE_JOB,
        project=disposal.project,
        kind=CERTIFICATE,
        about=certificate_subject(disposal),
        title=gettext_noop("Print the certificate of destruction"),
        by=by,
    )


def certificate_write(disposal: Disposal, language: str, *, by: Person) -> Document:
    """Print and keep one language, in the series of the certificates of the vault."""
    project, subject, finished_at = disposal.project, certificate_subject(disposal), disposal.finished_at
    assert finished_at is not None  # what was not finished has no certificate
    earlier = Secret.objects.filter(project=project, destroyed_at__lt=disposal.decided_at).count()

    def paper() -> Paper:
        title = _("Certificate of the destruction of data")
        head = DocumentHead(
            number=f"{project.number}-D{earlier + 1}",
            title=title,
            subtitle=project.title,
            project=project.number,
            content_hash=subject.hash,
            made_at=finished_at,
        )
        context = certificate_context(disposal)
        return Paper(head, f"{title} {project.title}", "disposal/certificate_document.html", context)

    return document_write(project, kind=CERTIFICATE, about=subject, language=language, paper=paper, by=by)


def certificate_context(disposal: Disposal) -> dict[str, Any]:
    """Everything the template shows, in the active language."""
    project = disposal.project
    files, keys = measured_rows(disposal), key_rows(disposal.content)
    apart = Secret.objects.filter(pk__in=[one["id"] for one in disposal.keys], apart=True).count()
    recorded = AuditEvent.objects.filter(subject_kind="disposal", subject_id=str(disposal.pk)).order_by("seq")
    return {
        "brief": [
            *cover_facts(project),
            *released_rows(project),
            (_("State of the project"), f"{project.get_state_display()} · {moment(project.state_since)}"),
            (_("Destroyed"), _("%(files)s files and %(keys)s keys") % _numbers(disposal)),
            (_("Keys destroyed"), f"{moment(disposal.decided_at)} · {disposal.decided_by}"),
            (_("Encrypted files removed and looked for"), moment(disposal.finished_at)),
        ],
        "weigh": [
            _(
                "Earlier backups of the database and of the files still hold keys and encrypted files until these backups are deleted too."
            ),
            *([store_backups()] if apart else []),
            copies_text(disposal.measured["copies"]),
        ],
        "facts": [
            (_("Disposal"), str(disposal)),
            (_("Kinds"), _(", ").join(kinds_text(kind) for kind in disposal.kinds)),
            (_("Proposed"), f"{moment(disposal.proposed_at)} · {disposal.proposed_by}"),
            (_("Why it was proposed"), disposal.reason),
            (_("Carried out"), f"{moment(disposal.decided_at)} · {disposal.decided_by}"),
            (_("Reason"), disposal.decision_reason),
            (_("How"), _how(apart)),
        ],
        "files": files,
        "keys": keys,
        "copies": copy_rows(disposal.measured["copies"]),
        "staying": staying(disposal.measured["staying"]),
        "events": [
            (f"{one.seq} · {moment(one.at)}", one.hash)
            for one in recorded
            if one.action in (events.PROPOSED, events.KEYS_DESTROYED, events.FINISHED)
        ],
        "signers": [
            {
                "role": str(Role.PLANNER.label),
                "name": str(disposal.proposed_by),
                "decision": _("Destruction proposed"),
                "time": disposal.proposed_at,
                "reason": disposal.reason,
            },
            {
                "role": str(Role.SUPERVISOR.label),
                "name": str(disposal.decided_by),
                "decision": _("Destroyed"),
                "time": disposal.decided_at,
                "reason": disposal.decision_reason,
            },
        ],
    }


def _how(apart: int) -> str:
    """``apart``: how many of the keys of the vault lay in the store of the keys."""
    if apart:
        return ngettext(
            "Each file was encrypted with a key of its own. These keys and the keys of the vault that are named below, of which %(n)s lay in the store "
            "of the keys, were removed from where they lay; then the encrypted files were removed from the disk, and the disk was checked for any "
            "that remained.",
            "Each file was encrypted with a key of its own. These keys and the keys of the vault that are named below, of which %(n)s lay in the store "
            "of the keys, were removed from where they lay; then the encrypted files were removed from the disk, and the disk was checked for any "
            "that remained.",
            apart,
        ) % {"n": count(apart)}
    return _(
        "Each file was encrypted with a key of its own. These keys and the keys of the vault that are named below were removed from the "
        "database at once; then the encrypted files were removed from the disk, and the disk was checked for any that remained."
    )


def _numbers(disposal: Disposal) -> dict[str, str]:
    return {"files": count(len(disposal.files)), "keys": count(len(disposal.keys))}
