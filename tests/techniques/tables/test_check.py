"""A broken file is refused whole, with line and column; a sound one is described."""

from __future__ import annotations

import io
import json

import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, check

from .support import fault, table


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"a,b\n1,2\n3\n", "table.row.ragged", 3, 2),
        (b"a,b\n1,2\n3,4,5\n", "table.row.ragged", 3, 3),
        (b'a,b\n"1\n1",2\n3\n', "table.row.ragged", 4, 2),
        (b'a,b\r\n"1\r\n1",2\r\n\r\n3\r\n', "table.row.ragged", 5, 2),
        (b"a,b\r1,2\r3\r", "table.row.ragged", 3, 2),
        (b'a,b\n1,2\n3,"4\n5,6\n', "table.quote.unclosed", 3, 2),
        (b'"a,b\n1,2\n', "table.quote.unclosed", 1, 1),
        (b'a,b\n1,2\n3,"4"x\n', "table.quote.stray", 3, 2),
        (b'a,b\n1,"2\n3,"4"\n', "table.quote.stray", 2, 2),
        (b"a,b\n1,2\n3,\x00\n", "table.nul", 3, 2),
        (b"a,b\n1,2\n3,\xff\n", "table.bytes.undecodable", 3, 2),
        (b"a,b\xff\n1,2\n", "table.bytes.undecodable", 1, 2),
        ("a,b\n1,2\n3,男\n".encode("gb18030"), "table.bytes.undecodable", 3, 2),
        (b"a,b\n1,2\n3,\xe7\x94", "table.bytes.undecodable", 3, 2),
        (b"a,a\n1,2\n", "table.name.duplicate", 1, 2),
        (b"a, a\n1,2\n", "table.name.duplicate", 1, 2),
        (b"a,\n1,2\n", "table.name.empty", 1, 2),
        (b"\n\na,  \n1,2\n", "table.name.empty", 3, 2),
        (b'a,"b\nc"\n1,2\n', "table.name.control", 1, 2),
        (b"a,b\x1b\n1,2\n", "table.name.control", 1, 2),
        (b"a," + b"b" * 513 + b"\n1,2\n", "table.name.long", 1, 2),
        (b"a,b\n1," + b"x" * (1 << 20) + b"x\n", "table.field.long", 2, 2),
        (b'a,b\n1,"' + b"x,y\n" * (1 << 19), "table.field.long", 2, 2),
        (b"a\n" + b",".join([b"x" * 1000] * 20) + b"\n", "table.row.ragged", 2, 2),
    ],
)
def test_the_first_fault_is_named_with_its_line_and_column(
    data: bytes, code: str, line: int, column: int
) -> None:
    error = fault(data)
    assert (error.code, error.params["line"], error.params["column"]) == (code, line, column)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "table.empty"),
        (b"\xef\xbb\xbf", "table.columns.none"),
        (b"\n\n\n", "table.columns.none"),
        (b"a,b\n", "table.rows.none"),
        (b"a,b", "table.rows.none"),
        (b"a,b\n\n\r\n", "table.rows.none"),
        (b"," * 16_384 + b"\n", "table.columns.many"),
    ],
)
def test_a_file_without_a_table_is_refused(data: bytes, code: str) -> None:
    assert fault(data).code == code


def test_faults_never_quote_a_cell() -> None:
    for data in (b"a,b\nSECRET\n", b'a,b\n1,"SECRET\n', b"a,b\n1,SECRET\xff\n", b'a,b\n1,"S"SECRET\n'):
        error = fault(data)
        assert "SECRET" not in str(error) + repr(error.args)


@pytest.mark.parametrize("filler", [b"1,2\n", b'"1\n",2\n', b"\n1,2\r\n"])
def test_a_fault_far_into_the_file_keeps_its_line(filler: bytes) -> None:
    lines = 1 + 500_000 * (filler.count(b"\n"))
    data = b"a,b\n" + filler * 500_000
    assert fault(data + b"3\n").params["line"] == lines + 1
    assert fault(data + b"3,\xff\n").params["line"] == lines + 1


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_utf8_lines_in_a_gb18030_file_are_found(line_end: str) -> None:
    lines = [f"张{number},内科,复诊" for number in range(60_000)]
    parts = [line.encode("gb18030") for line in ["姓名,科室,备注", *lines]]
    parts[40_000] = "李四,外科,手术".encode()
    error = fault(line_end.encode().join(parts), encoding="gb18030")
    assert (error.code, error.params["line"]) == ("table.encoding.mixed", 40_001)


def test_real_gb18030_text_is_never_taken_for_mixed() -> None:
    every = [chr(code) for code in range(0x4E00, 0x9FA6)]
    data = "字,词\n" + "".join(
        f"{a},{a}{b}{c}\n" for a, b, c in zip(every, every[7:], every[99:], strict=False)
    )
    assert check(io.BytesIO(data.encode("gb18030")), FileFormat(encoding="gb18030")).rows == len(every) - 99


def test_a_gb18030_line_in_a_utf8_file_is_found() -> None:
    data = "姓名,科室\n张,内科\n".encode() + "李,外科\n".encode("gb18030")
    assert fault(data).params["line"] == 3


def test_the_profile_describes_every_row() -> None:
    rows = ["2024-01-05,13800000000,x,-1.5,", "20240106,013,,1e3,", "2024年1月7日,7,长长的,+2%,", ",,y,-,"]
    data = ("日期,电话,文,数,空\n" + "\n".join(rows) + "\n").encode()
    seen: list[float] = []
    profile = check(io.BytesIO(data), FileFormat(), seen.append)
    assert profile.rows == 4
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    date, phone, text, number, empty = profile.columns
    assert (date.date_share, date.missing, date.distinct) == (1.0, 1, 3)
    assert (phone.integer_share, phone.numeric_share, phone.min_length, phone.max_length) == (1.0, 1.0, 1, 11)
    assert (text.min_length, text.max_length, text.numeric_share) == (1, 3, 0.0)
    assert (number.numeric_share, number.integer_share) == (0.75, 0.0)
    assert (empty.missing, empty.distinct, empty.max_length) == (4, 0, 0)
    assert json.loads(profile.model_dump_json())["rows"] == 4


def test_distinct_values_are_counted_up_to_the_cap() -> None:
    data = "n,m\n" + "".join(f"{number},{number % 99_999}\n" for number in range(150_000))
    left, right = check(io.BytesIO(data.encode()), FileFormat()).columns
    assert (left.distinct, left.distinct_capped) == (100_000, True)
    assert (right.distinct, right.distinct_capped) == (99_999, False)


def test_a_tick_may_cancel_and_the_stream_is_free_afterwards() -> None:
    class Cancelled(Exception):
        pass

    def cancel(share: float) -> None:
        raise Cancelled

    data = b"a,b\n" + b"1,2\n" * 3_000_000
    stream = io.BytesIO(data)
    with pytest.raises(Cancelled):
        check(stream, FileFormat(), cancel)
    stream.seek(4)
    assert check(stream, FileFormat()).rows == 3_000_000


def test_hostile_names_are_kept_as_they_are() -> None:
    names = [
        "=cmd|' /C calc'!A0",
        "<script>alert(1)</script>",
        "../../etc/passwd",
        "x" * 300,
        "😀",
        "a\u202eb",
    ]
    data = ("|".join(f'"{name}"' for name in names) + "\n" + "|".join("123456") + "\n").encode()
    assert list(table(data, delimiter="|")) == names


def test_errors_are_engine_errors_while_reading_too() -> None:
    with pytest.raises(EngineError):
        table(b"a,b\n" + b"1,2\n" * 100_000 + b"3\n")
