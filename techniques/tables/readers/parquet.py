"""Parquet files: row groups one after another, every cell as canonical text."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from techniques.tables import limits
from techniques.tables.canonical import column_text, is_plain
from techniques.tables.coding import coded_text
from techniques.tables.dictionary import codes_of
from techniques.tables.problems import problem
from techniques.tables.readers.header import validate_names
from techniques.tables.readers.parquet_pages import PageGuard
from techniques.tables.readers.reader import TableReader
from techniques.tables.types import as_type, written_type

PIECE_ROWS = 16_384
GROUPED_ROWS = 262_144
"""Small row groups are read together up to so many rows."""
_SHORT_BYTES = 1 << 24
"""Up to so many bytes of one column in a batch are written out where that is faster."""
_CELL_BYTES = 5
"""What a cell of an Arrow text takes beside its signs, at most."""


class ParquetReader(TableReader):
    """A Parquet file whose text columns stay dictionary-encoded until their size has been weighed; read from its row group
    ``first_group`` on."""

    def __init__(self, stream: BinaryIO, first_group: int = 0) -> None:
        stream.seek(0)
        self._first_group = first_group
        self._done = 0
        self._text_bytes = 0
        self._file, own = self._open(stream)
        self.types = {field.name: field.type for field in own}
        self._guard = PageGuard(stream, stream.seek(0, io.SEEK_END))
        metadata = self._file.metadata
        schema = self._file.schema_arrow
        if not metadata.num_columns:
            raise problem("table.columns.none")
        self.columns = validate_names(schema.names)
        self.index_columns = _index_columns(schema)
        for number, field in enumerate(schema, start=1):
            if not is_plain(field.type):
                raise problem("table.parquet.type", column=number, type=_type_name(field.type))
        groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
        declared = sum(max(0, group.total_byte_size) for group in groups)
        if (
            metadata.num_rows > limits.MAX_PARQUET_ROWS
            or any(group.total_byte_size > limits.MAX_PARQUET_ROW_GROUP for group in groups)
            or declared > max(limits.PARQUET_RATIO_FROM, self._guard.size * limits.MAX_PARQUET_RATIO)
        ):
            raise problem("table.parquet.bomb")
        self.rows = metadata.num_rows
        self._piece_rows = _affordable_rows(schema)

    @staticmethod
    def _open(stream: BinaryIO) -> tuple[pq.ParquetFile, pa.Schema]:
        """The file, and the schema that it has by itself: the one that is read has its texts as dictionaries."""
        try:
            plain = pq.ParquetFile(stream)
            texts = [f.name for f in plain.schema_arrow if _is_text(f.type)]
            coded = pq.ParquetFile(stream, read_dictionary=texts, metadata=plain.metadata, pre_buffer=False)
            return coded, plain.schema_arrow
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
            pass
        raise problem("table.unreadable", kind="Parquet")

    def progress(self) -> float:
        return self._done / self.rows if self.rows else 1.0

    @property
    def group_rows(self) -> tuple[int, ...]:
        """The rows of each row group."""
        metadata = self._file.metadata
        return tuple(metadata.row_group(index).num_rows for index in range(metadata.num_row_groups))

    @property
    def typed_schema(self) -> pa.Schema:
        """The columns in the types that :meth:`typed_batches` has."""
        return pa.schema([(name, written_type(self.types[name])) for name in self.columns])

    def typed_batches(self) -> Iterator[pa.RecordBatch]:
        """The rows with the columns in their own types, in pieces that are weighed as those of text are."""
        kinds = [self.types[name] for name in self.columns]
        schema = self.typed_schema

        def typed(part: pa.RecordBatch) -> pa.RecordBatch:
            columns = [as_type(column, kind) for column, kind in zip(part.columns, kinds, strict=True)]
            return pa.RecordBatch.from_arrays(columns, schema=schema)

        return self._converted(typed)

    def _pieces(self) -> Iterator[pa.RecordBatch]:
        schema = pa.schema([(name, pa.string()) for name in self.columns])

        def text(part: pa.RecordBatch) -> pa.RecordBatch:
            return pa.RecordBatch.from_arrays([column_text(column) for column in part.columns], schema=schema)

        return self._converted(text)

    def _coded(self, columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        """Without writing the cells out, and without reading other columns."""
        return self._sound(self._coded_parts(columns, rows))

    def _coded_parts(self, columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        held: list[pa.RecordBatch] = []
        number = size = 0
        for part in self._parts(columns):
            held.append(part)
            number += part.num_rows
            size += part.nbytes
            while number >= rows or size > limits.MAX_BATCH_BYTES:
                batch, left = _fitting(held, rows)
                size = 0
                if left or number >= rows:
                    held, number = left, number - batch.num_rows
                    yield batch
        while held:
            batch, held = _fitting(held, rows)
            yield batch

    def _converted(self, convert: Callable[[pa.RecordBatch], pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows as they are stored, texts as dictionaries, in parts that memory can afford, each converted."""
        return self._sound(convert(part) for part in self._parts(None))

    def _parts(self, columns: list[str] | None) -> Iterator[pa.RecordBatch]:
        """The rows as they are stored, texts as dictionaries, in parts that memory can afford."""
        for groups in self._groups():
            pieces = self._file.iter_batches(
                self._piece_rows, row_groups=groups, columns=columns, use_threads=True
            )
            for piece in _together(pieces, self._piece_rows):
                for part in self._affordable(piece if columns is None else piece.select(columns)):
                    self._done += part.num_rows
                    yield part

    @staticmethod
    def _sound(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches, and the file's fault where Arrow finds one on the way to them."""
        try:
            yield from batches
            return
        except pa.ArrowMemoryError:
            too_much = True
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError):
            too_much = False  # Arrow's texts may quote cells
        if too_much:
            raise problem("table.parquet.bomb")
        raise problem("table.unreadable", kind="Parquet")

    def _groups(self) -> Iterator[list[int]]:
        """Row groups to read next, once the headers of their pages were looked at."""
        metadata = self._file.metadata
        held: list[int] = []
        rows = 0
        for index in range(self._first_group, metadata.num_row_groups):
            group = metadata.row_group(index)
            if not group.num_rows:
                continue  # it may have no page at all
            self._guard.check(group)
            held.append(index)
            rows += group.num_rows
            if rows >= GROUPED_ROWS:
                yield held
                held, rows = [], 0
        if held:
            yield held

    def _affordable(self, piece: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Cut a batch so that no part unpacks to more text than a batch may hold."""
        size = 0
        for number, column in enumerate(piece.columns, start=1):
            values = column.dictionary if pa.types.is_dictionary(column.type) else column
            if not (pa.types.is_string(values.type) or pa.types.is_binary(values.type)):
                size += 32 * piece.num_rows
                continue
            lengths = pc.binary_length(values)
            if (pc.max(lengths).as_py() or 0) > limits.MAX_FIELD_BYTES:
                raise problem(
                    "table.field.long", line=self._done + 1, column=number, limit=limits.MAX_FIELD_BYTES
                )
            if values is not column:
                lengths = lengths.take(column.indices)
            # Bytes that are no text are two digits each.
            digits = 2 if pa.types.is_binary(values.type) else 1
            size += digits * (pc.sum(pc.cast(lengths, pa.int64())).as_py() or 0)
        if size > limits.MAX_BATCH_BYTES and piece.num_rows > 1:
            half = piece.num_rows // 2
            yield from self._affordable(piece.slice(0, half))
            yield from self._affordable(piece.slice(half))
            return
        self._text_bytes += size
        if self._text_bytes > limits.MAX_PARQUET_TEXT:
            raise problem("table.parquet.bomb")
        yield piece

    def close(self) -> None:
        self._file.close(force=False)


def _fitting(held: list[pa.RecordBatch], rows: int) -> tuple[pa.RecordBatch, list[pa.RecordBatch]]:
    """(a coded batch of so many rows of the pieces, of fewer where they hold more text than a batch may, what is left)."""
    taken: list[pa.RecordBatch] = []
    while rows and len(taken) < len(held):
        taken.append(held[len(taken)].slice(0, rows))
        rows -= taken[-1].num_rows
    batch = _coded_batch(taken)
    if len(taken) > 1 and (sizes := _text_bytes(batch)) is not None:
        ends = np.cumsum([piece.num_rows for piece in taken])
        fit = int(np.searchsorted(np.cumsum(sizes)[ends - 1], limits.MAX_BATCH_BYTES, side="right"))
        if fit < len(taken):
            fit = max(1, fit)
            return _coded_batch(taken[:fit]), held[fit:]
    last = held[len(taken) - 1].slice(taken[-1].num_rows)
    return batch, [*([last] if last.num_rows else []), *held[len(taken) :]]


def _coded_batch(pieces: list[pa.RecordBatch]) -> pa.RecordBatch:
    names = pieces[0].schema.names
    columns = [[piece.column(number) for piece in pieces] for number in range(len(names))]
    with ThreadPoolExecutor(min(pa.cpu_count(), len(names))) as pool:
        return pa.RecordBatch.from_arrays(list(pool.map(_coded_column, columns)), names=names)


def _coded_column(pieces: list[pa.Array]) -> pa.DictionaryArray:
    rows = sum(map(len, pieces))
    if pa.types.is_dictionary(pieces[0].type) and 2 * sum(len(one.dictionary) for one in pieces) > rows:
        size = sum(map(_unpacked_bytes, pieces))
        if size <= _SHORT_BYTES:
            # What hardly repeats is found anew at less cost than its dictionaries are made one.
            return pa.concat_arrays([column_text(one) for one in pieces]).dictionary_encode()
    return coded_text(pieces[0] if len(pieces) == 1 else pa.concat_arrays(pieces))


def _unpacked_bytes(column: pa.DictionaryArray) -> int:
    if not _is_text(column.dictionary.type):
        return 0
    lengths = pc.binary_length(column.dictionary).to_numpy(zero_copy_only=False)
    return int(np.append(np.nan_to_num(lengths), 0)[codes_of(column)].sum())


def _text_bytes(batch: pa.RecordBatch) -> np.ndarray | None:
    """What each row of a coded batch takes as text; None where all of it is within what a batch may hold."""
    longest = [pc.max(pc.binary_length(column.dictionary)).as_py() or 0 for column in batch.columns]
    if batch.num_rows * (sum(longest) + _CELL_BYTES * len(longest)) <= limits.MAX_BATCH_BYTES:
        return None
    sizes = np.full(batch.num_rows, _CELL_BYTES * batch.num_columns, dtype=np.int64)
    for column in batch.columns:
        lengths = pc.binary_length(column.dictionary).to_numpy(zero_copy_only=False)
        sizes += np.append(lengths, 0)[codes_of(column)]
    return sizes


def carried_batches(
    stream: BinaryIO, columns: list[str], rows: int, first_group: int = 0
) -> Iterator[pa.RecordBatch]:
    """These columns of a Parquet file from a row group on in their own types, ``rows`` rows at a time; the last batch is shorter.
    Texts are dictionaries, so that a long one is held once however many rows repeat it. The file was read to its end before by
    :class:`ParquetReader`, which has weighed it.
    """
    stream.seek(0)
    texts = [field.name for field in pq.read_schema(stream) if _is_text(field.type)]
    stream.seek(0)
    with pq.ParquetFile(stream, read_dictionary=texts, pre_buffer=False) as file:
        held: list[pa.RecordBatch] = []
        number = 0
        groups = list(range(first_group, file.metadata.num_row_groups))
        for piece in file.iter_batches(min(rows, PIECE_ROWS), row_groups=groups, columns=columns):
            batch = piece.select(columns)
            while batch.num_rows:
                part = batch.slice(0, rows - number)
                batch = batch.slice(part.num_rows)
                held.append(part)
                number += part.num_rows
                if number == rows:
                    yield pa.concat_batches(held)
                    held, number = [], 0
        if held:
            yield pa.concat_batches(held)


def _together(pieces: Iterator[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The pieces, small ones put together up to so many rows: each row group ends one, and each piece has its cost for each
    of its columns."""
    held: list[pa.RecordBatch] = []
    number = size = 0
    for piece in pieces:
        here = piece.nbytes
        if held and (number + piece.num_rows > rows or size + here > limits.MAX_BATCH_BYTES):
            yield _joined(held)
            held, number, size = [], 0, 0
        held.append(piece)
        number, size = number + piece.num_rows, size + here
    if held:
        yield _joined(held)


def _joined(pieces: list[pa.RecordBatch]) -> pa.RecordBatch:
    if len(pieces) == 1:
        return pieces[0]
    columns = [
        pa.concat_arrays([piece.column(number) for piece in pieces])
        for number in range(pieces[0].num_columns)
    ]
    return pa.RecordBatch.from_arrays(columns, schema=pieces[0].schema)


def _index_columns(schema: pa.Schema) -> tuple[str, ...]:
    """Columns that are the row index of the table that pandas wrote; its notes may be missing or of any form."""
    try:
        named = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))["index_columns"]
    except (ValueError, KeyError, TypeError):
        named = []
    there = [name for name in named if isinstance(name, str)] if isinstance(named, list) else []
    return tuple(
        name for name in schema.names if name in there or re.fullmatch("__index_level_[0-9]+__", name)
    )


def _is_text(kind: pa.DataType) -> bool:
    """Columns that are read as a dictionary: a long value in it is held once, however many rows repeat it."""
    types = pa.types
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_string_view(kind)
        or types.is_binary_view(kind)
    )


def _affordable_rows(schema: pa.Schema) -> int:
    """Rows at a time that hold no more than a batch may: cells of a fixed width cannot be a dictionary."""
    width = 0
    for number, field in enumerate(schema, start=1):
        if pa.types.is_fixed_size_binary(field.type):
            if field.type.byte_width > limits.MAX_FIELD_BYTES:
                raise problem("table.field.long", line=1, column=number, limit=limits.MAX_FIELD_BYTES)
            width += field.type.byte_width
    return max(1, min(PIECE_ROWS, limits.MAX_BATCH_BYTES // width)) if width else PIECE_ROWS


def _type_name(kind: pa.DataType) -> str:
    """Return the kind of a nested type without its field names."""
    return str(kind).split("<", 1)[0]
