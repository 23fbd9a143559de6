"""A result in the form and the packing in which it is wanted."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, cast

from techniques.tables.sources import forms
from techniques.tables.sources.packing import packed


def write(
    content: BinaryIO,
    name: str,
    form: forms.Form,
    packing: forms.Packing | None,
    target: BinaryIO,
    place: Callable[[str], Path],
) -> str:
    """Write the table file ``content`` to ``target``; ``place`` gives a place for what lies between. Returns the hash of what
    was written."""
    hashing = _Hashing(target)
    with packed(cast(BinaryIO, hashing), packing) as stream:
        seen = forms.form_of(content)
        if seen == form:
            shutil.copyfileobj(content, stream, 1 << 20)
        elif forms.kind_of(form) == form:
            _rewrite(content, name, form, stream)
        else:
            from techniques.tables.sources.typed import write_form

            between = place("between.parquet")
            with between.open("xb") as kept:
                if seen == "parquet":
                    shutil.copyfileobj(content, kept, 1 << 20)
                else:
                    _rewrite(content, name, "parquet", kept)
            write_form(between, form, stream)
    return hashing.digest.hexdigest()


def _rewrite(content: BinaryIO, name: str, form: forms.Form, stream: Any) -> None:
    """Texts from one kind of file to another."""
    from techniques.tables import FileFormat, TableWriter, detect, open_table

    found = detect(content, name).model_copy(update={"header": True})
    with (
        open_table(content, found) as reader,
        TableWriter(stream, FileFormat(kind=forms.kind_of(form)), reader.columns, neutralise_formulas=found.kind == "parquet") as writer,
    ):  # fmt: skip
        for batch in reader.batches():
            writer.write(batch)


class _Hashing(io.RawIOBase):
    """Passes bytes on and hashes them."""

    def __init__(self, target: BinaryIO) -> None:
        super().__init__()
        self._target = target
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        block = bytes(data)
        self.digest.update(block)
        self._target.write(block)
        return len(block)
