"""What one audit package holds, as it stood at one moment."""

from __future__ import annotations

import uuid
from collections import deque
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from itertools import count as count_from
from pathlib import PurePosixPath
from typing import Any

from django.utils import timezone

from approvals.audit.anchors import Anchor
from approvals.documents.models import Document
from approvals.documents.sealing import SealBroken
from approvals.documents.selectors import documents_of_project
from approvals.documents.services import document_open
from techniques.core.messages import EngineError

from ..models import Project
from .decisions import Decisions, decisions_of
from .layout import ATTACHMENTS, DOCUMENTS, FORMAT
from .registry import Enclosure, enclosures_of


@dataclass(frozen=True)
class Package:
    """``files`` are to be read, by their name in the package; of those that are documents ``documents`` says the rest. ``lost`` are
    the keys of files that can no longer be read, by their name; ``end`` is the end of the whole log."""

    project: Project
    by: str
    at: datetime
    decisions: Decisions
    end: Anchor | None = None
    files: dict[str, Enclosure] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)

    @property
    def filename(self) -> str:
        return f"{self.project.number}-audit-package-{timezone.localtime(self.at):%Y%m%d-%H%M%S}.zip"

    @property
    def attachments(self) -> dict[str, Enclosure]:
        return {name: one for name, one in self.files.items() if name not in self.documents}

    def about(self) -> dict[str, Any]:
        """``package.json``."""
        return {
            "format": FORMAT,
            "project": {
                "id": str(self.project.pk),
                "number": self.project.number,
                "title": self.project.title,
                "state": self.project.state,
            },
            "taken_at": self.at.isoformat(),
            "taken_by": self.by,
            "log_end": {"seq": self.end.seq, "hash": self.end.hash} if self.end else None,
            "documents": [{"file": name, **_said(one)} for name, one in self.documents.items()],
            "attachments": [{"file": name, "sha256": one.sha256} for name, one in self.attachments.items()],
            "lost": [{"file": name, "id": key} for name, key in self.lost.items()],
        }


def unreadable(project: Project) -> set[str]:
    """The keys of the files that can no longer be read as they were kept. Each is read once, one after the other."""
    return {one.key for _folder, one, _document in _files(project) if not _is_whole(one)}


def package_of(project: Project, *, by: str, lost: Collection[str]) -> Package:
    """What there is now, but the files whose keys are ``lost``. To be called while nobody writes, so that all of it fits together."""
    package = Package(project, by, timezone.now(), decisions_of(project))
    for folder, one, document in _files(project):
        name = _free(folder + one.name, {*package.files, *package.lost})
        if one.key in lost:
            package.lost[name] = one.key
            continue
        package.files[name] = one
        if document is not None:
            package.documents[name] = document
    return package


def _files(project: Project) -> Iterator[tuple[str, Enclosure, Document | None]]:
    """Each file with the folder that it lies in, and the document that it is, if it is one."""
    for document in documents_of_project(project.pk).order_by("kind", "created_at", "-language"):
        read = partial(_read, document.pk)
        yield DOCUMENTS, Enclosure(str(document.pk), document.filename, document.sha256, read), document
    for enclosure in enclosures_of(project):
        yield ATTACHMENTS, enclosure, None


def _read(document_id: uuid.UUID) -> Iterable[bytes]:
    return [document_open(Document.objects.get(pk=document_id))]


def _is_whole(one: Enclosure) -> bool:
    try:
        deque(one.read(), maxlen=0)
    except (SealBroken, EngineError, OSError):
        return False
    return True


def _free(name: str, taken: Container[str]) -> str:
    """``name``, or with a number before its ending where it is another file's."""
    path = PurePosixPath(name)
    names = chain([name], (str(path.with_stem(f"{path.stem}-{n}")) for n in count_from(2)))
    return next(one for one in names if one not in taken)


def _said(document: Document) -> dict[str, Any]:
    return {
        "id": str(document.pk),
        "number": document.number,
        "title": document.title,
        "kind": document.kind,
        "language": document.language,
        "subject": {
            "kind": document.subject_kind,
            "id": document.subject_id,
            "hash": document.subject_hash,
        },
        "sha256": document.sha256,
        "size": document.size,
        "made_at": document.created_at.isoformat(),
    }
