"""The only writer of documents."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.db import IntegrityError

from approvals.audit.recording import recording
from approvals.governance.draft import Subject
from approvals.governance.person import Person

from . import events
from .models import Document
from .sealing import SealBroken, seal, unseal
from .selectors import document_find, numbers_taken


class NumberTaken(Exception):
    """Another content of the project has this number already: the document has to be written with the next."""


def document_create(
    *,
    kind: str,
    subject: Subject,
    project_id: uuid.UUID,
    number: str,
    title: str,
    language: str,
    content: bytes,
    by: Person | None,
) -> Document:
    """Keep ``content``, a PDF, as the document of ``kind`` about exactly this content of ``subject``.

    When there already is one, that one is returned and nothing is written: a job that runs a second
    time after its worker was lost makes no second document. Raises :class:`NumberTaken`.
    """
    if not content.startswith(b"%PDF-"):
        raise ValueError("not a PDF")
    known = document_find(kind=kind, subject=subject, language=language)
    if known is not None:
        return known
    document = Document(
        project_id=project_id,
        kind=kind,
        subject_kind=subject.kind,
        subject_id=subject.id,
        subject_hash=subject.hash,
        number=number,
        title=title[:200],
        language=language,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        created_by=by,
    )
    document.sealed = seal(content, bound_to=str(document.pk))
    try:
        facts: dict[str, Any] = {"kind": kind, "language": language, "size": len(content)}
        with recording(events.DOCUMENT_CREATED, by=by, about=document, **facts):
            if number in numbers_taken(project_id, kind=kind, subject=subject):
                raise NumberTaken(number)
            document.save(force_insert=True)
    except IntegrityError:
        # Somebody was faster with the same document.
        known = document_find(kind=kind, subject=subject, language=language)
        if known is None:
            raise
        return known
    return document


def document_open(document: Document) -> bytes:
    """The PDF in the clear; raises :class:`.sealing.SealBroken`, and the log says so, when it is not what was made."""
    try:
        content = unseal(bytes(document.sealed), bound_to=str(document.pk))
        if hashlib.sha256(content).hexdigest() != document.sha256:
            raise SealBroken("another content than was recorded")
    except SealBroken:
        with recording(events.SEAL_BROKEN, by=None, about=document):
            pass
        raise
    return content
