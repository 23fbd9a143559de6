"""JSON Lines: an object a line becomes a row; texts stay texts, whole numbers, fractions and truth values keep their type."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from techniques.core.messages import EngineError
from techniques.tables import limits
from techniques.tables.canonical import column_text
from techniques.tables.problems import problem

_CHANGED = re.compile(r"Column\(/(.*)\) changed from (\w+) to (\w+) in row (\d+)", re.DOTALL)
_TWICE = re.compile(r"Column\(/(.*)\) was specified twice in row (\d+)", re.DOTALL)
_MANTISSA = 2.0**53


def infer(streams: Iterable[BinaryIO]) -> pa.Schema:
    """The columns of all lines, in order of occurrence, with types that hold all of their values. EngineError."""
    found: dict[str, pa.DataType] = {}
    for stream in streams:
        for line, block in _blocks(stream):
            table = _parsed(block, line, None)
            _refuse_long(table, line, block)
            for field in table.schema:
                known = found.get(field.name, pa.null())
                both = _wider(known, _without_times(field.type))
                if both is None:
                    raise problem(
                        "table.json.mixed",
                        line=line,
                        column=field.name,
                        found=str(field.type),
                        expected=str(known),
                    )
                found[field.name] = both
    if not found:
        raise problem("table.empty")
    return pa.schema(
        [(name, pa.string() if pa.types.is_null(kind) else kind) for name, kind in found.items()]
    )


def read(stream: BinaryIO, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of the lines, typed as ``schema`` of :func:`infer` has it. EngineError."""
    for line, block in _blocks(stream):
        yield from _parsed(block, line, schema).select(schema.names).to_batches()


def _blocks(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """(number of the first line, whole lines) for lines that are not blank throughout."""
    stream.seek(0)
    line, rest = 1, b""
    while True:
        piece = stream.read(limits.JSON_BLOCK_BYTES)
        text = rest + piece
        if line == 1:
            text = text.removeprefix(b"\xef\xbb\xbf")
        cut = text.rfind(b"\n") + 1 if piece else len(text)
        block, rest = text[:cut], text[cut:]
        if len(rest) > limits.MAX_RECORD_BYTES + limits.JSON_BLOCK_BYTES:
            raise problem("table.row.long", line=line + block.count(b"\n"), limit=limits.MAX_RECORD_BYTES)
        if block.strip():
            yield line, block
        line += block.count(b"\n")
        if not piece:
            return


def _parsed(block: bytes, line: int, schema: pa.Schema | None) -> pa.Table:
    options = pa.json.ParseOptions(
        explicit_schema=schema,
        newlines_in_values=False,
        unexpected_field_behavior="infer" if schema is None else "ignore",
    )
    read = pa.json.ReadOptions(block_size=len(block) + 1)
    try:
        return pa.json.read_json(io.BytesIO(block), read_options=read, parse_options=options)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, UnicodeError) as fault:
        said = str(fault)
    # Arrow's texts may quote cells: only its names and numbers travel on.
    raise _fault(said, block, line)


def _fault(said: str, block: bytes, line: int) -> EngineError:
    lines = block.split(b"\n")
    filled = [number for number, one in enumerate(lines) if one.strip()]
    for number in filled:
        try:
            whole = isinstance(json.loads(lines[number]), dict)
        except (ValueError, RecursionError):
            whole = False
        if not whole:
            return problem("table.json.line", line=line + number)
    if twice := _TWICE.search(said):
        return problem("table.json.twice", line=line + filled[int(twice[2])], column=twice[1])
    if changed := _CHANGED.search(said):
        return problem(
            "table.json.mixed",
            line=line + filled[int(changed[4])],
            column=changed[1],
            found=changed[3],
            expected=changed[2],
        )
    return problem("table.unreadable", kind="JSON Lines")


def _refuse_long(table: pa.Table, line: int, block: bytes) -> None:
    """Whole numbers beyond 64 bits are read as fractions, which would lose their last digits."""
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_float64(column.type):
            most = pc.max(pc.abs(column)).as_py()
            if most is not None and most >= _MANTISSA and _long_number(name, block):
                raise problem("table.json.digits", line=line, last=line + block.count(b"\n"), column=name)


def _long_number(name: str, block: bytes) -> bool:
    """Whether a value of that name is a whole number of sixteen digits or more."""
    spelled = {json.dumps(name, ensure_ascii=one).encode() for one in (True, False)}
    names = b"|".join(map(re.escape, spelled))
    return re.search(rb"(?:" + names + rb")\s*:\s*-?[0-9]{16,}\s*[,}]", block) is not None


def _without_times(kind: pa.DataType) -> pa.DataType:
    """JSON has no times: what looks like one is a text, whose spelling is kept."""
    return pa.string() if pa.types.is_timestamp(kind) else kind


def _wider(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    """A type that holds the values of both; None where there is none."""
    if one == other or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    if {one, other} == {pa.int64(), pa.float64()}:
        return pa.float64()
    if pa.types.is_nested(one) and pa.types.is_nested(other) and one.id == other.id:
        return one  # no reader takes it anyway, and says so
    return None


class JsonLinesSink:
    """Writes typed batches as an object a line; a missing value is ``null``."""

    def __init__(self, stream: BinaryIO, schema: pa.Schema) -> None:
        self._stream = stream
        names = [json.dumps(name, ensure_ascii=False) for name in schema.names]
        self._heads = [("{" if number == 0 else ",") + name + ":" for number, name in enumerate(names)]

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows."""
        parts: list[Any] = []
        for head, column in zip(self._heads, batch.columns, strict=True):
            parts += [head, pc.fill_null(_spelled(column), "null")]
        lines = pc.binary_join_element_wise(*parts, "}\n", "")
        self._stream.write("".join(lines.to_pylist()).encode())

    def close(self) -> None:
        """Nothing more is to be written."""


def _spelled(column: pa.Array) -> pa.Array:
    """Each cell as JSON, missing ones null."""
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return pc.cast(column, pa.string())
    if pa.types.is_floating(kind):
        column = pc.cast(column, pa.float64())
        finite = pc.is_finite(column)
        text = pc.cast(column, pa.string())
        # A whole number would be read again as one.
        text = pc.if_else(
            pc.match_substring_regex(text, "^-?[0-9]+$"), pc.binary_join_element_wise(text, ".0", ""), text
        )
        infinite = pc.if_else(pc.is_nan(column), pa.scalar(None, pa.string()), _quoted(text))
        return pc.if_else(finite, text, infinite)
    if pa.types.is_decimal(kind):
        return pc.cast(column, pa.string())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return _quoted(pc.cast(column, pa.string()))
    if pa.types.is_dictionary(kind):
        return _spelled(column.dictionary).take(column.indices)
    return _quoted(column_text(column))


def _quoted(texts: pa.Array) -> pa.Array:
    """Distinct texts are few or are spelled one by one."""
    coded = texts.dictionary_encode()
    spelled = [
        None if one is None else json.dumps(one, ensure_ascii=False) for one in coded.dictionary.to_pylist()
    ]
    return pa.array(spelled, pa.string()).take(coded.indices)
