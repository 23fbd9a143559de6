"""The first rows of a data set: kept encrypted, shown masked, unmasked only through a service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from .models import Dataset
from .store.store import store_open

if TYPE_CHECKING:
    from techniques.tables.formats import FileFormat

SAMPLE_ROWS = 50
PREVIEW_ROWS = 10
RAW_ROWS = 20
MAX_CELL = 300
PAGE_ROWS = 25
# Looking is not fetching: whoever needs more has the work done inside.
MOST_ROWS = 500
MAX_SHOWN = 200
MASK = "***"


@dataclass(frozen=True)
class Sample:
    """Column names, and rows of texts (None where a cell is missing)."""

    columns: list[str]
    rows: list[list[str | None]]

    def to_json(self) -> bytes:
        return json.dumps({"columns": self.columns, "rows": self.rows}, ensure_ascii=False).encode()

    def masked(self, rows: int = PREVIEW_ROWS) -> Sample:
        return Sample(self.columns, [[mask(cell) for cell in row] for row in self.rows[:rows]])

    def head(self, rows: int) -> Sample:
        return Sample(self.columns, self.rows[:rows])


def mask(cell: str | None) -> str | None:
    """The first character and a mask of fixed length; nothing of a one-character value, nor its length."""
    if not cell:
        return cell
    return (cell[0] if len(cell) > 1 else "") + MASK


def sample_read(stream: BinaryIO, table_format: Any) -> Sample:
    """The first rows of a table file as texts. Runs in a worker: it parses what a stranger sent."""
    from techniques.tables.readers.reading import read_sample

    batch = read_sample(stream, table_format, SAMPLE_ROWS)
    columns = [column.to_pylist() for column in batch.columns]
    rows = [
        [None if cell is None else str(cell)[:MAX_CELL] for cell in row] for row in zip(*columns, strict=True)
    ]
    return Sample(list(batch.schema.names), rows)


def head_read(stream: BinaryIO, table_format: FileFormat, rows: int) -> Sample:
    """The first ``rows`` rows of a file that the portal itself wrote. Text is read without Arrow, which the web process does not
    carry."""
    found: Iterable[Sequence[Any]]
    if table_format.kind == "csv":
        from techniques.tables.readers.sampling import sample_text

        columns, found = sample_text(stream, table_format, rows)
    else:
        from techniques.tables.readers.reading import read_sample

        batch = read_sample(stream, table_format, rows)
        columns, found = list(batch.schema.names), zip(*(c.to_pylist() for c in batch.columns), strict=True)
    return Sample(
        columns, [[None if cell is None else str(cell)[:MAX_CELL] for cell in row] for row in found]
    )


@dataclass(frozen=True)
class Page:
    """One page of rows as texts; ``first`` and ``last`` count from 1, both 0 where there is none."""

    columns: list[str]
    rows: list[list[str]]
    number: int
    pages: int
    first: int
    last: int

    @property
    def before(self) -> int:
        """The number of the page before this one; 0 where there is none."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the page after this one; 0 where there is none."""
        return self.number + 1 if self.number < self.pages else 0


def page_of_rows(stream: BinaryIO, table_format: FileFormat, rows: int, number: int) -> Page:
    """Page ``number`` (from 1; brought into range) of the first ``MOST_ROWS`` of all ``rows``."""
    shown = min(rows, MOST_ROWS)
    pages = max(1, -(-shown // PAGE_ROWS))
    number = max(1, min(number, pages))
    skip = (number - 1) * PAGE_ROWS
    head = head_read(stream, table_format, min(skip + PAGE_ROWS, shown))
    found = [["" if cell is None else cell[:MAX_SHOWN] for cell in row] for row in head.rows[skip:]]
    return Page(
        columns=head.columns,
        rows=found,
        number=number,
        pages=pages,
        first=skip + 1 if found else 0,
        last=skip + len(found),
    )


def sample_of(dataset: Dataset) -> Sample | None:
    """The stored first rows, unmasked: for services and ``preview_of`` only."""
    if dataset.sample is None or dataset.sample.destroyed_at is not None:
        return None
    with store_open(dataset.sample) as stream:
        content = json.loads(stream.read())
    return Sample(content["columns"], content["rows"])


def preview_of(dataset: Dataset) -> Sample | None:
    """What a page may show without further ado: every value masked."""
    sample = sample_of(dataset)
    return None if sample is None else sample.masked()
