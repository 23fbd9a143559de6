"""``deid diff``: columns, types, rows and cells that differ between two tables, counted; no value is shown."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, file_format, opened, quasi_identifiers
from techniques.core.messages import EngineError, _


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``diff``."""
    parser = new_command(
        "diff",
        help="what changed from one table to another, counted, without showing a value",
        description="Columns, types, rows, and by column how many cells changed. Exit code 0 where nothing differs, 1 where something "
        "does. Rows are in no order unless --same-order or --key says so: then a column's cells that have no equal in the other table "
        "are counted.",
    )
    parser.add_argument("before", type=TableIn, metavar="A", help="the table before")
    parser.add_argument("after", type=TableIn, metavar="B", help="the table after")
    rows = parser.add_mutually_exclusive_group()
    rows.add_argument(
        "--same-order",
        action="store_true",
        help="both have the same rows in the same order: compare row by row",
    )
    rows.add_argument(
        "--key", metavar="A,B", help="columns that name a row in both: compare rows of the same key"
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing: the exit code says it")
    add_reading(parser, "before", "A")
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Compare and print. Exit code 0, or 1 where the tables differ."""
    old, before = opened(options.before, options, ())
    new, after = opened(options.after, options, old)
    both = [name for name in old if name in new]
    rows = [sum(batch.num_rows for batch in batches()) for batches in (before, after)]
    types = _types(options.before, options), _types(options.after, options)
    changed = {
        name: [kind.get(name, "text") for kind in types]
        for name in both
        if types[0].get(name, "text") != types[1].get(name, "text")
    }
    found: dict[str, Any] = {
        "diff": 1,
        "rows": rows,
        "columns": {
            "only_before": [name for name in old if name not in new],
            "only_after": [name for name in new if name not in old],
            "moved": both != [name for name in new if name in old],
        },
        "types": changed,
        **_cells(options, before, after, both, rows),
    }
    columns = found["columns"]
    same = (
        rows[0] == rows[1]
        and not (columns["only_before"] or columns["only_after"] or columns["moved"] or changed)
        and not any(number for one in found["cells"].values() for number in one.values())
        and not any(found.get("keys", ()))
    )
    found["same"] = same
    if options.json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    elif not options.quiet:
        sys.stdout.write("".join(f"{line}\n" for line in _lines(found)))
    return 0 if same else 1


def _cells(
    options: argparse.Namespace, before: Any, after: Any, both: list[str], rows: list[int]
) -> dict[str, Any]:
    from techniques.cli.difference import cells

    if options.key:
        key = quasi_identifiers(options.key, both)
        counts, keys = cells.by_key(before, after, key, both)
        return {"compared": "by_key", "cells": counts, "keys": list(keys)}
    if options.same_order:
        if rows[0] != rows[1]:
            text = _(
                "The tables have %(before)d and %(after)d rows, so they do not follow each other row by row: leave out "
                "--same-order, or name a --key."
            )
            raise EngineError("rows_differ", text, before=rows[0], after=rows[1])
        return {"compared": "in_order", "cells": cells.in_order(before, after, both)}
    return {"compared": "as_heaps", "cells": cells.as_heaps(before, after, both)}


def _types(path: Path, options: argparse.Namespace) -> dict[str, str]:
    from techniques.tables import open_table

    form = file_format(path, options)
    with path.open("rb") as stream, open_table(stream, form) as reader:
        return {name: str(kind) for name, kind in reader.types.items()}


def _lines(found: dict[str, Any]) -> list[str]:
    if found["same"]:
        return [f"no difference: {found['rows'][0]} rows, {len(found['cells'])} columns compared"]
    columns = found["columns"]
    lines = [f"rows: {found['rows'][0]}, then {found['rows'][1]}"]
    if "keys" in found:
        lines.append(f"rows of a key that only A has: {found['keys'][0]}, only B: {found['keys'][1]}")
    lines += [f"column only in A: {name}" for name in columns["only_before"]]
    lines += [f"column only in B: {name}" for name in columns["only_after"]]
    if columns["moved"]:
        lines.append("columns in another order")
    lines += [f"{name}: type {old}, then {new}" for name, (old, new) in found["types"].items()]
    for name, counts in found["cells"].items():
        if any(counts.values()):
            said = (f"{kind.replace('_', ' ')} {number}" for kind, number in counts.items() if number)
            lines.append(f"{name}: cells {', '.join(said)}")
    return lines
