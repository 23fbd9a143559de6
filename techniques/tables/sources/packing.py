"""Packed files: gzip and Zstandard, unpacked piece by piece within limits, and packed the same way."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator
from typing import BinaryIO, cast

import pyarrow as pa

from techniques.tables import limits
from techniques.tables.problems import problem
from techniques.tables.sources.forms import Packing

_PIECE = 1 * limits.MIB
_NAMES: dict[Packing, str] = {"gzip": "gzip", "zstd": "Zstandard"}


def unpack(source: BinaryIO, packing: Packing, target: BinaryIO, size: int) -> None:
    """Write the unpacked content of ``source``, of ``size`` bytes, to ``target``.

    EngineError ``table.packed.broken`` where it ends early or is damaged, ``table.packed.bomb`` where it unpacks too far.
    """
    most = min(limits.MAX_UNPACKED, max(limits.UNPACKED_RATIO_FROM, size * limits.MAX_UNPACKED_RATIO))
    done = 0
    with pa.CompressedInputStream(pa.PythonFile(source, mode="r"), packing) as stream:
        while piece := _next(stream, packing):
            done += len(piece)
            if done > most:
                raise problem("table.packed.bomb", kind=_NAMES[packing], limit=most)
            target.write(piece)


def _next(stream: pa.CompressedInputStream, packing: Packing) -> bytes:
    with contextlib.suppress(OSError, pa.ArrowInvalid):
        return bytes(stream.read(_PIECE))
    raise problem("table.packed.broken", kind=_NAMES[packing])


@contextlib.contextmanager
def packed(target: BinaryIO, packing: Packing | None) -> Iterator[BinaryIO]:
    """A stream to write to; what is written arrives packed at ``target``, which stays open."""
    if packing is None:
        yield target
        return
    if packing == "gzip":
        # Arrow has no choice of a level and takes the slowest; no name and no time, so that the bytes are the same again.
        with gzip.GzipFile("", "wb", 6, target, mtime=0) as stream:
            yield cast(BinaryIO, stream)
        return
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(pa.PythonFile(_Open(target), mode="w"))
        yield stack.enter_context(pa.CompressedOutputStream(kept, packing))


class _Open:
    """A stream that others may close without closing it."""

    closed = False

    def __init__(self, target: BinaryIO) -> None:
        self.write = target.write
        self.flush = target.flush

    def close(self) -> None:
        """Nothing: its owner closes it."""
