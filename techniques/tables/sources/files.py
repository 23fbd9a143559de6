"""A file as the readers know it, whatever it is packed as and whichever form it has."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from techniques.core.messages import EngineError, _
from techniques.tables.sources import forms

Place = Callable[[str], Path]
"""Gives a new place for a file of that name."""


def readable(
    path: Path, place: Place, *, named: str = "", given: forms.Form | None = None
) -> tuple[Path, forms.Form]:
    """(the file itself, or one made of it at ``place`` that the readers know; its form before).

    ``given`` is the form that somebody says, ``named`` what messages call the file. EngineError ``format_differs``, and those of
    :mod:`techniques.tables.sources`.
    """
    content = unpacked(path, place)
    form = form_of(content, named or path.name, given)
    if form == forms.kind_of(form):
        return content, form
    from techniques.tables.sources import typed

    made = place(f"{forms.by_name(content.name).stem}.parquet")
    with typed.opened(content, form) as (schema, batches):
        typed.write_parquet(schema, batches, made)
    if content != path:
        content.unlink()
    return made, form


def unpacked(path: Path, place: Place) -> Path:
    """The file itself, or its content at ``place`` where it is packed."""
    with path.open("rb") as stream:
        packing = forms.packing_of(stream)
        if packing is None:
            return path
        from techniques.tables.sources.packing import unpack

        named = path.name.removesuffix(path.suffix) if forms.by_name(path.name).packing else path.name
        made = place(named)
        with made.open("xb") as target:
            unpack(stream, packing, target, path.stat().st_size)
    return made


def form_of(content: Path, named: str, given: forms.Form | None) -> forms.Form:
    """The form of a file's content. EngineError ``format_differs`` where somebody says another."""
    with content.open("rb") as stream:
        seen = forms.form_of(stream)
    if given is None or given == seen or {given, seen} == {"arrow", "arrows"}:
        return seen
    if {given, seen} == {"csv", "jsonl"}:
        return given
    text = _("The content of %(path)s is %(found)s, not %(given)s: leave out --format.")
    raise EngineError("format_differs", text, path=named, found=forms.NAMES[seen], given=forms.NAMES[given])


def digest_of_parts(parts: Iterable[tuple[str, str]]) -> str:
    """The hash of a table in parts, by (hash, name) of each: that of their list, as ``sha256sum`` prints it."""
    listed = "".join(f"{digest}  {name}\n" for digest, name in parts)
    return hashlib.sha256(listed.encode()).hexdigest()
