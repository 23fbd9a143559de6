"""Forms that carry types: Arrow IPC, ORC and JSON Lines become Parquet, and results become them again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import orc

from techniques.tables import limits
from techniques.tables.problems import problem
from techniques.tables.readers.parquet import ParquetReader
from techniques.tables.sources import json_lines
from techniques.tables.sources.forms import NAMES, Form

_END_MARK = b"\xff\xff\xff\xff\x00\x00\x00\x00"
_ROWS = 65_536


@contextlib.contextmanager
def opened(
    path: Path, form: Form, schema: pa.Schema | None = None
) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    """The types of a typed file and its rows, batch by batch; of JSON Lines ``schema`` may be known. EngineError."""
    with path.open("rb") as stream, contextlib.ExitStack() as stack:
        if form == "jsonl":
            schema = schema or json_lines.infer([stream])
            yield schema, _afforded(json_lines.read(stream, schema))
            return
        if form == "parquet":
            reader = stack.enter_context(ParquetReader(stream))
            yield reader.typed_schema, reader.typed_batches()
            return
        yield _guarded(stream, form)


def _guarded(stream: BinaryIO, form: Form) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    try:
        if form == "orc":
            file = orc.ORCFile(stream)
            schema = file.schema
            batches = (file.read_stripe(number) for number in range(file.nstripes))
        elif form == "arrow":
            whole = pa.ipc.open_file(stream)
            schema = whole.schema
            batches = (whole.get_batch(number) for number in range(whole.num_record_batches))
        else:
            stream.seek(-len(_END_MARK), 2)
            if stream.read() != _END_MARK:
                raise problem("table.arrow.cut")
            stream.seek(0)
            sent = pa.ipc.open_stream(stream)
            schema, batches = sent.schema, iter(sent)
        return schema, _afforded(_said_plainly(batches, form))
    except (pa.ArrowException, OSError):
        pass
    raise problem("table.unreadable", kind=NAMES[form])


def _said_plainly(batches: Iterator[pa.RecordBatch], form: Form) -> Iterator[pa.RecordBatch]:
    """The batches; Arrow's own texts may quote cells."""
    while True:
        try:
            batch = next(batches, None)
            if batch is not None:
                batch.validate(full=True)
        except (pa.ArrowException, OSError):
            break
        if batch is None:
            return
        yield batch
    raise problem("table.unreadable", kind=NAMES[form])


def _afforded(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches cut into pieces of so many rows and bytes; EngineError where there are too many rows."""
    rows = 0
    for batch in batches:
        rows += batch.num_rows
        if rows > limits.MAX_PARQUET_ROWS:
            raise problem("table.parquet.bomb")
        share = max(1, limits.MAX_BATCH_BYTES * batch.num_rows // max(1, batch.nbytes))
        step = min(_ROWS, share)
        for start in range(0, batch.num_rows, step):
            yield batch.slice(start, step)


def write_parquet(schema: pa.Schema, batches: Iterator[pa.RecordBatch], target: Path) -> None:
    """Write rows as the Parquet file ``target``, in their own types. EngineError ``table.typed.type``."""
    for field in schema:
        _require_kept(field)
    kept = schema.remove_metadata()
    with target.open("xb") as stream, pq.ParquetWriter(stream, kept, compression="lz4") as writer:
        for batch in batches:
            writer.write_batch(
                pa.RecordBatch.from_arrays(batch.columns, schema=kept), row_group_size=batch.num_rows or 1
            )


def _require_kept(field: pa.Field) -> None:
    """Try the type on no rows: not every type that Arrow has can be written as Parquet."""
    one = pa.schema([pa.field("c", field.type)])
    try:
        with pq.ParquetWriter(pa.BufferOutputStream(), one) as writer:
            writer.write_table(one.empty_table())
    except (pa.ArrowException, OverflowError):
        kind = str(field.type).split("<", 1)[0]
        raise problem("table.typed.type", column=field.name, type=kind) from None


def write_form(source: Path, form: Form, stream: BinaryIO) -> None:
    """Write a Parquet file to ``stream`` in another typed form, row group by row group. EngineError ``table.typed.type``."""
    with pq.ParquetFile(source) as file:
        sink = _sink(file, form, stream)
        for batch in file.iter_batches(_ROWS):
            sink.write(batch)
        sink.close()


def _sink(file: pq.ParquetFile, form: Form, stream: BinaryIO) -> Any:
    schema = file.schema_arrow.remove_metadata()
    if form == "jsonl":
        return json_lines.JsonLinesSink(stream, schema)
    if form == "orc":
        return _OrcSink(stream, schema)
    return _ArrowSink(stream, file, schema, form)


class _ArrowSink:
    """An IPC file has one dictionary a column, so it is gathered first; a stream may send another with each batch."""

    def __init__(self, stream: BinaryIO, file: pq.ParquetFile, schema: pa.Schema, form: Form) -> None:
        self._schema = schema
        self._values: dict[str, pa.Array] = {}
        if form == "arrow":
            coded = [field.name for field in schema if pa.types.is_dictionary(field.type)]
            for name in coded:
                kind = schema.field(name).type.value_type
                values = pa.array([], kind)
                for batch in file.iter_batches(_ROWS, columns=[name]):
                    both = [values, pc.cast(batch.column(0), kind)]
                    values = pc.unique(pc.drop_null(pa.concat_arrays(both)))
                self._values[name] = values
        new = pa.ipc.new_file if form == "arrow" else pa.ipc.new_stream
        self._writer = new(stream, schema)

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [
            self._coded(name, column) if name in self._values else column
            for name, column in zip(self._schema.names, batch.columns, strict=True)
        ]
        self._writer.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))

    def _coded(self, name: str, column: pa.Array) -> pa.Array:
        values = self._values[name]
        indices = pc.index_in(pc.cast(column, values.type), values)
        kind = self._schema.field(name).type
        return pa.DictionaryArray.from_arrays(pc.cast(indices, kind.index_type), values, ordered=kind.ordered)

    def close(self) -> None:
        self._writer.close()


class _OrcSink:
    """ORC has no dictionaries of its own, no numbers without a sign and no times of a day."""

    def __init__(self, stream: BinaryIO, schema: pa.Schema) -> None:
        fields = [(field.name, _orc_type(field.type)) for field in schema]
        self._schema = pa.schema(fields)
        self._writer = orc.ORCWriter(stream, compression="zstd")
        self._empty = True

    def write(self, batch: pa.RecordBatch) -> None:
        columns = []
        for field, column in zip(self._schema, batch.columns, strict=True):
            try:
                columns.append(pc.cast(column, field.type))
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                kind = str(column.type).split("<", 1)[0]
                raise problem("table.typed.type", column=field.name, type=kind) from None
        self._empty = False
        self._writer.write(pa.Table.from_arrays(columns, schema=self._schema))

    def close(self) -> None:
        if self._empty:
            self._writer.write(self._schema.empty_table())
        self._writer.close()


def _orc_type(kind: pa.DataType) -> pa.DataType:
    types = pa.types
    if types.is_dictionary(kind):
        return _orc_type(kind.value_type)
    if types.is_large_string(kind) or types.is_string_view(kind) or types.is_time(kind):
        return pa.string()
    if types.is_large_binary(kind) or types.is_binary_view(kind) or types.is_fixed_size_binary(kind):
        return pa.binary()
    if types.is_unsigned_integer(kind):
        return pa.decimal128(20, 0) if kind.bit_width == 64 else pa.int64()
    if types.is_duration(kind):
        return pa.int64()
    if types.is_float16(kind):
        return pa.float32()
    if types.is_timestamp(kind):
        return pa.timestamp("ns", "UTC" if kind.tz else None)
    return kind
