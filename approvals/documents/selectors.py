"""Reading documents. Lists leave the sealed bytes in the database."""

from __future__ import annotations

import uuid
from itertools import count

from django.db.models import Q, QuerySet

from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.request_cache import cached_read

from .models import Document
from .registry import may_see


def document_get(user: Person, document_id: uuid.UUID) -> Document:
    """The document if ``user`` may see it; else ``Document.DoesNotExist``, as if it were not there."""
    document = Document.objects.select_related("created_by").get(pk=document_id)
    if not may_see(user, document):
        raise Document.DoesNotExist
    return document


def document_find(*, kind: str, subject: Subject, language: str) -> Document | None:
    """The document of ``kind`` about exactly this content of ``subject`` in ``language``."""
    return (
        Document.objects.defer("sealed")
        .filter(
            kind=kind,
            subject_kind=subject.kind,
            subject_id=subject.id,
            subject_hash=subject.hash,
            language=language,
        )
        .first()
    )


def documents_about(subject: Subject, *, kind: str = "") -> QuerySet[Document]:
    """Documents about exactly this content, the Chinese ones first, for callers who found the subject among the visible ones."""
    documents = (
        Document.objects.defer("sealed")
        .filter(subject_kind=subject.kind, subject_id=subject.id, subject_hash=subject.hash)
        .order_by("-language", "created_at")
    )
    return documents.filter(kind=kind) if kind else documents


def documents_of_project(project_id: uuid.UUID) -> QuerySet[Document]:
    """Every document of a project that the caller found among the visible ones: the Chinese ones first, of each language the newest."""
    found = Document.objects.defer("sealed").filter(project_id=project_id).select_related("created_by")
    return found.order_by("-language", "-created_at")


@cached_read
def documents_made(project_id: uuid.UUID) -> list[Document]:
    """Every document of a project, by kind and time, the Chinese one first."""
    return list(documents_of_project(project_id).order_by("kind", "created_at", "-language"))


def numbers_taken(project_id: uuid.UUID, *, kind: str, subject: Subject) -> set[str]:
    """The numbers that documents of the project about another content, or of another kind, have."""
    same = Q(kind=kind, subject_kind=subject.kind, subject_id=subject.id, subject_hash=subject.hash)
    return set(Document.objects.filter(project_id=project_id).exclude(same).values_list("number", flat=True))


def number_for(project_id: uuid.UUID, *, kind: str, subject: Subject, series: str, wanted: int) -> str:
    """The number of a document in its ``series``, as ``2026-0003-V``: what this content has in another language, or the
    first that is free from ``wanted`` on."""
    known = documents_about(subject, kind=kind).values_list("number", flat=True).first()
    if known:
        return known
    taken = numbers_taken(project_id, kind=kind, subject=subject)
    return next(number for n in count(wanted) if (number := f"{series}{n}") not in taken)
