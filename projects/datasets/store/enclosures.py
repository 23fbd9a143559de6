"""Files of the store in an audit package."""

from __future__ import annotations

from collections.abc import Iterator

from projects.core.audit_package.registry import Enclosure

from ..models import StoredFile
from .responses import pieces_of
from .store import store_open


def enclosure(name: str, stored: StoredFile) -> Enclosure:
    """``stored`` under ``name``; read whole, so that what was altered is found."""

    def read() -> Iterator[bytes]:
        return pieces_of(store_open(stored, whole=True))

    return Enclosure(str(stored.pk), name, stored.sha256, read)
