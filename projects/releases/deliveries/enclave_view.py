"""Looking at a release within the portal (enclave sharing, 3.14): the first rows, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from ..models import Release
from .files import format_of

if TYPE_CHECKING:
    from techniques.tables.formats import FileFormat

PAGE_ROWS = 25
# Looking is not fetching: whoever needs more has the work done inside.
MOST_ROWS = 500
MAX_CELL = 200


@dataclass(frozen=True)
class Page:
    """One page of rows as texts; ``first`` and ``last`` count from 1, both 0 where there is none."""

    columns: list[str]
    rows: list[list[str]]
    number: int
    pages: int
    first: int
    last: int


def page_read(stream: BinaryIO, release: Release, number: int, file: int = 0) -> Page:
    """Page ``number`` (from 1; brought into range) of the first ``MOST_ROWS`` rows."""
    shown = min(release.files[file]["rows"], MOST_ROWS)
    pages = max(1, -(-shown // PAGE_ROWS))
    number = max(1, min(number, pages))
    skip = (number - 1) * PAGE_ROWS
    found = format_of(release, file)
    columns, head = _head(stream, found, min(skip + PAGE_ROWS, shown))
    rows = [["" if cell is None else str(cell)[:MAX_CELL] for cell in row] for row in head[skip:]]
    return Page(
        columns=columns,
        rows=rows,
        number=number,
        pages=pages,
        first=skip + 1 if rows else 0,
        last=skip + len(rows),
    )


def _head(stream: BinaryIO, table_format: FileFormat, rows: int) -> tuple[list[str], list[Sequence[Any]]]:
    """Column names and the first rows. Text is read without Arrow, which the web process does not carry."""
    if table_format.kind == "csv":
        from techniques.tables.readers.sampling import sample_text

        columns, cells = sample_text(stream, table_format, rows)
        return columns, list(cells)
    from techniques.tables.readers.reading import read_sample

    batch = read_sample(stream, table_format, rows)
    return list(batch.schema.names), list(zip(*(c.to_pylist() for c in batch.columns), strict=True))
