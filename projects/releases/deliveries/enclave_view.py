"""Looking at a release within the portal (enclave sharing, 3.14): the first rows, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from projects.datasets.samples import head_read

from ..models import Release
from .files import format_of

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
    head = head_read(stream, found, min(skip + PAGE_ROWS, shown))
    rows = [["" if cell is None else cell[:MAX_CELL] for cell in row] for row in head.rows[skip:]]
    return Page(
        columns=head.columns,
        rows=rows,
        number=number,
        pages=pages,
        first=skip + 1 if rows else 0,
        last=skip + len(rows),
    )
