"""``deid profile``: type, spread, ways of writing, distinct, missing and rare values of each column, counted; no value is shown."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, file_format

_UNITS = {"number": 1e6, "date": 12}


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``profile``."""
    parser = new_command(
        "profile",
        help="what the columns of a table hold, counted, without showing a value",
        description="Each column's type, missing and distinct values, lengths, the spread of numbers and dates, ways of writing "
        "(a for letters, 0 for digits) and the share of rows with a rare value. What fewer than ten rows have is not shown.",
    )
    parser.add_argument("input", type=TableIn, metavar="TABLE", help="the table")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_reading(parser, "input", "TABLE")
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Profile and print; exit code 0."""
    from techniques.identification.profiles.profile import Profiles
    from techniques.tables import check, open_table

    form = file_format(options.input, options)
    with options.input.open("rb") as stream:
        shape = check(stream, form)
    with options.input.open("rb") as stream, open_table(stream, form) as reader:
        profiles = Profiles(reader.columns)
        for _batch in profiles.watched(reader.batches()):
            pass
        types = reader.types
    columns = []
    for one in shape.columns:
        figures = profiles.of(one.name)
        columns.append(
            {
                "name": one.name,
                "type": str(types[one.name]) if one.name in types else "text",
                "missing": one.missing,
                "distinct": one.distinct,
                "distinct_exact": not one.distinct_capped,
                "lengths": [one.min_length, one.max_length],
                **figures,
                "bars": _bars(figures),
            }
        )
    if options.json:
        found = {
            "profile": 1,
            "input_sha256": options.staging.sha256(options.input),
            "rows": shape.rows,
            "columns": columns,
        }
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        return 0
    lines = [f"{shape.rows} rows, {len(columns)} columns"]
    for column in columns:
        lines += _lines(column)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _bars(figures: dict[str, Any]) -> list[list[Any]]:
    """(from, below, rows): numbers as they are, dates as year and month."""

    def place(one: int | None) -> Any:
        if one is None:
            return None
        return f"{one // 12:04}-{one % 12 + 1:02}" if figures["sort"] == "date" else one / _UNITS["number"]

    return [[place(low), place(high), rows] for low, high, rows in figures["bars"]]


def _lines(column: dict[str, Any]) -> list[str]:
    more = "" if column["distinct_exact"] else "more than "
    lines = [
        f"{column['name']}: {column['type']}, {column['sort']}, {column['missing']} missing, "
        f"{more}{column['distinct']} distinct, {column['lengths'][0]} to {column['lengths'][1]} characters, "
        f"{column['rare']:.2%} of rows with a value that fewer than {column['few']} have"
    ]
    if column["bars"]:
        shown = (
            f"{'' if low is None else _shown(low)}..{'' if high is None else _shown(high)}: {rows}"
            for low, high, rows in column["bars"]
        )
        lines.append(f"    spread {'  '.join(shown)}")
    if column["forms"]:
        lines.append(
            f"    written {'  '.join(f'{form!r}: {rows}' for form, rows in column['forms'])}"
            f" (of {column['looked_at']} looked at)"
        )
    return lines


def _shown(place: Any) -> str:
    return place if isinstance(place, str) else f"{place:g}"
