"""One encrypted file of the store as it is written and read by its row, nothing in plaintext on disk.

``chunks.py`` says what it looks like. A file appears under its name only when it is whole and on disk.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import io
import os
import secrets
import struct
import uuid
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from projects.vault.keys import key_new, key_unwrap, key_wrap
from techniques.core.messages import EngineError, gettext_noop

from ..models import StoredFile
from .chunks import CHUNK, HEADER, MAGIC, PREFIX, TAG, ChunkReader, associated, damaged_file

__all__ = [
    "CHUNK",
    "HEADER",
    "TAG",
    "StoreReader",
    "StoreWriter",
    "damaged",
    "no_room",
    "parts_dir",
    "sync_folder",
]


def damaged(stored: StoredFile) -> EngineError:
    return damaged_file(stored.pk)


def parts_dir() -> Path:
    """Files that are being written; each is locked by its writer for as long as that lives."""
    return Path(settings.DEID_STORE_DIR) / "parts"


def sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# The disk is full, the quota is used up, the file is larger than this process may write.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def no_room() -> EngineError:
    return EngineError(
        "store.full",
        gettext_noop(
            "There is no room left where the portal keeps its files; nothing was kept. Tell an administrator."
        ),
    )


class StoreWriter(io.RawIOBase):
    """Takes plaintext, writes ciphertext, holds at most two chunks in memory.

    ``commit`` (or leaving the ``with`` block in order, or ``close`` without one) makes the file appear
    and ``stored`` its row; leaving by an exception, ``abort`` and the garbage collector remove it.
    """

    def __init__(self, purpose: str, *, record: Callable[[StoredFile], StoredFile] | None = None) -> None:
        super().__init__()
        self._file: Any = None
        self.purpose, self._record = purpose, record
        self.id, self._key = uuid.uuid4(), key_new()
        self._cipher, self._prefix = AESGCM(self._key), secrets.token_bytes(PREFIX)
        self._buffer, self._index, self.size = bytearray(), 0, 0
        self._digest = hashlib.sha256()
        self._stored: StoredFile | None = None
        self._managed = False
        folder = parts_dir()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._part = folder / f"{self.id.hex}.part"
        handle = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file = os.fdopen(handle, "wb", buffering=0)
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self._append(MAGIC + self._prefix)

    @property
    def stored(self) -> StoredFile:
        """The row; only after the commit."""
        if self._stored is None:
            raise ValueError("the file is not written to its end yet")
        return self._stored

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def write(self, data: Any) -> int:
        if self._file is None:
            raise ValueError("write to a finished file")
        view = memoryview(data).cast("B")
        self._digest.update(view)
        self.size += len(view)
        position = 0
        while position < len(view):
            # A full chunk is written only when more follows: the last one is marked as such.
            if len(self._buffer) == CHUNK:
                self._flush_chunk(last=False)
            take = view[position : position + CHUNK - len(self._buffer)]
            self._buffer += take
            position += len(take)
        return len(view)

    def _flush_chunk(self, *, last: bool) -> None:
        nonce = self._prefix + struct.pack(">I", self._index)
        self._append(self._cipher.encrypt(nonce, bytes(self._buffer), associated(self.id, self._index, last)))
        self._index += 1
        self._buffer.clear()

    def _append(self, data: bytes) -> None:
        """All of ``data``; EngineError ``store.full`` where there is no room, and nothing of the file stays."""
        rest = memoryview(data)
        try:
            while rest:
                # Of the last write before a disk is full only a part is taken, without an error.
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            self.abort()
            raise no_room() from None

    def commit(self) -> StoredFile:
        """Write the last chunk, make the file durable, give it its name, then write its row."""
        if self._stored is not None:
            return self._stored
        if self._file is None:
            raise ValueError("the file was given up")
        self._flush_chunk(last=True)
        os.fsync(self._file.fileno())
        stored = StoredFile(id=self.id, purpose=self.purpose, size=self.size, sha256=self._digest.hexdigest())
        stored.wrapped_key = key_wrap(self._key, stored.context)
        created = not stored.path.parent.exists()
        stored.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.replace(self._part, stored.path)
        self._release()
        sync_folder(stored.path.parent)
        if created:
            sync_folder(stored.path.parent.parent)
        try:
            if self._record is not None:
                stored = self._record(stored)
            else:
                stored.save(force_insert=True)
        except BaseException:
            stored.path.unlink(missing_ok=True)
            raise
        self._stored = stored
        return stored

    def abort(self) -> None:
        """Remove what was written; does nothing after the commit."""
        if self._file is not None:
            self._part.unlink(missing_ok=True)
            self._release()

    def _release(self) -> None:
        file, self._file = self._file, None
        self._key = b""
        if file is not None:
            file.close()

    def close(self) -> None:
        if self.closed:
            return
        if self._file is not None and not self._managed:
            self.commit()
        super().close()

    def __enter__(self) -> StoreWriter:
        self._managed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.abort()
        super().close()

    def __del__(self) -> None:
        # The garbage collector must never make half a file appear.
        with contextlib.suppress(Exception):
            self.abort()
            super().close()


class StoreReader(ChunkReader):
    """Decrypts the chunks that are asked for.

    With ``whole`` the chunks that are read in order are hashed on the way, and what comes out at the last
    one has to be the row's SHA-256; a reader that jumps about relies on the chunks' own proofs.
    """

    def __init__(self, stored: StoredFile, *, whole: bool = False) -> None:
        self._digest = hashlib.sha256() if whole else None
        self._hashed = 0
        self._stored = stored
        super().__init__(stored.path, stored.pk, stored.size, key_of(stored))

    def _met(self, index: int, plain: bytes) -> None:
        if self._digest is None or index != self._hashed:
            return
        self._digest.update(plain)
        self._hashed += 1
        if self._hashed == self.chunks and self._digest.hexdigest() != self._stored.sha256:
            raise damaged(self._stored)


def key_of(stored: StoredFile) -> bytes:
    """The key of a file; ``EngineError`` when that was destroyed."""
    if stored.destroyed_at is not None or not stored.wrapped_key:
        text = gettext_noop("The content of the stored file %(file)s was destroyed.")
        raise EngineError("store.destroyed", text, file=str(stored.pk))
    return key_unwrap(bytes(stored.wrapped_key), stored.context)
