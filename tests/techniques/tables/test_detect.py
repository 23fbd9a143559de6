"""A file's form is told from its bytes, with reasons; what is no table is refused."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile

import pytest

from techniques.core.messages import EngineError
from techniques.tables import FileFormat, check, detect

from .support import fault, table

CHINESE = "姓名,性别,科室,备注\n" + "张伟,男,内科,复诊\n李娜,女,外科,手术后观察\n" * 50
ENCODINGS = ["utf-8", "gb18030", "utf-16-le", "utf-16-be"]


def found(data: bytes, name: str = "t.csv") -> FileFormat:
    return detect(io.BytesIO(data), name)


def codes(table_format: FileFormat) -> set[str]:
    return {evidence.code for evidence in table_format.evidence}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("bom", [True, False])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_and_delimiter(encoding: str, bom: bool, delimiter: str) -> None:
    data = FileFormat(encoding=encoding, bom=bom).bom_bytes + CHINESE.replace(",", delimiter).encode(encoding)
    proposal = found(data)
    assert (proposal.encoding, proposal.bom, proposal.delimiter) == (encoding, bom, delimiter)
    assert proposal.header
    assert proposal.confidence >= 0.9
    assert check(io.BytesIO(data), proposal).rows == 100


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_large_file_whose_middle_alone_is_chinese(encoding: str) -> None:
    plain = "id,name\n" + "".join(f"{number},abc def\n" for number in range(200_000))
    text = plain + "7,张伟住院三天\n" * 3 + plain[8:]
    proposal = found(text.encode(encoding))
    assert proposal.encoding == encoding
    assert check(io.BytesIO(text.encode(encoding)), proposal).rows == 400_003


def test_few_characters_are_said_to_be_uncertain() -> None:
    proposal = found("a,b\n1,茅\n".encode("gb18030"))  # these two bytes are an accented e in UTF-8
    assert "encoding.few" in codes(proposal)
    assert proposal.confidence <= 0.5
    assert found("姓名,b\n1,茅\n".encode("gb18030")).confidence > 0.9


def test_mixed_encodings_are_noticed_and_their_line_named() -> None:
    lines = CHINESE.splitlines()
    for main, other in (("utf-8", "gb18030"), ("gb18030", "utf-8")):
        parts = [line.encode(main) for line in lines]
        parts[60] = lines[60].encode(other)
        data = b"\n".join(parts)
        proposal = found(data)
        assert proposal.encoding == main
        assert "encoding.mixed" in codes(proposal)
        assert proposal.confidence < 0.5
        assert fault(data, encoding=main).params["line"] == 61


def test_bytes_of_no_encoding_are_refused() -> None:
    with pytest.raises(EngineError) as caught:
        found(b"a,b\n1,caf\xe9\xff\n2,\xff\xfe\xff\n")
    assert caught.value.code == "table.encoding.unknown"


def test_stray_nul_bytes_are_not_utf16() -> None:
    proposal = found(b"a,b\n" + b"1,2\n" * 50 + b"x\x00,y\n")
    assert proposal.encoding == "utf-8"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n%abc", "PDF"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), "gzip"),
        (b"\x89PNG\r\n\x1a\n" + bytes(99), "PNG"),
        (b"SQLite format 3\x00" + bytes(99), "SQLite"),
        (b"\xef\xbb\xbf <!DOCTYPE html><table><tr><td>1</td></tr></table>", "HTML"),
        (b'<?xml version="1.0"?><a/>', "XML"),
    ],
)
def test_other_files_are_refused_whatever_their_name(data: bytes, kind: str) -> None:
    for name in ("t.csv", "t.xlsx", "t.parquet", ""):
        with pytest.raises(EngineError) as caught:
            found(data, name)
        assert (caught.value.code, caught.value.params["found"]) == ("table.kind.refused", kind)


def test_archives_that_are_no_workbooks_are_refused() -> None:
    for member, kind in (("a.csv", "ZIP"), ("word/document.xml", "DOCX"), ("mimetype", "ODF")):
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive:
            archive.writestr(member, "a,b\n1,2\n")
        with pytest.raises(EngineError) as caught:
            found(sink.getvalue(), "t.xlsx")
        assert caught.value.params["found"] == kind
    for data, code in ((b"PK\x03\x04broken", "table.unreadable"), (b"", "table.empty")):
        with pytest.raises(EngineError) as caught:
            found(data, "t.xlsx")
        assert caught.value.code == code


def test_content_counts_more_than_the_name() -> None:
    proposal = found(b"a,b\n1,2\n", "t.xlsx")
    assert proposal.kind == "csv"
    assert "kind.extension" in codes(proposal)
    assert all(str(evidence) for evidence in proposal.evidence)


def test_delimiters_inside_quotes_do_not_mislead() -> None:
    text = 'a;b\n"1,2,3";x\n"4,5,6";"y,\nz"\n' * 3
    assert found(text.encode()).delimiter == ";"


def test_one_column() -> None:
    proposal = found("姓名\n张伟\n李娜\n".encode())
    assert "delimiter.none" in codes(proposal)
    assert table("姓名\n张伟\n".encode(), delimiter=proposal.delimiter) == {"姓名": ["张伟"]}


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("id,name,age\n1,a,30\n2,b,31\n", True),
        ("1,a,30\n2,b,31\n", False),
        ("2024-01-01,男,张\n2024-01-02,女,李\n", False),
        ("男,内科,高血压\n女,内科,高血压\n男,外科,骨折\n", False),
        ("a,b\n", True),
        ("110101199003070031,张伟,x\n", False),
    ],
)
def test_header(text: str, header: bool) -> None:
    assert found(text.encode()).header is header


def test_the_format_is_frozen_json() -> None:
    proposal = found(CHINESE.encode("gb18030"))
    assert FileFormat.model_validate_json(proposal.model_dump_json()) == proposal
    assert json.loads(proposal.model_dump_json())["encoding"] == "gb18030"
    with pytest.raises(ValueError):
        proposal.encoding = "utf-8"
    with pytest.raises(ValueError):
        FileFormat(delimiter="\n")


def test_asking_for_the_format_alone_loads_no_arrow() -> None:
    code = (
        "import sys; from techniques.tables import FileFormat, detect; "
        "sys.exit(any(name in sys.modules for name in ('pyarrow', 'numba', 'numpy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "cell", ["110105199003070018", "11010519900307001x", "13800138000", "+86 13800138000", "li@example.com"]
)
def test_a_first_row_with_somebodys_number_is_no_header(cell: str) -> None:
    """Taken for column names, the values would be shown unmasked and written into the log."""
    text = f"张三,{cell},男,高血压,肺部感染\n李四,110105199003070026,女,糖尿病,初诊\n"
    assert detect(io.BytesIO(text.encode())).header is False
