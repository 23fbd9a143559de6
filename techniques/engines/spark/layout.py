"""How the files of a source make up the parts of a run: the same rows in the same parts as on one machine."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, BinaryIO

import pyarrow as pa

from techniques.engines.parts import Source
from techniques.tables.formats import FileFormat
from techniques.tables.readers.parquet import carried_batches
from techniques.tables.readers.reading import open_table


@dataclass(frozen=True)
class File:
    """One file; ``groups`` are the rows of each of its row groups, of a CSV file those of all of it. ``said`` are the cells that its
    folders add to each row, behind its own columns."""

    path: str
    name: str
    format: FileFormat
    said: tuple[str | int | None, ...] = ()
    groups: tuple[int, ...] = ()


@dataclass(frozen=True)
class Layout:
    """The files in order. ``columns`` are those of the table, the last ones of them said by folders."""

    files: tuple[File, ...]
    columns: tuple[str, ...]
    types: tuple[Any, ...]
    """Of each column; empty where the files are of texts."""
    rows: int
    size: int

    @cached_property
    def source(self) -> Source:
        """The table as an engine knows it; nobody opens it as one file."""
        return Source(_not_opened, self.files[0].format, self.rows, self.size)

    @property
    def part_rows(self) -> int:
        return self.source.part_rows

    @cached_property
    def _units(self) -> tuple[list[tuple[int, int]], list[int]]:
        """(file, row group) of all that can be read from its beginning, and the rows before each."""
        units, starts, done = [], [], 0
        for number, file in enumerate(self.files):
            for group, rows in enumerate(file.groups):
                if rows:
                    units.append((number, group))
                    starts.append(done)
                    done += rows
        return units, starts

    def _unit(self, part: int) -> int:
        return bisect_right(self._units[1], part * self.part_rows) - 1

    def tasks(self) -> list[tuple[int, int]]:
        """Parts to be read one after the other, from the first to before the last: those that begin in one row group, so that
        none is read much more than once."""
        tasks: list[tuple[int, int]] = []
        for part in range(self.source.parts):
            if tasks and self._unit(part) == self._unit(tasks[-1][0]):
                tasks[-1] = (tasks[-1][0], part + 1)
            else:
                tasks.append((part, part + 1))
        return tasks

    def texts(self, first: int) -> Iterator[pa.RecordBatch]:
        """The parts from ``first`` on, as texts. Raises EngineError."""
        unit = self._unit(first)
        number, group = self._units[0][unit]
        skip = first * self.part_rows - self._units[1][unit]
        schema = pa.schema([(name, pa.string()) for name in self.columns])
        return _in_parts(self._texts(number, group, schema), skip, self.part_rows)

    def _texts(self, number: int, group: int, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        for file in self.files[number:]:
            said = [None if one is None else str(one) for one in file.said]
            with open(file.path, "rb") as stream, open_table(stream, file.format, group) as reader:
                own = self.columns[: len(reader.columns)]
                for batch in reader.batches():
                    cells = [batch.column(batch.schema.get_field_index(name)) for name in own]
                    cells += [pa.repeat(pa.scalar(one, pa.string()), batch.num_rows) for one in said]
                    yield pa.RecordBatch.from_arrays(cells, schema=schema)
            group = 0

    def carried(self, first: int, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """The parts from ``first`` on, some columns of them in their own types."""
        unit = self._unit(first)
        number, group = self._units[0][unit]
        skip = first * self.part_rows - self._units[1][unit]
        return _in_parts(self._carried(number, group, columns), skip, self.part_rows)

    def _carried(self, number: int, group: int, columns: list[str]) -> Iterator[pa.RecordBatch]:
        for file in self.files[number:]:
            count = len(self.columns) - len(file.said)
            own = [name for name in self.columns[:count] if name in columns]
            said = {
                name: (value, kind)
                for name, value, kind in zip(self.columns[count:], file.said, self.types[count:], strict=True)
                if name in columns
            }
            # Without a column of its own a file still says how many rows it has.
            wanted = own or [self.columns[0]]
            with open(file.path, "rb") as stream:
                for batch in carried_batches(stream, wanted, self.part_rows, group):
                    cells = {name: batch.column(name) for name in own}
                    cells |= {
                        name: pa.repeat(pa.scalar(value, kind), batch.num_rows)
                        for name, (value, kind) in said.items()
                    }
                    yield pa.RecordBatch.from_arrays([cells[name] for name in columns], names=columns)
            group = 0


def _not_opened() -> BinaryIO:
    raise NotImplementedError


def _in_parts(batches: Iterator[pa.RecordBatch], skip: int, rows: int) -> Iterator[pa.RecordBatch]:
    """Batches of ``rows`` rows each but the last, ``skip`` rows left out before."""
    held: list[pa.RecordBatch] = []
    number = 0
    for batch in batches:
        left_out = min(skip, batch.num_rows)
        skip -= left_out
        batch = batch.slice(left_out)
        while batch.num_rows:
            piece = batch.slice(0, rows - number)
            batch = batch.slice(piece.num_rows)
            held.append(piece)
            number += piece.num_rows
            if number == rows:
                yield pa.concat_batches(held)
                held, number = [], 0
    if held:
        yield pa.concat_batches(held)
