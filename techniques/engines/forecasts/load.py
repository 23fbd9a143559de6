"""What a run takes of the machine: time, processor, memory and space, measured on samples of a table and carried over to the whole
(T/ISC 0078 7.4 b)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from techniques.core.settings import Frozen
from techniques.engines.parts import Source
from techniques.tables import FileFormat, TableWriter, open_table

_OWN = Path("/proc/self")


class Load(Frozen):
    """What a run over ``rows`` rows takes. ``seconds`` by the clock, ``processor`` of all threads and child processes together, both
    None where they were too short to be carried over;
    ``memory``: bytes at the highest beyond what the process held before, None where the system does not say; ``space``: bytes that
    lie in the workspace at the end, the ``result`` among them."""

    rows: int
    seconds: float | None
    processor: float | None
    memory: int | None
    space: int
    result: int


def sample_sizes(rows: int, most: int) -> tuple[int, ...]:
    """A quarter of the largest sample and the largest one, which is the whole table where that has no more than ``most`` rows; one
    size alone where a quarter has no row."""
    largest = min(rows, most)
    return (largest // 4, largest) if largest >= 4 else (largest,)


def sample_write(source: Source, rows: int, seed: int, stream: BinaryIO) -> FileFormat:
    """Write ``rows`` rows of the source, drawn without replacement and in their order, to ``stream``; returns the form of the
    file, which is that of the source but for a workbook, of which the sample is CSV."""
    drawn = np.zeros(source.rows, dtype=bool)
    drawn[np.random.default_rng(seed).choice(source.rows, rows, replace=False)] = True
    with source.open() as opened, open_table(opened, source.format) as table:
        kind = "csv" if source.format.kind == "xlsx" else source.format.kind
        written = source.format.model_copy(update={"kind": kind, "header": True, "missing": ()})
        place = 0
        with TableWriter(
            stream, written, list(table.columns), neutralise_formulas=False, types=table.types
        ) as writer:
            for batch in table.batches():
                here = drawn[place : place + batch.num_rows]
                place += batch.num_rows
                if here.any():
                    writer.write(batch.filter(pa.array(here)))
    return written


def load_of(rows: int, run: Callable[[], object], space: Callable[[], tuple[int, int]]) -> Load:
    """What ``run`` takes; ``space`` says afterwards (bytes in the workspace, bytes of the result)."""
    memory = _highest_memory()
    began, before = time.perf_counter(), os.times()
    run()
    after, seconds = os.times(), time.perf_counter() - began
    most = memory()
    processor = sum(after[:4]) - sum(before[:4])
    lying, result = space()
    return Load(rows=rows, seconds=seconds, processor=processor, memory=most, space=lying, result=result)


def carried_over(measured: list[Load], rows: int) -> Load:
    """The load for ``rows`` rows: what every run takes, and in proportion to the rows what grows from the first size to the last.

    Memory and space that did not grow are said to stay as the greater of the two; times that did not grow say nothing of more rows.
    Of one size alone all is carried over in proportion.
    """
    small, large = measured[0], measured[-1]
    if rows == large.rows:
        return large
    of_one = small.rows == large.rows

    def to_all(name: str) -> float | None:
        least, most = getattr(small, name), getattr(large, name)
        if least is None or most is None:
            return None
        if of_one:
            return float(most) * rows / large.rows if large.rows else float(most)
        grows = (most - least) / (large.rows - small.rows)
        if grows > 0:
            return float(most + grows * (rows - large.rows))
        return None if name in ("seconds", "processor") else float(max(least, most))

    memory = to_all("memory")
    return Load(
        rows=rows,
        seconds=to_all("seconds"),
        processor=to_all("processor"),
        memory=None if memory is None else round(memory),
        space=round(to_all("space") or 0.0),
        result=round(to_all("result") or 0.0),
    )


def _highest_memory() -> Callable[[], int | None]:
    """A function that says by how many bytes the process has held more at the highest since now; None where the system keeps no
    such figure."""
    try:
        # The highest so far is that of now.
        (_OWN / "clear_refs").write_text("5")
        before = _held("VmRSS")
    except OSError:
        before = None

    def beyond() -> int | None:
        most = None if before is None else _held("VmHWM")
        return None if most is None or before is None else max(0, most - before)

    return beyond


def _held(name: str) -> int | None:
    """A figure of the process's memory, in bytes."""
    for line in (_OWN / "status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return None
