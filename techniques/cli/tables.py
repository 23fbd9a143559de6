"""How the commands read tables: the file with its detected form, and columns by their names."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import Any

from techniques.core import faults
from techniques.core.messages import EngineError, _

Batches = Callable[[], Iterator[Any]]


def opened(
    path: Path, options: argparse.Namespace, beside: Container[str] | None = None
) -> tuple[list[str], Batches]:
    """The header of a table, and a function that opens its rows anew. ``beside`` are the columns of a table that it
    is compared with: names and cells are then read without the mark that keeps spreadsheets from running them
    (:mod:`techniques.tables.writers.formulas`).
    """
    from techniques.tables import detect, open_table, plain_batches, plain_names

    with path.open("rb") as stream:
        table_format = detect(stream, path.name)
        changes = {}
        if options.encoding and path == options.input:
            changes["encoding"] = options.encoding.lower()
        if options.delimiter and path == options.input:
            changes["delimiter"] = {"tab": "\t", "\\t": "\t"}.get(options.delimiter, options.delimiter)
        if changes:
            table_format = _changed(table_format, changes)
        stream.seek(0)
        header = list(open_table(stream, table_format).columns)
    if table_format.kind == "parquet":
        beside = None

    def batches() -> Iterator[Any]:
        with path.open("rb") as stream:
            found = open_table(stream, table_format).batches(65_536)
            yield from found if beside is None else plain_batches(found, beside)

    return header if beside is None else plain_names(header, beside), batches


def whole_table(batches: Batches, columns: Iterable[str]) -> Any:
    """These columns of all rows as one Arrow table; EngineError ``no_rows``."""
    import pyarrow as pa

    names = list(dict.fromkeys(columns))
    parts = [batch.select(names) for batch in batches() if batch.num_rows]
    if not parts:
        raise faults.nothing_to_count()
    return pa.Table.from_batches(parts)


def _changed(table_format: Any, changes: dict[str, str]) -> Any:
    from pydantic import ValidationError

    try:
        return type(table_format).model_validate(table_format.model_dump() | changes)
    except ValidationError:
        text = _("There is no encoding or delimiter “%(given)s”.")
        raise EngineError("format_unknown", text, given=", ".join(changes.values())) from None


def quasi_identifiers(text: str, columns: list[str]) -> list[str]:
    """The columns that ``text`` names, separated by commas; a name with a comma in it also works, and one that a
    result has with an apostrophe, because a spreadsheet would take it for a formula."""
    from techniques.tables import neutralise_name

    names, known = [], set(columns)
    parts = text.split(",")
    while parts:
        for end in range(len(parts), 0, -1):
            candidate = ",".join(parts[:end])
            match = candidate if candidate in known else candidate.strip()
            match = match if match in known else neutralise_name(match)
            if match in known:
                names.append(match)
                parts = parts[end:]
                break
        else:
            raise faults.unknown_column(parts[0].strip())
    return names
