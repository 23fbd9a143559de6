"""The files that a command writes: never one that it reads, and whole or not there at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from techniques.core.messages import EngineError, _

_DEVICES = ("/dev/", "/proc/")


@dataclass(frozen=True)
class _Pending:
    """A file that is written beside its place: ``partial`` becomes ``target``."""

    partial: Path
    target: Path


class Outputs:
    """Checks at once where a command wants to write, and puts all of it into place at the end of the ``with`` block.

    ``outputs`` and ``inputs`` may hold None for what was not asked for. ``folders``, with their modes, are made at the
    end where they are missing. Nothing is written before :meth:`open` or :meth:`beside`; after an exception nothing is left. What is no regular file (a
    pipe, a device) is written to at the end.

    Raises EngineError ``output_is_input``, ``output_twice``, ``output_is_folder``, ``output_folder_missing``,
    ``output_folder_closed``.

    >>> with Outputs([result, report], [table]) as files:
    ...     files.text(report, "{}")
    """

    def __init__(
        self,
        outputs: Iterable[Path | None],
        inputs: Iterable[Path | None] = (),
        folders: Mapping[Path, int] | None = None,
    ) -> None:
        self._folders = dict(folders or {})
        self._outputs: list[Path] = []
        self._inputs: list[Path] = []
        self._pending: list[_Pending] = []
        self._streams: list[BinaryIO] = []
        self._stack = ExitStack()
        self.reads(*inputs)
        self.writes(*outputs)

    def writes(self, *outputs: Path | None) -> None:
        """Further files that the command will write."""
        for path in outputs:
            if path is not None:
                self._name(path)

    def reads(self, *inputs: Path | None) -> None:
        """Further files that the command reads."""
        for path in inputs:
            if path is not None:
                self._inputs.append(path)
                for output in self._outputs:
                    _apart(output, path)

    def beside(self, path: Path) -> Path:
        """A place where somebody else may write the file ``path`` until the end of the ``with`` block."""
        if path not in self._outputs:
            self._name(path)
        if _is_stream(path):
            folder, target = Path(tempfile.gettempdir()), path
        else:
            target = path.resolve()  # what a link points to is replaced, the link stays
            folder = next(folder for folder in target.parents if folder.is_dir())
        scratch = self._stack.enter_context(tempfile.TemporaryDirectory(prefix=".deid-", dir=folder))
        self._pending.append(_Pending(Path(scratch) / "whole", target))
        return self._pending[-1].partial

    def open(self, path: Path, mode: int = 0o666) -> BinaryIO:
        """A stream to write the file ``path`` to; it is closed at the end of the ``with`` block at the latest."""
        descriptor = os.open(self.beside(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        self._streams.append(os.fdopen(descriptor, "wb"))
        return self._streams[-1]

    def text(self, path: Path, text: str) -> None:
        """Write a file of text, UTF-8."""
        with self.open(path) as stream:
            stream.write(text.encode())

    def _name(self, path: Path) -> None:
        for other in self._inputs:
            _apart(path, other)
        if not _is_stream(path) and any(_same(path, other) for other in self._outputs):
            text = _("%(path)s is named for two outputs: give each a name of its own.")
            raise EngineError("output_twice", text, path=str(path))
        if path.is_dir():
            raise EngineError(
                "output_is_folder", _("%(path)s is a folder: give the name of a file."), path=str(path)
            )
        folder = path.resolve().parent
        if not folder.is_dir() and not any(_same(folder, one) for one in self._folders):
            text = _("The folder of %(path)s does not exist: make it first.")
            raise EngineError("output_folder_missing", text, path=str(path))
        if folder.is_dir() and not _is_stream(path) and not os.access(folder, os.W_OK):
            text = _("Nothing may be written into the folder of %(path)s.")
            raise EngineError("output_folder_closed", text, path=str(path))
        self._outputs.append(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        with self._stack:
            for stream in self._streams:
                stream.close()
            if kind is not None:
                return
            for folder, mode in self._folders.items():
                folder.mkdir(mode, parents=True, exist_ok=True)
            for one in self._pending:
                if _is_stream(one.target):
                    with one.partial.open("rb") as whole, one.target.open("wb") as stream:
                        shutil.copyfileobj(whole, stream)
                else:
                    one.partial.replace(one.target)


def _apart(output: Path, given: Path) -> None:
    if _same(output, given):
        text = _("%(path)s would overwrite a file that is read: give another name.")
        raise EngineError("output_is_input", text, path=str(output))


def _same(one: Path, other: Path) -> bool:
    """Whether two names are one file, by links of either kind too; the files need not be there."""
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def _is_stream(path: Path) -> bool:
    """A pipe or a device: it cannot be replaced by a file."""
    return str(path).startswith(_DEVICES) or (path.exists() and not path.is_file() and not path.is_dir())
