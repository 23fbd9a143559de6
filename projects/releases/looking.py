"""Looking at a release within the portal (enclave sharing, 3.14): the first rows, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from projects.processing.models import Run
from projects.processing.selectors import run_format

from .models import Release

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


def page_read(stream: BinaryIO, release: Release, number: int) -> Page:
    """Page ``number`` (from 1; brought into range) of the first ``MOST_ROWS`` rows."""
    from techniques.tables.reading import read_sample

    shown = min(release.rows, MOST_ROWS)
    pages = max(1, -(-shown // PAGE_ROWS))
    number = max(1, min(number, pages))
    skip = (number - 1) * PAGE_ROWS
    batch = read_sample(stream, run_format(Run.objects.get(pk=release.run_id)), min(skip + PAGE_ROWS, shown))
    columns = [column.to_pylist() for column in batch.slice(skip).columns]
    rows = [
        ["" if cell is None else str(cell)[:MAX_CELL] for cell in row] for row in zip(*columns, strict=True)
    ]
    return Page(
        columns=list(batch.schema.names),
        rows=rows,
        number=number,
        pages=pages,
        first=skip + 1 if rows else 0,
        last=skip + len(rows),
    )
