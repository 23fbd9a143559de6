"""A Parquet file of many small row groups: the same cells in few pieces, and page headers read as one structure each."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.tables.readers import parquet_pages
from techniques.tables.readers.parquet import PIECE_ROWS, ParquetReader
from techniques.tables.readers.parquet_pages import _Malformed, _parse, _Short


class Counted(io.BytesIO):
    """A file that counts how often it is read from."""

    reads = 0

    def read(self, size: int | None = -1) -> bytes:
        self.reads += 1
        return super().read(size)


def written(groups: list[pa.Table]) -> Counted:
    made = Counted()
    with pq.ParquetWriter(made, groups[0].schema) as writer:
        for group in groups:
            writer.write_table(group)
    return made


KINDS = [pa.string(), pa.large_string(), pa.int64(), pa.float64(), pa.bool_(), pa.date32()]


def drawn(draw: np.random.Generator, rows: int) -> pa.Table:
    columns = {}
    for number, kind in enumerate(KINDS):
        cells: list[Any] = [int(x) if x < 9 else None for x in draw.integers(0, 10, rows)]
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            cells = [None if x is None else f"{draw.integers(0, 4)}张{x}" for x in cells]
        elif pa.types.is_boolean(kind):
            cells = [None if x is None else x > 4 for x in cells]
        columns[f"c{number}"] = (
            pa.array(cells, pa.int32()).cast(kind) if kind == pa.date32() else pa.array(cells, kind)
        )
    return pa.table(columns)


def test_many_small_groups_are_few_pieces_of_the_same_cells() -> None:
    draw = np.random.default_rng(1)
    groups = [drawn(draw, int(draw.integers(1, 9))) for _ in range(200)]
    file = written(groups)
    pieces = list(ParquetReader(file)._pieces())
    assert len(pieces) == 1
    alone = [piece for group in groups for piece in ParquetReader(written([group]))._pieces()]
    assert pa.Table.from_batches(pieces).to_pydict() == pa.Table.from_batches(alone).to_pydict()

    large = [drawn(draw, PIECE_ROWS // 2 + 1) for _ in range(3)]
    sizes = [piece.num_rows for piece in ParquetReader(written(large))._pieces()]
    assert max(sizes) <= PIECE_ROWS
    assert sum(sizes) == 3 * (PIECE_ROWS // 2 + 1)


def test_headers_of_small_pages_are_read_together(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(2)
    file = written([drawn(draw, 3) for _ in range(300)])
    metadata = pq.ParquetFile(file).metadata
    guard = parquet_pages.PageGuard(file, len(file.getvalue()))
    parsed = 0

    def counting(data: bytes) -> Any:
        nonlocal parsed
        parsed += 1
        return _parse(data)

    monkeypatch.setattr(parquet_pages, "_parse", counting)
    file.reads = 0
    for index in range(metadata.num_row_groups):
        guard.check(metadata.row_group(index))
    assert parsed >= 300 * len(KINDS)
    assert file.reads <= len(file.getvalue()) // (parquet_pages._AHEAD - parquet_pages._STEP) + 1


class Compact:
    """The same structure read field by field, by the protocol's own words."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        if not depth:
            raise _Malformed
        fields: dict[int, Any] = {}
        name = 0
        while kind := self.byte():
            name = name + (kind >> 4) if kind >> 4 else self.zigzag()
            fields[name] = self.value(kind & 15, depth)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if kind in (1, 2):
            return None
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 7:
            return self.step(8)
        if kind == 8:
            return self.step(self.varint())
        if kind == 12:
            return self.struct(depth - 1)
        raise _Malformed

    def byte(self) -> int:
        if self.position >= len(self.data):
            raise _Short
        self.position += 1
        return self.data[self.position - 1]

    def step(self, size: int) -> None:
        self.position += size
        if self.position > len(self.data):
            raise _Short

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise _Malformed

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def page(self) -> tuple[int, int, int]:
        fields = self.struct(8)
        packed, unpacked = fields.get(3), fields.get(2)
        if not isinstance(packed, int) or not isinstance(unpacked, int) or packed < 0 or unpacked < 0:
            raise _Malformed
        return self.position, packed, unpacked


def outcome(read: Any) -> Any:
    try:
        return read()
    except (_Malformed, _Short) as refused:
        return type(refused)


def test_a_header_says_what_the_protocol_says_of_it() -> None:
    draw = np.random.default_rng(3)
    # Field 1 with the page's kind, 2 and 3 with its sizes, 5 a structure of its own: what a writer begins with.
    begin = bytes([0x15, 0, 0x15, 0x90, 0x01, 0x15, 0x74, 0x2C, 0x15, 6, 0x15, 0, 0])
    seen: dict[Any, int] = {}
    kinds = np.array([0, 0x11, 0x12, 0x13, 0x15, 0x16, 0x17, 0x18, 0x1C, 0x1C, 0x25, 0x05, 0x19, 0x80, 0xFF])
    for number in range(20_000):
        noise = draw.choice(kinds, 12) if number % 2 else draw.integers(0, 256, 12)
        data = (
            begin[: draw.integers(0, len(begin) + 1)]
            + bytes(noise.astype(np.uint8))
            + bytes(int(draw.integers(0, 12)))
        )
        expected = outcome(Compact(data).page)
        made = outcome(lambda data=data: (p := _parse(data)) and (p.header, p.packed, p.unpacked))
        assert made == expected, data.hex()
        kind = expected if isinstance(expected, type) else "page"
        seen[kind] = seen.get(kind, 0) + 1
    assert min(seen.get(kind, 0) for kind in ("page", _Malformed, _Short)) > 500, seen
