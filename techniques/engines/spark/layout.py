"""How the files of a source make up the parts of a run: the same rows in the same parts as on one machine."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, BinaryIO, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from techniques.engines.parts import Source, in_parts
from techniques.tables.canonical import cell_text, column_text
from techniques.tables.coding import coded_text, own_dictionaries
from techniques.tables.formats import FileFormat
from techniques.tables.readers.parquet import ParquetReader, carried_batches
from techniques.tables.readers.reader import TableReader
from techniques.tables.readers.reading import open_table
from techniques.tables.types import plain_type


@dataclass(frozen=True)
class File:
    """One file; ``groups`` are the rows of each of its row groups, of a CSV file those of all of it.

    ``said`` are the cells of columns that it does not hold itself, the same in each row: its folders or a catalogue say them.
    ``names`` are those columns that it calls otherwise than the table does. ``converted``: some of its types are not the table's.
    """

    path: str
    name: str
    format: FileFormat
    said: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[int, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    converted: bool = False

    def own(self, columns: Sequence[str]) -> dict[str, str]:
        """Those of ``columns`` that the file holds, and what it calls them."""
        return {name: self.names.get(name, name) for name in columns if name not in self.said}


@dataclass(frozen=True)
class Located:
    """A table as its files, its columns and their types; none where the files are of texts. ``several``: its hash is that of a list."""

    files: list[File]
    columns: list[str]
    types: list[Any]
    several: bool

    @property
    def bytes(self) -> int:
        return sum(os.path.getsize(file.path) for file in self.files)


@dataclass(frozen=True)
class Layout:
    """The files in order, and the columns of the table."""

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

    def coded(self, first: int, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The parts from ``first`` on, of these columns: each as a dictionary of its different texts in the part, in the order of
        first appearance. Raises EngineError; not of a column that is left out."""
        unit = self._unit(first)
        number, group = self._units[0][unit]
        skip = first * self.part_rows - self._units[1][unit]
        return in_parts(self._coded_batches(number, group, columns), skip, self.part_rows, own_dictionaries)

    def _coded_batches(self, number: int, group: int, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for file in self.files[number:]:
            own = file.own(columns)
            said = {name: self._spelled(name, file.said[name]) for name in columns if name in file.said}
            with open(file.path, "rb") as stream, open_table(stream, file.format, group) as reader:
                # Without a column of its own a file still says how many rows it has.
                wanted = list(dict.fromkeys(own.values())) or reader.columns[:1]
                batches = (
                    self._in_types(own, reader)
                    if file.converted and own
                    else reader.coded_batches(wanted, self.part_rows)
                )
                for batch in batches:
                    cells = {name: batch.column(there) for name, there in own.items()}
                    cells |= {
                        name: pa.repeat(pa.scalar(one, pa.string()), batch.num_rows).dictionary_encode()
                        for name, one in said.items()
                    }
                    yield pa.RecordBatch.from_arrays([cells[name] for name in columns], names=list(columns))
            group = 0

    def _spelled(self, name: str, said: Any) -> str | None:
        """What is said of a column, as cells of its type are spelled."""
        if not self.types:
            return cell_text(said)
        kind = self.types[self.columns.index(name)]
        return cast("str | None", column_text(_repeated(said, kind, 1))[0].as_py())

    def _in_types(self, own: Mapping[str, str], reader: TableReader) -> Iterator[pa.RecordBatch]:
        """What a file holds, as dictionaries of texts of values that the table's types have."""
        assert isinstance(reader, ParquetReader)
        kinds = dict(zip(self.columns, self.types, strict=True))
        for batch in reader.typed_batches():
            cells = [coded_text(_converted(batch.column(there), kinds[name])) for name, there in own.items()]
            yield pa.RecordBatch.from_arrays(cells, names=list(own.values()))

    def carried(self, first: int, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """The parts from ``first`` on, some columns of them in their own types."""
        unit = self._unit(first)
        number, group = self._units[0][unit]
        skip = first * self.part_rows - self._units[1][unit]
        return in_parts(self._carried(number, group, columns), skip, self.part_rows)

    def _carried(self, number: int, group: int, columns: list[str]) -> Iterator[pa.RecordBatch]:
        kinds = dict(zip(self.columns, self.types, strict=True))
        for file in self.files[number:]:
            own = file.own(columns)
            with open(file.path, "rb") as stream:
                # Without a column of its own a file still says how many rows it has.
                wanted = list(dict.fromkeys(own.values())) or pq.read_schema(stream).names[:1]
                for batch in carried_batches(stream, wanted, self.part_rows, group):
                    cells = {name: batch.column(there) for name, there in own.items()}
                    if file.converted:
                        cells = {name: _converted(column, kinds[name]) for name, column in cells.items()}
                    cells |= {
                        name: _repeated(file.said[name], kinds[name], batch.num_rows)
                        for name in columns
                        if name in file.said
                    }
                    yield pa.RecordBatch.from_arrays([cells[name] for name in columns], names=columns)
            group = 0


def _converted(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """A column as the table's type, texts and bytes as a dictionary."""
    if plain_type(column.type) != kind:
        # Of nanoseconds a catalogue may want fewer digits; nothing else is converted that loses any.
        nanoseconds = pa.types.is_timestamp(column.type) and column.type.unit == "ns"
        column = pc.cast(column, kind, safe=not nanoseconds)
    return _coded(column)


def _repeated(value: Any, kind: pa.DataType, rows: int) -> pa.Array:
    return _coded(pa.repeat(pa.scalar(value, kind), rows))


def _coded(column: pa.Array) -> pa.Array:
    """As :func:`carried_batches` reads texts and bytes, so that batches of different files go together."""
    kind = column.type
    texts = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
    return column.dictionary_encode() if kind in texts else column


def _not_opened() -> BinaryIO:
    raise NotImplementedError
