"""Small Parquet files that unpack to a great deal are refused before they do."""

from __future__ import annotations

import contextlib
import io
import resource

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.messages import EngineError
from techniques.tables import limits, open_table
from techniques.tables.formats import FileFormat
from techniques.tables.readers import parquet as reading

PARQUET = FileFormat(kind="parquet")


def written(table: pa.Table, **options: object) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def rows_of(content: bytes) -> int:
    with open_table(io.BytesIO(content), PARQUET) as reader:
        return sum(batch.num_rows for batch in reader.batches())


def code_of(content: bytes) -> str:
    with pytest.raises(EngineError) as error:
        rows_of(content)
    return error.value.code


def zeros(mib: int, **options: object) -> bytes:
    table = pa.table({"a": np.zeros(mib * 131_072, dtype=np.int64)})
    return written(table, compression="zstd", use_dictionary=False, **options)


def understated(content: bytes) -> bytes:
    """The same file, its footer declaring that next to nothing is unpacked.

    The footer's numbers are Thrift varints; each is replaced by a smaller one padded to its length.
    """
    sizes = set()
    metadata = pq.ParquetFile(io.BytesIO(content)).metadata
    for index in range(metadata.num_row_groups):
        group = metadata.row_group(index)
        sizes |= {group.total_byte_size, group.column(0).total_uncompressed_size}
    footer = int.from_bytes(content[-8:-4], "little") + 8
    head, tail = content[:-footer], content[-footer:]
    for size in sizes:
        value = varint(size * 2)
        assert value in tail
        tail = tail.replace(value, bytes([0x80 | 120] + [0x80] * (len(value) - 2) + [0]))
    return head + tail


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(128 | value & 127)
        value >>= 7
    return bytes([*out, value])


def test_zeros_that_unpack_to_a_thousand_times_the_file():
    content = zeros(72)
    assert len(content) < 72 * 1024
    assert code_of(content) == "table.parquet.bomb"


def test_a_footer_that_understates_is_not_believed(monkeypatch):
    content = understated(zeros(72))
    assert pq.ParquetFile(io.BytesIO(content)).metadata.row_group(0).total_byte_size == 60
    before = pa.total_allocated_bytes()
    assert code_of(content) == "table.parquet.bomb"
    assert pa.total_allocated_bytes() - before < 2**20


def test_one_page_of_a_great_size(monkeypatch):
    """The page's own header counts, not the declared sum; limits are lowered to keep the test small."""
    monkeypatch.setattr(limits, "MAX_PARQUET_PAGE", 2**16)
    content = understated(zeros(2))
    assert code_of(content) == "table.parquet.bomb"
    assert rows_of(zeros(2, data_page_size=2**15)) == 2 * 131_072


def test_a_row_group_of_many_pages(monkeypatch):
    monkeypatch.setattr(limits, "MAX_PARQUET_ROW_GROUP", 2**20)
    assert code_of(understated(zeros(2, data_page_size=2**18))) == "table.parquet.bomb"
    assert rows_of(zeros(2, row_group_size=65_536)) == 2 * 131_072


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.large_string(), pa.string()])
def test_a_long_value_that_many_rows_repeat_is_held_once(kind):
    """Half a gigabyte of cells in a file of some hundred bytes: cut into parts that can be paid for."""
    rows = 16_384
    entries = pa.array([b"x" * 32_000], pa.binary()).cast(kind)
    content = written(pa.table({"a": pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), entries)}))
    content = plain_schema(content, kind)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open_table(io.BytesIO(content), PARQUET) as reader:
        assert next(reader.batches(64)).num_rows == 64
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 400


def plain_schema(content: bytes, kind: pa.DataType) -> bytes:
    """The same column without the note that it was a dictionary: a reader left to itself makes it dense."""
    stream = io.BytesIO()
    metadata = pq.ParquetFile(io.BytesIO(content))
    table = metadata.read()
    pq.write_table(table, stream, store_schema=False, compression="zstd")
    assert len(stream.getvalue()) < 40_000
    return stream.getvalue()


def test_cells_of_a_fixed_width_are_read_few_at_a_time():
    schema = pa.schema([("a", pa.binary(1_000_000)), ("b", pa.int64())])
    assert reading._affordable_rows(schema) == limits.MAX_BATCH_BYTES // 1_000_000
    with pytest.raises(EngineError):
        reading._affordable_rows(pa.schema([("a", pa.binary(2_000_000))]))
    content = written(pa.table({"a": pa.array([b"x" * 10, b"y" * 10], pa.binary(10))}))
    assert rows_of(content) == 2


def test_texts_built_on_each_other_are_refused():
    """A byte may stand for all of the text before: such a column could grow without bound while it is read."""
    texts = [f"{'x' * 1000}{number}" for number in range(3000)]
    content = written(pa.table({"a": texts}), use_dictionary=False, column_encoding={"a": "DELTA_BYTE_ARRAY"})
    assert code_of(content) == "table.unreadable"


@pytest.mark.parametrize(
    ("version", "compression"),
    [("1.0", "snappy"), ("2.0", "zstd"), ("1.0", "gzip"), ("2.0", "lz4"), ("1.0", "none")],
)
def test_honest_files_of_every_kind_are_read(version, compression):
    rows = 5000
    random = np.random.default_rng(3)
    table = pa.table(
        {
            "id": np.arange(rows),
            "constant": ["same"] * rows,
            "missing": pa.array([None] * rows, pa.string()),
            "money": random.random(rows),
            "text": [f"第{number}条 " + "住院" * (number % 50) for number in range(rows)],
            "long minimum": ["最" * 3000 + str(number % 7) for number in range(rows)],
            "day": pa.array(random.integers(0, 20_000, rows), pa.int32()).cast(pa.date32()),
            "yes": random.random(rows) < 0.5,
        }
    )
    content = written(table, compression=compression, data_page_version=version, row_group_size=700)
    with open_table(io.BytesIO(content), PARQUET) as reader:
        batches = list(reader.batches(1024))
    assert [batch.num_rows for batch in batches] == [1024] * 4 + [904]
    back = pa.Table.from_batches(batches)
    for name in ("id", "constant", "text", "long minimum", "missing"):
        expected = [None if value is None else str(value) for value in table[name].to_pylist()]
        assert back[name].to_pylist() == expected


@pytest.mark.parametrize("seed", range(30))
def test_damaged_files_are_refused_and_nothing_else(seed):
    """Whatever is turned over in the file, it is read or refused with an error of a table."""
    table = pa.table({"a": [f"text {n}" for n in range(500)], "b": np.arange(500)})
    content = bytearray(written(table, data_page_version=["1.0", "2.0"][seed % 2]))
    random = np.random.default_rng(seed)
    for place in random.integers(4, len(content) - 8, 1 + seed % 5):
        content[place] ^= int(random.integers(1, 256))
    with contextlib.suppress(EngineError):
        rows_of(bytes(content))
