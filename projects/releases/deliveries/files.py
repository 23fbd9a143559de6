"""The files of a release: where they lie, whether they are what was sealed, and their format."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from approvals.request_cache import cached_read
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.processing.models import RunTable
from projects.processing.runs.selectors import result_format
from techniques.core.messages import EngineError

from ..models import Release
from ..seal import sha256_of

if TYPE_CHECKING:
    from techniques.tables.formats import FileFormat

Sealed = tuple[StoredFile | None, str]
"""A stored file, None where its row is gone, and the SHA-256 that it was sealed with."""


@cached_read
def _stored(ids: tuple[str, ...]) -> dict[uuid.UUID, StoredFile]:
    return StoredFile.objects.in_bulk(ids)


def sealed_files(release: Release) -> list[Sealed]:
    """Each of ``release.files`` as it is stored."""
    stored = _stored(tuple(file["stored"] for file in release.files))
    return [(stored.get(uuid.UUID(file["stored"])), file["sha256"]) for file in release.files]


def format_of(release: Release, number: int) -> FileFormat:
    name = release.files[number]["table"]
    return result_format(RunTable.objects.get(run_id=release.run_id, name=name))


def measured_sha256(files: Sequence[Sealed], tick: Callable[[float], None]) -> str:
    """SHA-256 of the first file as it is stored now, if every other one is what was sealed; else zeros.

    A release is handed out whole or not at all, so one altered file stands for all of them.
    """
    total = sum(stored.size for stored, _sealed in files if stored is not None) or 1
    done, found = 0, []
    for stored, _sealed in files:
        size = 0 if stored is None else stored.size
        found.append(_measured(stored, partial(_share_of_all, tick, done, size, total)))
        done += size
    same = all(sha256 == sealed for sha256, (_stored, sealed) in zip(found[1:], files[1:], strict=True))
    return found[0] if same else "0" * 64


def _share_of_all(tick: Callable[[float], None], done: int, size: int, total: int, share: float) -> None:
    tick((done + share * size) / total)


def _measured(stored: StoredFile | None, tick: Callable[[float], None]) -> str:
    try:
        if stored is not None:
            with store_open(stored) as stream:
                return sha256_of(stream, tick, stored.size)
    except EngineError:
        # The store found that its own bytes were altered: a broken seal, not a broken job.
        pass
    return "0" * 64
