"""What a worker does with a query: gives the released rows to the sandbox, and takes what comes out. Loads the engine."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from projects.datasets.models import StoredFile
from projects.datasets.samples import MAX_CELL, MOST_ROWS

from .selectors import Source, source_open

if TYPE_CHECKING:
    from subprocess import Popen

SANDBOX = Path(__file__).with_name("sandbox.py")
MOST_COLUMNS = 200
MOST_CHARACTERS = 2_000_000
"""Of all cells that are shown: a page of more no browser carries."""
MOST_BYTES = 32 * 2**20
"""What the sandbox may say, whatever became of it: more than JSON needs for as many characters, far less than the memory of a worker."""
WAIT = 0.2
GRACE = 10.0
"""Seconds after its time limit in which the sandbox may say that it was reached, before it is stopped from outside."""


def found_by(
    statement: str, sources: Mapping[str, Source], files: Sequence[StoredFile], tick: Callable[[float], None]
) -> dict[str, Any]:
    """What ``statement`` finds in the tables ``sources``, whose rows lie in ``files``, or why nothing: as :mod:`.sandbox` writes it.

    Nothing lies on a disk meanwhile: rows go through a pipe into the memory of the sandbox, which ends with it.
    """
    task = {
        "statement": statement,
        "tables": {name: source.columns for name, source in sources.items()},
        "memory_mb": settings.DEID_QUERY_MEMORY_MB,
        "seconds": settings.DEID_QUERY_SECONDS,
        "rows": MOST_ROWS,
        "columns": MOST_COLUMNS,
        "cell": MAX_CELL,
        "characters": MOST_CHARACTERS,
    }
    with _sandbox() as process:
        answer = _Reading(process)
        # It reads no further where it has said why, or where its memory was used up.
        with suppress(BrokenPipeError):
            _given(process, task, zip(sources.values(), files, strict=True), tick)
        end = time.monotonic() + settings.DEID_QUERY_SECONDS + GRACE
        while not answer.is_there(WAIT):
            tick(0.9)
            if time.monotonic() > end:
                return {"error": "time", "hint": ""}
        return answer.read()


@contextmanager
def _sandbox() -> Iterator[Popen[bytes]]:
    """A process without environment; whatever happens, it is gone afterwards."""
    process = subprocess.Popen(
        [sys.executable, "-I", str(SANDBOX)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={}, cwd="/",
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        process.wait()


def _given(
    process: Popen[bytes],
    task: dict[str, Any],
    sources: Iterable[tuple[Source, StoredFile]],
    tick: Callable[[float], None],
) -> None:
    import pyarrow as pa

    pipe = process.stdin
    assert pipe is not None
    pipe.write(json.dumps(task).encode() + b"\n")
    for source, stored in sources:
        schema = pa.schema([(name, pa.string()) for name in source.columns])
        with pa.ipc.new_stream(pipe, schema) as stream, source_open(source, stored) as reader:
            for batch in reader.batches():
                stream.write_batch(pa.RecordBatch.from_arrays(batch.columns, schema=schema))
                tick(0.5)
    pipe.close()


class _Reading:
    """What the sandbox writes, read while the worker tells that it lives."""

    def __init__(self, process: Popen[bytes]) -> None:
        self._process = process
        self._found = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        self._found = self._process.stdout.read(MOST_BYTES)

    def is_there(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def read(self) -> dict[str, Any]:
        """What was said; why a sandbox ends without a word, or says more than it may, nobody knows."""
        try:
            found: dict[str, Any] = json.loads(self._found)
        except ValueError:
            found = {"error": "ended", "hint": ""}
        return found
