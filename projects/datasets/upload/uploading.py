"""Uploads that are encrypted while they arrive: no plaintext on disk, a chunk at a time in memory."""

from __future__ import annotations

import contextlib
import shutil
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, StopUpload
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser

from techniques.core.messages import EngineError, gettext_noop

from ..models import StoredFile
from ..store.sealed import StoreWriter, no_room
from ..store.store import store_remove

FIELD = "file"
# By what a refused upload is answered; 422 where nothing stands here.
STATUS_OF = {"upload.too_large": 413, "store.full": 507}
# What an upload leaves free for the database, results and sign-ins (bytes).
RESERVE = 256 * 1024**2
# What the other fields and the boundaries of a form may add to the file itself.
FORM_OVERHEAD = 1024 * 1024


class SealedUpload(UploadedFile):  # type: ignore[type-arg]
    """A received file that lies in the store already."""

    def __init__(self, name: str, stored: StoredFile) -> None:
        super().__init__(file=None, name=name, size=stored.size)
        self.stored = stored

    def close(self) -> None:
        """Nothing is open."""


class SealingUploadHandler(FileUploadHandler):
    """Writes the one file of the form into the store; other files are skipped."""

    chunk_size = 1024 * 1024

    def __init__(self, request: HttpRequest, *, purpose: str = "dataset", limit: int | None = None) -> None:
        super().__init__(request)
        self.purpose = purpose
        self.limit = settings.DEID_UPLOAD_LIMIT if limit is None else limit
        self.writer: StoreWriter | None = None
        self.stored: StoredFile | None = None
        self.too_large = False
        self.body: _CountedBody | None = None

    def handle_raw_input(
        self,
        input_data: Any,
        META: dict[str, str],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> tuple[Any, Any] | None:
        """Have the form read as usual, from a body that counts what arrives."""
        if self.body is not None:
            return None
        self.body = _CountedBody(input_data)
        return MultiPartParser(META, self.body, [self], encoding).parse()  # type: ignore[arg-type]

    @property
    def received(self) -> int | None:
        """Bytes of the body that arrived; None where it was no form with a file."""
        return None if self.body is None else self.body.count

    def new_file(self, field_name: str, *args: Any, **kwargs: Any) -> None:
        super().new_file(field_name, *args, **kwargs)
        if field_name != FIELD or self.writer is not None:
            raise SkipFile
        self.writer = StoreWriter(self.purpose)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        assert self.writer is not None
        if self.writer.size + len(raw_data) > self.limit:
            self.too_large = True
            self.writer.abort()
            raise StopUpload(connection_reset=True)
        self.writer.write(raw_data)
        return None

    def file_complete(self, file_size: int) -> SealedUpload | None:
        assert self.writer is not None
        self.stored = self.writer.commit()
        return SealedUpload(self.file_name or "", self.stored)

    def upload_interrupted(self) -> None:
        if self.writer is not None:
            self.writer.abort()

    def discard(self) -> None:
        """Remove what nobody took over."""
        self.upload_interrupted()
        if self.stored is not None:
            store_remove(self.stored)
            self.stored = None


class _CountedBody:
    """The request's body, counting what arrived: a connection that breaks looks like an end of file."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.count = stream, 0

    def read(self, *args: Any) -> bytes:
        data: bytes = self.stream.read(*args)
        self.count += len(data)
        return data


def announced_length(request: HttpRequest) -> int:
    """Bytes of the body by its header; 0 for a header that is no number, as for the reader of the body."""
    try:
        return max(0, int(request.META.get("CONTENT_LENGTH") or 0))
    except ValueError:
        return 0


class Upload(contextlib.AbstractContextManager["Upload"]):
    """Receive one upload: install the handler before anything reads the body, remove leftovers after.

    ``with Upload(request) as upload: …parse the body…; stored, name = upload.taken()``
    ``limit`` in bytes; by default that of data sets. ``purpose`` stands in the stored file's row.
    """

    def __init__(self, request: HttpRequest, *, purpose: str = "dataset", limit: int | None = None) -> None:
        self.length = announced_length(request)
        self.request = request
        self.handler = SealingUploadHandler(request, purpose=purpose, limit=limit)
        request.upload_handlers = [self.handler]
        self.done = False

    def refuse_too_large(self) -> None:
        """Raise before reading when the announced length says that the file is too large, here or for the disk."""
        if self.length > self.handler.limit + FORM_OVERHEAD:
            raise too_large(self.handler.limit)
        settings.DEID_STORE_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)
        if shutil.disk_usage(settings.DEID_STORE_DIR).free < self.length + RESERVE:
            raise no_room()

    def taken(self, uploaded: Any) -> tuple[StoredFile, str]:
        """The whole received file and the name its sender gave; ``EngineError`` when there is none.

        From here on the caller answers for the stored file.
        """
        if self.handler.too_large:
            raise too_large(self.handler.limit)
        if self.handler.received is not None and self.handler.received < self.length:
            text = gettext_noop("The upload broke off before its end; nothing was kept. Send the file again.")
            raise EngineError("upload.cut", text)
        if not isinstance(uploaded, SealedUpload):
            raise EngineError("upload.none", gettext_noop("No file was sent. Choose a file."))
        self.done = True
        return uploaded.stored, uploaded.name or ""

    def __exit__(self, *exc: object) -> None:
        if not self.done:
            self.handler.discard()


def too_large(limit: int | None = None) -> EngineError:
    limit = settings.DEID_UPLOAD_LIMIT if limit is None else limit
    return EngineError(
        "upload.too_large",
        gettext_noop("The file is larger than %(limit)s MB. Split it, or send it as Parquet.")
        if limit == settings.DEID_UPLOAD_LIMIT
        else gettext_noop("The file is larger than %(limit)s MB."),
        limit=limit // 1024**2,
    )
