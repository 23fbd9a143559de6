"""The scan of a signed paper: received straight into the encrypted store, its type read from its bytes."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from projects.core.audit_package.registry import Enclosure
from techniques.core.messages import EngineError, gettext_noop

from ..models import StoredFile
from ..store.enclosures import enclosure
from ..store.store import store_open, store_remove
from .uploading import Upload

MAX_BYTES = 20 * 1024**2
# First bytes → content type and ending. What a file is called or says it is plays no part.
_TYPES = (
    (b"%PDF-", "application/pdf", "pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png", "png"),
    (b"\xff\xd8\xff", "image/jpeg", "jpg"),
)


def scan_receiving(request: HttpRequest, purpose: str) -> Upload:
    """To be entered before anything reads the body; ``scan_taken`` ends it."""
    return Upload(request, purpose=purpose, limit=MAX_BYTES)


def scan_taken(receiving: Upload, uploaded: Any) -> StoredFile | None:
    """The received scan, or None where none was sent; ``EngineError`` for what is not a PDF, PNG or JPEG."""
    if uploaded is None and not receiving.handler.too_large:
        return None
    stored, _name = receiving.taken(uploaded)
    if scan_type(stored) is None:
        store_remove(stored)
        raise EngineError("agreement.scan_type", gettext_noop("The scan must be a PDF, PNG or JPEG file."))
    return stored


def scan_enclosure(name: str, stored: StoredFile) -> Enclosure:
    """A scan in an audit package, under ``name`` with the ending that its bytes have."""
    try:
        kind = scan_type(stored)
    except (EngineError, OSError):
        kind = None  # and whoever reads it finds the same
    return enclosure(f"{name}.{kind[1]}" if kind else name, stored)


def scan_type(stored: StoredFile) -> tuple[str, str] | None:
    """Content type and ending by the first bytes."""
    with store_open(stored) as stream:
        head = stream.read(16)
    return next(((kind, ending) for magic, kind, ending in _TYPES if head.startswith(magic)), None)
