"""Answers that carry a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO
from urllib.parse import quote

from django.http import StreamingHttpResponse

CONTENT_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
}
FALLBACK = "application/octet-stream"


def file_response(
    pieces: Iterable[bytes], *, name: str, content_type: str, size: int
) -> StreamingHttpResponse:
    """A file to be saved, never shown or guessed at, never kept by a cache; ``size`` in bytes.

    The announced length lets whoever receives it see that a file broke off.
    """
    response = StreamingHttpResponse(pieces, content_type=content_type)
    response["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    response["Content-Length"] = str(size)
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "no-store, private"
    return response


def pieces_of(stream: BinaryIO) -> Iterator[bytes]:
    """A stream in pieces of 64 KiB, closed at its end."""
    with stream:
        while piece := stream.read(1 << 16):
            yield piece
