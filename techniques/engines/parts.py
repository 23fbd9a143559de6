"""The input taken apart: rows in parts of fixed size, columns as codes where their values repeat."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from techniques.core.messages import EngineError, _
from techniques.core.operations import Learned
from techniques.core.tuples import Codes
from techniques.engines.columns import Column, encode
from techniques.engines.workspace import Workspace
from techniques.tables import FileFormat, open_table
from techniques.tables.coding import narrow, own_dictionaries
from techniques.tables.dictionary import codes_of
from techniques.tables.types import Types
from techniques.values.numbered import NumberedTexts

PART_ROWS = 65_536
PART_BYTES = 64 * 1024 * 1024
MAX_DICTIONARY = 1 << 18
"""Distinct values up to which a column keeps one dictionary for the whole table."""
_HASH_BLOCK = 1 << 20
Tick = Callable[[float], None]


@dataclass(frozen=True)
class Source:
    """The table to be treated.

    ``open`` gives a fresh seekable stream each time; ``rows`` is the number of data rows that the check of
    the file counted; ``size`` its bytes, which only keep parts of very wide rows small.
    """

    open: Callable[[], BinaryIO]
    format: FileFormat
    rows: int
    size: int = 0

    @property
    def part_rows(self) -> int:
        """Rows of each part but the last; depends on the source alone."""
        if self.size <= 0 or self.rows <= 0:
            return PART_ROWS
        return int(max(256, min(PART_ROWS, self.rows * PART_BYTES // self.size)))

    @property
    def parts(self) -> int:
        return -(-self.rows // self.part_rows)


def sha256_of(stream: BinaryIO, tick: Callable[[], None] | None = None) -> str:
    """SHA-256 (hex) of a stream, read to its end."""
    digest = hashlib.sha256()
    while block := stream.read(_HASH_BLOCK):
        digest.update(block)
        if tick:
            tick()
    return digest.hexdigest()


class HashingStream(io.RawIOBase):
    """Passes bytes on to a stream and hashes them. Neither seeks nor tells, whatever the stream can do:

    so a writer that would patch what it has written gives the same bytes in every workspace.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self._digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        block = bytes(data)
        self._digest.update(block)
        self._stream.write(block)
        return len(block)

    def sha256(self) -> str:
        """SHA-256 (hex) of all that has been written."""
        return self._digest.hexdigest()


def in_parts(
    batches: Iterator[Any], skip: int, rows: int, put_right: Callable[[Any], Any] = lambda batch: batch
) -> Generator[Any]:
    """Batches of ``rows`` rows each but the last, ``skip`` rows left out before; what was cut or joined is ``put_right``."""
    held: list[Any] = []
    number = 0
    for batch in batches:
        if not (skip or held) and batch.num_rows == rows:
            yield batch
            continue
        left_out = min(skip, batch.num_rows)
        skip -= left_out
        batch = batch.slice(left_out)
        while batch.num_rows:
            piece = batch.slice(0, rows - number)
            batch = batch.slice(piece.num_rows)
            held.append(piece)
            number += piece.num_rows
            if number == rows:
                yield put_right(pa.concat_batches(held))
                held, number = [], 0
    if held:
        yield put_right(pa.concat_batches(held))


class Parts:
    def __init__(self, workspace: Workspace, source: Source) -> None:
        self.workspace = workspace
        self.source = source
        self._manifest: dict[str, Any] | None = None
        self._dictionaries: dict[str, Any] = {}

    # -- writing ----------------------------------------------------------------------------

    def ingest(
        self,
        check_columns: Callable[[list[str]], None],
        tick: Tick,
        needed: Callable[[list[str]], list[str]] = lambda columns: columns,
        carried: Callable[[list[str]], list[str]] = lambda columns: [],
        through: Callable[[Any], Iterator[Any]] = lambda batches: batches,
    ) -> None:
        """Read the source once and write its parts; ``check_columns`` may refuse its header. Of its columns those that are ``needed``
        are kept, and those of ``carried`` in their own types, too, where the source has types. Batches are taken ``through``
        something that may work ahead.

        The manifest is written last: without it nothing counts. Raises EngineError.
        """
        with self.source.open() as stream:
            digest = sha256_of(stream, lambda: tick(0.0))
        with self.source.open() as stream, open_table(stream, self.source.format) as reader:
            columns = list(reader.columns)
            types = dict(reader.types)
            check_columns(columns)
            kept = needed(columns)
            builders = [_DictionaryBuilder() for _column in kept]
            rows = part = 0
            coded = through(reader.coded_batches(kept, self.source.part_rows))
            read = in_parts(coded, 0, self.source.part_rows, own_dictionaries)
            # Closed before the file is: it may be read ahead.
            with closing(read):
                for batch in read:
                    with self.workspace.open_write(f"part-{part:05}") as target:
                        _write_part(target, batch, builders)
                    rows += batch.num_rows
                    part += 1
                    tick(min(0.99, rows / max(self.source.rows, 1)))
        if rows != self.source.rows or part != self.source.parts:
            text = _("The file has %(rows)d rows, but %(expected)d were counted when it was checked.")
            raise EngineError("source_changed", text, rows=rows, expected=self.source.rows)
        for number, builder in enumerate(builders):
            with self.workspace.open_write(f"dictionary-{number:04}") as target:
                Learned({"values": builder.values}).write(target)
        manifest = {
            "columns": columns,
            "kept": kept,
            "whole": [not builder.full for builder in builders],
            "rows": rows,
            "sha256": digest,
        }
        if types:
            typed = [] if self.source.format.missing else carried(columns)
            self._carry(typed, tick, through)
            manifest["carried"] = typed
            manifest["types"] = base64.b64encode(pa.schema(types.items()).serialize()).decode()
        with self.workspace.open_write("manifest") as target:
            target.write(json.dumps(manifest).encode())
        self.forget()

    def forget(self) -> None:
        """Read manifest and dictionaries anew: they were written again."""
        self._manifest = None
        self._dictionaries.clear()

    def _carry(self, columns: list[str], tick: Tick, through: Callable[[Any], Iterator[Any]]) -> None:
        """Write these columns of the source in their own types, part by part."""
        from techniques.tables.readers.parquet import carried_batches

        if columns:
            with self.source.open() as stream:
                read: Any = through(carried_batches(stream, columns, self.source.part_rows))
                with closing(read):
                    for part, batch in enumerate(read):
                        with self.workspace.open_write(f"carried-{part:05}") as target:
                            _write_batch(target, batch)
                        tick(0.99)

    # -- reading ----------------------------------------------------------------------------

    @property
    def ready(self) -> bool:
        """Whether the source has been taken in whole."""
        return self._manifest is not None or self.workspace.exists("manifest")

    @property
    def manifest(self) -> dict[str, Any]:
        """Columns, those that are kept, which of these have one dictionary; rows and SHA-256 of the source."""
        if self._manifest is None:
            with self.workspace.open_read("manifest") as stream:
                self._manifest = json.loads(stream.read())
        return self._manifest

    @property
    def columns(self) -> list[str]:
        names: list[str] = self.manifest["columns"]
        return names

    @property
    def kept(self) -> list[str]:
        """Those of the columns whose cells are here."""
        names: list[str] = self.manifest["kept"]
        return names

    @property
    def types(self) -> Types:
        """The types that the source has for its columns; empty where it is a file of texts."""
        if "types" not in self.manifest:
            return {}
        schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(self.manifest["types"])))
        return {field.name: field.type for field in schema}

    def carried(self, part: int) -> dict[str, Any]:
        """The columns of a part that were kept in their own types."""
        if not self.manifest.get("carried"):
            return {}
        with self.workspace.open_read(f"carried-{part:05}") as stream:
            batch = pa.ipc.open_file(stream).get_batch(0)
            return dict(zip(batch.schema.names, batch.columns, strict=True))

    def dictionary(self, column: str) -> Any | None:
        """Distinct values of a column that is kept; None where there are too many."""
        number = self.kept.index(column)
        return self._values(number) if self.manifest["whole"][number] else None

    def _values(self, number: int) -> Any:
        name = f"dictionary-{number:04}"
        if name not in self._dictionaries:
            with self.workspace.open_read(name) as stream:
                self._dictionaries[name] = Learned.read(stream).arrays["values"]
        return self._dictionaries[name]

    def first_row(self, part: int) -> int:
        """Number of data rows before a part."""
        return part * self.source.part_rows

    def rows_in(self, part: int) -> int:
        return min(self.source.part_rows, self.source.rows - self.first_row(part))

    def read(self, part: int, columns: list[str]) -> dict[str, Column]:
        """The cells of some columns that are kept."""
        if not columns:
            return {}
        numbers = sorted(self.kept.index(column) for column in columns)
        with self.workspace.open_read(f"part-{part:05}") as stream:
            options = pa.ipc.IpcReadOptions(included_fields=numbers)
            table = pa.ipc.open_file(stream, options=options).read_all()
        found = {}
        for position, number in enumerate(numbers):
            cells = table.column(position).combine_chunks()
            found[self.kept[number]] = self._column(number, cells)
        return found

    def _column(self, number: int, cells: Any) -> Column:
        if pa.types.is_dictionary(cells.type):
            return Column(codes_of(cells), cells.dictionary, whole=False)
        column = Column(cells.to_numpy().astype(np.int32, copy=False), self._values(number), whole=True)
        # Early parts of a column that later proved to have too many values have codes, too.
        return column if self.manifest["whole"][number] else encode(column.texts())


class _DictionaryBuilder:
    """The dictionary of one column, growing part by part until it is given up as too large."""

    def __init__(self) -> None:
        self._texts = NumberedTexts()
        self.full = False

    @property
    def values(self) -> pa.StringArray:
        """What the codes stand for."""
        return self._texts.values

    def codes(self, cells: pa.DictionaryArray) -> pa.Array:
        """The cells of one part as codes, or as they are once the dictionary has been given up."""
        if self.full:
            return cells
        numbers = self._texts.numbers(cells.dictionary)
        unknown = numbers < 0
        new = int(unknown.sum())
        if len(self._texts) + new > MAX_DICTIONARY:
            self.full = True
            return cells
        if new:
            numbers[unknown] = self._texts.append(cells.dictionary.filter(pa.array(unknown)))
        renumbered: Codes = np.append(numbers, np.int32(-1))[codes_of(cells)]
        return narrow(renumbered, len(self._texts))


def _write_part(target: BinaryIO, batch: Any, builders: list[_DictionaryBuilder]) -> None:
    """Write one part as one Arrow batch: per column codes, or a dictionary of this part alone."""
    arrays = [builder.codes(column) for builder, column in zip(builders, batch.columns, strict=True)]
    schema = pa.schema([(f"c{number}", array.type) for number, array in enumerate(arrays)])
    _write_batch(target, pa.record_batch(arrays, schema=schema))


def _write_batch(target: BinaryIO, batch: pa.RecordBatch) -> None:
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(target, batch.schema, options=options) as writer:
        writer.write_batch(batch)
