"""The document that comes with a version: received straight into the encrypted store."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from projects.datasets.upload.uploading import FIELD, Upload
from projects.objective.notice.files import MAX_BYTES

from .services import PURPOSE, Document


def document_receiving(request: HttpRequest) -> Upload:
    """To be entered before anything reads the body."""
    return Upload(request, purpose=PURPOSE, limit=MAX_BYTES)


def document_taken(upload: Upload, files: Any) -> Document | None:
    """The document where one was sent; ``EngineError`` for one that is too large or broke off. From here on the caller answers for it."""
    sent = files.get(FIELD)
    if sent is None and not upload.handler.too_large:
        return None
    return Document(*upload.taken(sent))
