"""How the commands read tables: the file with its detected form, and columns by their names."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.tables.sources.forms import FORMS

if TYPE_CHECKING:
    from techniques.cli.places.staging import Staging
    from techniques.tables import FileFormat

Batches = Callable[[], Iterator[Any]]


def add_reading(parser: argparse.ArgumentParser, of: str = "input", shown: str = "INPUT") -> None:
    """The options that say how a table is written, in place of what is detected; ``of`` is the argument that names it."""
    how = parser.add_argument_group("reading", f"how {shown} is written, where it is not as detected")
    how.add_argument("--format", choices=FORMS, help="the form, where the content does not tell it")
    how.add_argument("--encoding", help="of CSV: utf-8, gb18030, utf-16-le or utf-16-be")
    how.add_argument("--delimiter", help="of CSV: one of , ; tab |")
    how.add_argument("--quote", help="of CSV: \" or ', or none where no character quotes")
    how.add_argument("--header", choices=["yes", "no"], help="whether the first row names the columns")
    how.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook")
    how.add_argument(
        "--null-values", action="append", default=[], metavar="TEXT",
        help="a cell of this text is a missing value, as an empty cell is; may be given several times",
    )  # fmt: skip
    parser.set_defaults(described=of)


def add_output_format(parser: argparse.ArgumentParser) -> None:
    """The option of the commands that write a table."""
    parser.add_argument(
        "--output-format", choices=FORMS,
        help="the form of OUTPUT where its name tells none, as that of - does (default: the form of the input)",
    )  # fmt: skip


def add_json(parser: argparse.ArgumentParser) -> None:
    """The option of the commands that write a table and say what they did."""
    parser.add_argument("--json", action="store_true", help="say what was done as JSON")


def say(options: argparse.Namespace, text: str, figures: dict[str, Any]) -> None:
    """What a command says at its end: a sentence, or with ``--json`` the figures."""
    line = json.dumps(figures, ensure_ascii=False) if options.json else text
    sys.stdout.write(f"{line}\n")


def add_plain(parser: argparse.ArgumentParser) -> None:
    """The option of the commands whose result is a table for machines."""
    parser.add_argument(
        "--plain", action="store_true",
        help="write cells as they are: without it a cell of CSV or XLSX that a spreadsheet would run as a formula gets an "
        "apostrophe in front",
    )  # fmt: skip


def shown(path: Path, options: argparse.Namespace) -> str:
    """What a table was called by whoever named it."""
    staging: Staging = options.staging
    return staging.shown(path)


def file_format(path: Path, options: argparse.Namespace) -> FileFormat:
    """The form of a table: as detected, and of the table that the options describe as they say.

    EngineError ``header_unsaid`` and ``sheet_unsaid`` where only a person can know, ``format_unknown``, ``format_option``.
    """
    described = getattr(options, "described", None)
    named = getattr(options, described) if described else None
    given = named is not None and path in (named if isinstance(named, list) else [named])
    staging: Staging = options.staging
    if (known := staging.form(path)) is not None:
        missing = tuple(options.null_values) if given else ()
        return known.model_copy(update={"missing": missing})
    return form_of(path, options, given)


def form_of(path: Path, options: argparse.Namespace, given: bool) -> FileFormat:
    """The form of a file; ``given``: the options describe it. EngineError as :func:`file_format`."""
    from techniques.tables import detect

    with path.open("rb") as stream:
        found = detect(stream, path.name)
    said = _said(options, found) if given else {}
    if found.kind == "xlsx" and "sheet" not in said:
        _require_one_sheet(path)
    if found.kind == "csv" and given and not found.header and "header" not in said:
        text = _(
            "The first row of %(path)s looks like data, not like column names. Use --header no, which"
            " names the columns column_1, column_2 and so on, or --header yes."
        )
        raise EngineError("header_unsaid", text, path=path.name)
    return _changed(found, said) if said else found


def _said(options: argparse.Namespace, found: FileFormat) -> dict[str, Any]:
    """Fields of the format that the options name; EngineError ``format_option`` for one that the kind of file lacks."""
    said: dict[str, Any] = {}
    if options.encoding:
        said["encoding"] = options.encoding.lower()
        said["bom"] = found.bom and said["encoding"] == found.encoding
    if options.delimiter:
        said["delimiter"] = {"tab": "\t", "\\t": "\t"}.get(options.delimiter, options.delimiter)
    if options.quote:
        said["quote"] = "" if options.quote == "none" else options.quote
    if options.header:
        said["header"] = options.header == "yes"
    if options.sheet:
        said["sheet"] = options.sheet
    kinds = {"header": ("csv", "xlsx"), "sheet": ("xlsx",)}
    for field in said:
        if found.kind not in kinds.get(field, ("csv",)):
            text = _("--%(option)s has no meaning for a file of the kind %(kind)s.")
            raise EngineError("format_option", text, option=field, kind=found.kind)
    if options.null_values:
        said["missing"] = tuple(options.null_values)
    return said


def _require_one_sheet(path: Path) -> None:
    """EngineError ``sheet_unsaid`` with the names of the sheets of a workbook that has several."""
    from techniques.tables.readers.workbooks import list_sheets

    with path.open("rb") as stream:
        sheets = list_sheets(stream)
    if len(sheets) > 1:
        text = _(
            "The workbook %(path)s has several sheets: %(sheets)s. Name one with --sheet, or save it in a separate workbook."
        )
        raise EngineError("sheet_unsaid", text, path=path.name, sheets=", ".join(sheets))


def opened(
    path: Path, options: argparse.Namespace, beside: Container[str] | None = None
) -> tuple[list[str], Batches]:
    """The header of a table, and a function that opens its rows anew. ``beside`` are the columns of a table that it
    is compared with: names and cells are then read without the mark that keeps spreadsheets from running them
    (:mod:`techniques.tables.writers.formulas`).
    """
    from techniques.tables import open_table, plain_batches, plain_names
    from techniques.tables.rows import FileRows

    table_format = file_format(path, options)
    with path.open("rb") as stream:
        header = list(open_table(stream, table_format).columns)
    rows = FileRows(path, table_format)
    if beside is None or table_format.kind == "parquet":
        return header, rows
    return plain_names(header, beside), lambda: plain_batches(rows(), beside)


def whole_table(batches: Batches, columns: Iterable[str]) -> Any:
    """These columns of all rows as one Arrow table; EngineError ``no_rows``."""
    import pyarrow as pa

    names = list(dict.fromkeys(columns))
    parts = [batch.select(names) for batch in batches() if batch.num_rows]
    if not parts:
        raise faults.nothing_to_count()
    return pa.Table.from_batches(parts)


def _changed(found: FileFormat, said: dict[str, Any]) -> FileFormat:
    from pydantic import ValidationError

    try:
        return type(found).model_validate(found.model_dump() | said)
    except ValidationError:
        text = _("There is no encoding, delimiter or quote “%(given)s”.")
        given = ", ".join(str(said[field]) for field in ("encoding", "delimiter", "quote") if field in said)
        raise EngineError("format_unknown", text, given=given) from None


def required_columns(header: Collection[str], names: Iterable[str]) -> None:
    """EngineError ``unknown_column`` for the first name that the table lacks."""
    for name in names:
        if name not in header:
            raise faults.unknown_column(name)


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
