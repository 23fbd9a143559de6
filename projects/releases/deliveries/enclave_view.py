"""Looking at a release within the portal (enclave sharing, 3.14): the first rows, a page at a time."""

from __future__ import annotations

from typing import BinaryIO

from projects.datasets.samples import Page, page_of_rows

from ..models import Release
from .files import format_of


def page_read(stream: BinaryIO, release: Release, number: int, file: int = 0) -> Page:
    """Page ``number`` (from 1; brought into range) of the first rows of a file of the release."""
    return page_of_rows(stream, format_of(release, file), release.files[file]["rows"], number)
