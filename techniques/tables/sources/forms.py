"""Forms of table files by the ending of a name, and by the first bytes of the content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Literal

from techniques.tables.formats import Kind

Form = Literal["csv", "xlsx", "parquet", "jsonl", "arrow", "arrows", "orc"]
Packing = Literal["gzip", "zstd"]

FORMS: Final[tuple[Form, ...]] = ("csv", "xlsx", "parquet", "jsonl", "arrow", "arrows", "orc")
NAMES: Final[dict[Form, str]] = {
    "csv": "CSV", "xlsx": "XLSX", "parquet": "Parquet", "jsonl": "JSON Lines", "arrow": "Arrow IPC",
    "arrows": "Arrow IPC stream", "orc": "ORC",
}  # fmt: skip
ENDINGS: Final[dict[str, Form]] = {
    ".csv": "csv", ".txt": "csv", ".tsv": "csv", ".xlsx": "xlsx", ".parquet": "parquet", ".pq": "parquet",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".arrow": "arrow", ".feather": "arrow", ".arrows": "arrows", ".orc": "orc",
}  # fmt: skip
PACKED_ENDINGS: Final[dict[str, Packing]] = {".gz": "gzip", ".zst": "zstd"}

_MAGIC: Final[tuple[tuple[bytes, Form], ...]] = (
    (b"PAR1", "parquet"), (b"PK\x03\x04", "xlsx"), (b"ARROW1", "arrow"), (b"\xff\xff\xff\xff", "arrows"), (b"ORC", "orc"),
)  # fmt: skip
_PACKED_MAGIC: Final[tuple[tuple[bytes, Packing], ...]] = (
    (b"\x1f\x8b", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_OBJECT = re.compile(rb'^(?:\xef\xbb\xbf)?\s*\{\s*(?:"|\})')


@dataclass(frozen=True)
class Named:
    """What the name of a file tells: ``stem`` is the name without its endings."""

    stem: str
    form: Form | None
    packing: Packing | None


def by_name(name: str) -> Named:
    """The form and the packing that the endings of a file's name tell."""
    path = Path(name)
    packing = PACKED_ENDINGS.get(path.suffix.lower())
    if packing:
        path = path.with_suffix("")
    form = ENDINGS.get(path.suffix.lower())
    return Named(path.stem if form else path.name, form, packing)


def kind_of(form: Form) -> Kind:
    """The kind of file by which a form goes through the engine: those with types go as Parquet."""
    return form if form == "csv" or form == "xlsx" else "parquet"


def packing_of(stream: BinaryIO) -> Packing | None:
    """How the content of a seekable stream is packed, by its first bytes."""
    head = _head(stream)
    return next((packing for magic, packing in _PACKED_MAGIC if head.startswith(magic)), None)


def form_of(stream: BinaryIO) -> Form:
    """The form of the content of a seekable stream by its first bytes; what is nothing else is taken for CSV."""
    head = _head(stream)
    found = next((form for magic, form in _MAGIC if head.startswith(magic)), None)
    return found or ("jsonl" if _OBJECT.match(head) else "csv")


def _head(stream: BinaryIO) -> bytes:
    stream.seek(0)
    head = stream.read(4096)
    stream.seek(0)
    return head
