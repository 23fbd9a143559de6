"""The encrypted store: files by their row, and workspaces of named files for runs.

``chunks.py`` says what a file looks like on disk.
"""

from __future__ import annotations

import hashlib
import io
import json
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, cast

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from ..models import StoredFile
from .chunks import SharedFile, SharedFiles
from .sealed import StoreReader, StoreWriter, key_of, sync_folder

__all__ = [
    "EncryptedWorkspace",
    "StoredFile",
    "ciphertext_remove",
    "ciphertext_size",
    "store_destroy",
    "store_open",
    "store_remove",
    "store_shred",
    "store_write",
]


@contextmanager
def store_write(purpose: str) -> Iterator[StoreWriter]:
    """``with store_write("dataset") as writer: writer.write(…)``, then ``writer.stored``."""
    with StoreWriter(purpose) as writer:
        yield writer


def store_open(stored: StoredFile, *, whole: bool = False) -> BinaryIO:
    """The plaintext of ``stored`` as a seekable binary stream; ``EngineError`` when it was altered.

    With ``whole`` what is read from the first byte to the last is compared with the SHA-256 of the row too.
    """
    return cast(BinaryIO, io.BufferedReader(StoreReader(stored, whole=whole), 256 * 1024))


def store_destroy(stored: StoredFile) -> None:
    """Destroy the content for good: the key with the transaction, the ciphertext on its commit."""
    StoredFile.objects.filter(pk=stored.pk).update(
        wrapped_key=b"", destroyed_at=timezone.now(), scope="", name=""
    )
    path = stored.path
    transaction.on_commit(lambda: path.unlink(missing_ok=True))


def store_shred(ids: Iterable[uuid.UUID]) -> int:
    """Destroy the keys of files with the transaction; returns how many. The ciphertext, which nothing opens any more, is still there
    until :func:`ciphertext_remove`."""
    return StoredFile.objects.filter(pk__in=list(ids), destroyed_at=None).update(
        wrapped_key=b"", destroyed_at=timezone.now(), scope="", name=""
    )


def ciphertext_size(file_id: uuid.UUID) -> int | None:
    """How many bytes of a file lie on the disk now; None where there is none."""
    try:
        return StoredFile(pk=file_id).path.stat().st_size
    except FileNotFoundError:
        return None


def ciphertext_remove(file_id: uuid.UUID) -> None:
    """Take the ciphertext from the disk, durably; does nothing where there is none."""
    path = StoredFile(pk=file_id).path
    if path.exists():
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def store_remove(stored: StoredFile) -> None:
    """Remove a file that nothing refers to, row and all."""
    path = stored.path
    StoredFile.objects.filter(pk=stored.pk).delete()
    transaction.on_commit(lambda: path.unlink(missing_ok=True))


class EncryptedWorkspace:
    """The engine's workspace over the encrypted store; ``scope`` names the run that owns the files.

    A file appears under its name only when it is whole, and replaces one of the same name then. So a
    worker that takes up a lost run finds whole files only.
    """

    def __init__(self, scope: str) -> None:
        if not scope:
            raise ValueError("a workspace needs a scope")
        self.scope = scope

    def _get(self, name: str) -> StoredFile | None:
        return StoredFile.objects.filter(scope=self.scope, name=name).first()

    def exists(self, name: str) -> bool:
        return StoredFile.objects.filter(scope=self.scope, name=name).exists()

    def open_read(self, name: str) -> BinaryIO:
        """``FileNotFoundError`` when there is no such file."""
        stored = self._get(name)
        if stored is None:
            raise FileNotFoundError(name)
        return store_open(stored)

    def open_write(self, name: str) -> BinaryIO:
        """A stream to use in a ``with`` block; an exception in it leaves the earlier file untouched."""

        def record(stored: StoredFile) -> StoredFile:
            stored.scope, stored.name = self.scope, name
            with transaction.atomic():
                self._remove(StoredFile.objects.select_for_update().filter(scope=self.scope, name=name))
                stored.save(force_insert=True)
            return stored

        return cast(BinaryIO, StoreWriter("workspace", record=record))

    def read_json(self, name: str) -> Any:
        with self.open_read(name) as stream:
            return json.loads(stream.read())

    def write_json(self, name: str, content: Any) -> str:
        """Keep ``content`` whole; returns the SHA-256 of what was written."""
        written = json.dumps(content, ensure_ascii=False).encode()
        with self.open_write(name) as stream:
            stream.write(written)
        return hashlib.sha256(written).hexdigest()

    def delete(self, name: str) -> None:
        """Does nothing when there is no such file."""
        with transaction.atomic():
            self._remove(StoredFile.objects.select_for_update().filter(scope=self.scope, name=name))

    def clear(self) -> None:
        with transaction.atomic():
            self._remove(StoredFile.objects.select_for_update().filter(scope=self.scope))

    def names(self) -> list[str]:
        return list(
            StoredFile.objects.filter(scope=self.scope).order_by("name").values_list("name", flat=True)
        )

    def shared(self) -> SharedFiles:
        """All files as they are now, to be read by other machines."""
        rows = StoredFile.objects.filter(scope=self.scope)
        return SharedFiles(
            {row.name: SharedFile(str(row.path), row.pk, row.size, key_of(row)) for row in rows}
        )

    def stored(self, name: str) -> StoredFile:
        """The row of a file that stays in the workspace; ``FileNotFoundError`` when there is none."""
        found = self._get(name)
        if found is None:
            raise FileNotFoundError(name)
        return found

    def adopt(self, name: str, purpose: str = "result") -> StoredFile:
        """Take a file out of the workspace: from now on the caller's row owns it."""
        stored = self.stored(name)
        stored.scope, stored.name, stored.purpose = "", "", purpose
        stored.save(update_fields=["scope", "name", "purpose"])
        return stored

    @staticmethod
    def _remove(rows: QuerySet[StoredFile]) -> None:
        found = list(rows)
        # All at once: row by row it was nine tenths of the transaction that ends a run, in which a worker holds SQLite's lock.
        StoredFile.objects.filter(pk__in=[row.pk for row in found]).delete()
        for row in found:
            transaction.on_commit(partial(row.path.unlink, missing_ok=True))
