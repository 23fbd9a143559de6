"""What an encrypted file looks like, and how it is read with its key alone: here, or on another machine, which has no Django.

AES-256-GCM in chunks, a key per file. A file is ``MAGIC | nonce prefix (8) | chunk | chunk | …``; a chunk is up to ``CHUNK`` bytes of
plaintext encrypted with nonce = prefix + counter (4 bytes, big-endian) and a 16-byte tag. The associated data bind the file's id, the
chunk's index and whether it is the last one, so that a flipped, moved, copied or cut-off chunk does not open.
"""

from __future__ import annotations

import io
import os
import struct
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from techniques.core.messages import EngineError, gettext_noop

MAGIC = b"DEIDENC1"
CHUNK = 1024 * 1024
TAG = 16
PREFIX = 8
HEADER = len(MAGIC) + PREFIX
# Decrypted chunks that an open file keeps.
CACHED_CHUNKS = 4


def damaged_file(file_id: uuid.UUID) -> EngineError:
    text = gettext_noop("The stored file %(file)s is damaged or was altered; it must not be used.")
    return EngineError("store.damaged", text, file=str(file_id))


def associated(file_id: uuid.UUID, index: int, last: bool) -> bytes:
    return file_id.bytes + struct.pack(">Q?", index, last)


class ChunkReader(io.RawIOBase):
    """Decrypts the chunks that are asked for of a file of ``size`` bytes of plaintext."""

    def __init__(self, path: Path, file_id: uuid.UUID, size: int, key: bytes) -> None:
        super().__init__()
        self._file: Any = None
        self._id, self._size = file_id, size
        self._cipher = AESGCM(key)
        try:
            self._file = open(path, "rb", buffering=0)  # noqa: SIM115  closed with the reader
        except FileNotFoundError:
            raise damaged_file(file_id) from None
        header = self._file.read(HEADER)
        self.chunks = max(1, -(-size // CHUNK))
        expected = HEADER + size + self.chunks * TAG
        if header[: len(MAGIC)] != MAGIC or os.fstat(self._file.fileno()).st_size != expected:
            self.close()
            raise damaged_file(file_id)
        self._prefix = header[len(MAGIC) :]
        self._position = 0
        self._cache: dict[int, bytes] = {}
        if size == 0:
            self._chunk(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise ValueError("negative seek position")
        self._position = base + offset
        return self._position

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        if self._position >= self._size:
            return 0
        index, within = divmod(self._position, CHUNK)
        piece = memoryview(self._chunk(index))[within : within + len(view)]
        view[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)

    def _chunk(self, index: int) -> bytes:
        found = self._cache.pop(index, None)
        if found is None:
            last = index == self.chunks - 1
            size = self._size - index * CHUNK if last else CHUNK
            sealed = os.pread(self._file.fileno(), size + TAG, HEADER + index * (CHUNK + TAG))
            nonce = self._prefix + struct.pack(">I", index)
            try:
                found = self._cipher.decrypt(nonce, sealed, associated(self._id, index, last))
            except InvalidTag:
                raise damaged_file(self._id) from None
            self._met(index, found)
            while len(self._cache) >= CACHED_CHUNKS:
                self._cache.pop(next(iter(self._cache)))
        self._cache[index] = found
        return found

    def _met(self, index: int, plain: bytes) -> None:
        """A chunk was decrypted that is not kept."""

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
            self._cache = {}
        super().close()


@dataclass(frozen=True)
class SharedFile:
    """A file by all that is needed to read it."""

    path: str
    id: uuid.UUID
    size: int
    key: bytes = field(repr=False)


class SharedFiles:
    """The files of a workspace, to be read by other machines that see the folder of the store; nothing is written. As secret as
    the files: it holds their keys."""

    def __init__(self, files: dict[str, SharedFile]) -> None:
        self._files = files

    def open_read(self, name: str) -> BinaryIO:
        """FileNotFoundError when there is no such file; EngineError ``store.unseen`` where this machine does not see it."""
        if name not in self._files:
            raise FileNotFoundError(name)
        file = self._files[name]
        path = Path(file.path)
        if not os.access(path, os.R_OK):
            text = gettext_noop(
                "A machine of the cluster cannot read the portal's encrypted files: their folder has to lie in the same place there, for the same user."
            )
            raise EngineError("store.unseen", text)
        return cast(BinaryIO, io.BufferedReader(ChunkReader(path, file.id, file.size, file.key), 256 * 1024))

    @contextmanager
    def open_write(self, name: str) -> Iterator[BinaryIO]:
        raise PermissionError(name)
        yield

    def exists(self, name: str) -> bool:
        return name in self._files

    def delete(self, name: str) -> None:
        raise PermissionError(name)
