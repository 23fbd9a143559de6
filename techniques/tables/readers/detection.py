"""What a file is, from its bytes rather than its name: kind, encoding, delimiter, header.

The result is a proposal with its reasons, which a person confirms beside a preview.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from techniques.core.messages import _
from techniques.tables.formats import Evidence, FileFormat
from techniques.tables.limits import KIB, MAX_FIELD_BYTES
from techniques.tables.problems import problem
from techniques.tables.readers.encodings import Tick, guess_encoding

DELIMITERS = (",", "\t", ";", "|")
_TEXT_BYTES = 256 * KIB
_SAMPLE_RECORDS = 200

_DELIMITER = _("%(share)s %% of the rows looked at have %(columns)s columns with this delimiter.")
_ONE_COLUMN = _("No delimiter repeats from row to row, so there is one column.")
_HEADER = _("The first row looks like column names.")
_NO_HEADER = _("The first row looks like data, so the columns are numbered.")
_EXTENSION = _("The file name ends in %(extension)s, but the content is %(kind)s.")
_MAGIC = _("The content is %(kind)s.")
_SHEETS = _("The workbook has %(count)s sheets; the first is chosen.")

_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"%PDF", "PDF"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"\x7fELF", "ELF"),
    (b"MZ\x90\x00", "EXE"),
    (b"SQLite format 3\x00", "SQLite"),
    (b"{\\rtf", "RTF"),
    (b"ORC", "ORC"),
    (b"ARROW1", "Arrow IPC"),
    (b"Obj\x01", "Avro"),
)
_MARKUP = ((b"<!doctype html", "HTML"), (b"<html", "HTML"), (b"<?xml", "XML"), (b"<table", "HTML"))

_DATA_CELL = re.compile(
    r"^\s*(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?|\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?.*|\d{15}|\d{17}[\dXx])\s*$"
)

# Nobody calls a column so; taken for a name it would be shown and recorded as one.
_PERSONAL_CELL = re.compile(
    r"\d{15}|\d{17}[\dXx]|(?:\+?86[- ]?)?1[3-9]\d{9}|[^@\s]+@[^@\s]+\.[A-Za-z]{2,}|\d{16,19}"
)


def detect(stream: BinaryIO, filename: str = "", tick: Tick = lambda share: None) -> FileFormat:
    """Return the format of a seekable binary ``stream``; the name's ending only adds evidence. ``tick``
    gets the share done, 0 … 1, rising, and may raise to cancel.

    Raises ``EngineError`` for an empty file, for content that is no table (an archive, a PDF, a
    picture …), for a protected workbook and for an unknown encoding.
    """
    stream.seek(0, io.SEEK_END)
    size = stream.tell()
    if not size:
        raise problem("table.empty")
    stream.seek(0)
    head = stream.read(512)
    extension = filename.rsplit(".", 1)[-1].lower() if "." in filename else ""
    if head.startswith(b"PAR1"):
        return FileFormat(kind="parquet", evidence=_kind_evidence("Parquet", extension, ("parquet", "pq")))
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _detect_archive(stream, extension)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise problem("table.xlsx.encrypted")
    refused = next((name for magic, name in _REFUSED if head.startswith(magic)), None)
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    refused = refused or next((name for magic, name in _MARKUP if start.startswith(magic)), None)
    if refused:
        raise problem("table.kind.refused", found=refused)
    return _detect_text(stream, size, extension, tick)


def _kind_evidence(kind: str, extension: str, extensions: tuple[str, ...]) -> tuple[Evidence, ...]:
    found = [Evidence.of("kind.content", _MAGIC, kind=kind)]
    if extension and extension not in extensions:
        shown = "." + re.sub(r"[^a-z0-9]", "", extension)[:8]
        found.append(Evidence.of("kind.extension", _EXTENSION, extension=shown, kind=kind))
    return tuple(found)


def _detect_archive(stream: BinaryIO, extension: str) -> FileFormat:
    names: list[str] | None
    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile:
        names = None
    if names is None:
        raise problem("table.unreadable", kind="XLSX")
    if "xl/workbook.xml" not in names:
        if "xl/workbook.bin" in names:
            found = "XLSB"
        elif any(name.startswith("word/") for name in names):
            found = "DOCX"
        else:
            found = "ODF" if "mimetype" in names else "ZIP"
        raise problem("table.kind.refused", found=found)
    from techniques.tables.readers.workbooks import list_sheets

    sheets = list_sheets(stream)
    if not sheets:
        raise problem("table.xlsx.sheet")
    evidence = _kind_evidence("XLSX", extension, ("xlsx", "xlsm"))
    if len(sheets) > 1:
        many = Evidence.of("sheet.first", _SHEETS, count=len(sheets))
        return FileFormat(kind="xlsx", sheet=sheets[0], confidence=0.7, evidence=(*evidence, many))
    return FileFormat(kind="xlsx", sheet=sheets[0], evidence=evidence)


def _detect_text(stream: BinaryIO, size: int, extension: str, tick: Tick) -> FileFormat:
    guess = guess_encoding(stream, size, tick)
    bom = len(FileFormat(encoding=guess.encoding, bom=guess.bom).bom_bytes)
    stream.seek(bom)
    raw = stream.read(_TEXT_BYTES)
    decoder = codecs.getincrementaldecoder(guess.encoding)("replace")
    text = decoder.decode(raw, final=False)
    whole = bom + len(raw) >= size
    delimiter, rows, confidence, why = _guess_delimiter(text, whole)
    header = _is_header(rows)
    names = ("header.names", _HEADER) if header else ("header.none", _NO_HEADER)
    evidence = [*guess.evidence, why, Evidence.of(*names)]
    if extension not in ("", "csv", "txt", "tsv", "tab", "dat"):
        evidence.append(_kind_evidence("CSV", extension, ())[-1])
    return FileFormat(
        kind="csv",
        encoding=guess.encoding,
        bom=guess.bom,
        delimiter=delimiter,
        header=header,
        confidence=round(min(guess.confidence, confidence, 1.0 if header else 0.6), 2),
        evidence=tuple(evidence),
    )


def _records(text: str, delimiter: str, whole: bool) -> list[list[str]]:
    """Parse the sample's first records; the last of a cut sample is dropped."""

    def lines() -> Iterator[str]:
        yield from io.StringIO(text, newline="")

    csv.field_size_limit(MAX_FIELD_BYTES)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(lines(), delimiter=delimiter):
            if row:
                rows.append(row)
            if len(rows) > _SAMPLE_RECORDS:
                return rows[:_SAMPLE_RECORDS]
    except csv.Error:
        pass
    return rows if whole or len(rows) < 2 else rows[:-1]


def _guess_delimiter(text: str, whole: bool) -> tuple[str, list[list[str]], float, Evidence]:
    """Choose the delimiter under which most rows have the same number of columns, at least two."""
    best: tuple[tuple[float, bool, int], str, list[list[str]]] | None = None
    for delimiter in DELIMITERS:
        rows = _records(text, delimiter, whole)
        if not rows:
            continue
        width, common = Counter(map(len, rows)).most_common(1)[0]
        if width < 2:
            continue
        share = common / len(rows)
        score = (share, len(rows[0]) == width, width)
        if best is None or score > best[0]:
            best = (score, delimiter, rows)
    if best is None or best[0][0] < 0.5:
        return ",", _records(text, ",", whole), 0.7, Evidence.of("delimiter.none", _ONE_COLUMN)
    (share, _, width), delimiter, rows = best
    why = Evidence.of("delimiter.repeats", _DELIMITER, share=round(100 * share), columns=width)
    return delimiter, rows, share if len(rows) > 1 else 0.6, why


def _is_header(rows: list[list[str]]) -> bool:
    """Whether the first row names the columns: no value-like cells, or unlike what follows."""
    if not rows:
        return True
    first = [cell.strip() for cell in rows[0]]
    body = rows[1:51]
    if any(_PERSONAL_CELL.fullmatch(cell) for cell in first):
        return False
    values = sum(bool(_DATA_CELL.match(cell)) for cell in first)
    if values and 3 * values >= len(first):
        return False
    if not body or len(first) < 2:
        return True
    # A cell of the first row that comes back below it in its own column is a value, not a name.
    columns = [{row[number].strip() for row in body if number < len(row)} for number in range(len(first))]
    repeated = sum(cell != "" and cell in below for cell, below in zip(first, columns, strict=True))
    return 2 * repeated < len(first)
