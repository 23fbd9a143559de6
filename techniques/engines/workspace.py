"""The place where a run keeps what it has done so far."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol
from uuid import uuid4


class Workspace(Protocol):
    """Named files of one run. They hold raw data: who provides a workspace answers for its protection."""

    def open_read(self, name: str) -> BinaryIO:
        """A seekable stream of a whole file; FileNotFoundError if there is none."""

    def open_write(self, name: str) -> AbstractContextManager[BinaryIO]:
        """A stream for a new file, which replaces an older one only when the block ends without an error.

        It is written from its first to its last byte: ``write``, ``flush`` and ``closed`` are all it needs.
        """

    def exists(self, name: str) -> bool:
        """Whether a whole file of this name is there."""

    def delete(self, name: str) -> None:
        """Remove a file; nothing happens if there is none."""


class DirectoryWorkspace:
    """A folder, readable by its owner only. Half-written files carry a name of their own until they are whole.

    If ``durable``, a file that is there outlives a failure of the machine; where nobody will go on in the folder, that is not waited for.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self.folder = folder
        self.durable = durable
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def open_read(self, name: str) -> BinaryIO:
        """The file, buffered."""
        return (self.folder / name).open("rb")

    @contextmanager
    def open_write(self, name: str) -> Iterator[BinaryIO]:
        """Written beside the target, then renamed over it."""
        partial = self.folder / f".{name}.{uuid4().hex}"
        try:
            with partial.open("xb") as stream:
                yield stream
                stream.flush()
                if self.durable:
                    os.fsync(stream.fileno())
            partial.replace(self.folder / name)
        finally:
            partial.unlink(missing_ok=True)

    def exists(self, name: str) -> bool:
        """Whether the file is there."""
        return (self.folder / name).is_file()

    def delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)
