"""The file of a privacy notice: received straight into the encrypted store, its kind read from its bytes."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from typing import BinaryIO

from django.http import HttpRequest

from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open
from projects.datasets.upload.uploading import Upload

from ..enums import NoticeKind

MAX_BYTES = 20 * 1024**2
PURPOSE = "privacy_notice"
CONTENT_TYPES = {NoticeKind.PDF: "application/pdf", NoticeKind.TEXT: "text/plain"}
_PDF = b"%PDF-"
_PIECE = 1 << 20
# What no text holds, and nearly every other file does: control characters but tab, line ends and page break.
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f]")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def notice_receiving(request: HttpRequest) -> Upload:
    """To be entered before anything reads the body."""
    return Upload(request, purpose=PURPOSE, limit=MAX_BYTES)


def notice_kind(stored: StoredFile) -> NoticeKind | None:
    """PDF by its first bytes, plain text when all of it is text; None for everything else and for an empty file."""
    with store_open(stored) as stream:
        head = stream.read(len(_PDF))
        if head == _PDF:
            return NoticeKind.PDF
        encodings = ("utf-16",) if head.startswith(_UTF_16) else ("utf-8-sig", "gb18030")
        return NoticeKind.TEXT if any(_is_text(stream, encoding) for encoding in encodings) else None


def _is_text(stream: BinaryIO, encoding: str) -> bool:
    """Whether all of the file can be read in ``encoding``, holds no control character and is not blank."""
    stream.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    written = False
    try:
        for piece in _pieces(stream):
            text = decoder.decode(piece, final=not piece)
            if _CONTROL.search(text):
                return False
            written = written or bool(text.strip())
    except UnicodeDecodeError:
        return False
    return written


def _pieces(stream: BinaryIO) -> Iterable[bytes]:
    """Pieces of 1 MiB, and an empty one at the end."""
    while piece := stream.read(_PIECE):
        yield piece
    yield b""
