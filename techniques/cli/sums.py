"""``deid add`` and ``deid combine``: sums of encrypted or shared numbers, and numbers out of shares, without a key."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.cli.places.staging import TableIn, TableOut
from techniques.cli.recipes.reading import recipe_of_one_table
from techniques.cli.tables import add_json, add_output_format, add_reading, file_format, say, shown
from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.tables.writers.outputs import Outputs

if TYPE_CHECKING:
    from techniques.tables import FileFormat

ROWS = "rows"
"""Column of a table of sums: how many cells each was made of."""


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands ``add`` and ``combine``."""
    add = new_command(
        "add",
        help="add up a column of homomorphic ciphertexts or of one holder's shares, without the key",
        description="The sum is a ciphertext or a share itself: deid reverse or deid combine give the number (GB/T 37964 A.2.5, A.2.6).",
    )
    add.add_argument("table", type=TableIn, metavar="TABLE", help="a result with such a column")
    add.add_argument("column", help="the column to add up")
    add.add_argument("output", type=TableOut, help="where the table of the sums goes")
    add.add_argument("--by", metavar="A,B", help="a sum for each combination of these columns")
    kind = add.add_mutually_exclusive_group(required=True)
    kind.add_argument("--report", type=Path, help="the report of the run: it holds the public key")
    kind.add_argument("--public-key", metavar="HEX", help="the public key of the ciphertexts")
    kind.add_argument("--shares", action="store_true", help="the column holds shares of one holder")
    add_json(add)
    add_output_format(add)
    add_reading(add, "table", "TABLE")
    add.set_defaults(handler=_add)
    combine = new_command(
        "combine",
        help="get numbers back from the shares of enough holders",
        description="Each holder's file has the same rows in the same order; sums made by deid add do as well (GB/T 37964 A.2.6).",
    )
    combine.add_argument("recipe", type=Path, help="the recipe of one of the holders' runs")
    combine.add_argument("column", help="the column of shares")
    combine.add_argument("output", type=TableOut, help="where the table with the numbers goes")
    combine.add_argument(
        "files", nargs="+", metavar="HOLDER=FILE", help="the number of a holder and its file"
    )
    add_json(combine)
    add_output_format(combine)
    combine.set_defaults(handler=_combine)


def _add(options: argparse.Namespace) -> None:
    by = options.by.split(",") if options.by else []
    with Outputs([options.output], [options.table, options.report]) as outputs:
        public_key = _public_key(options)
        found = file_format(options.table, options)
        summed, rows = _sums(_batches(options.table, found), options.column, by, _adder(public_key))
        _write(outputs, options.output, found, summed)
    output = shown(options.output, options)
    figures = {"sums": len(summed), "cells": rows, "output": output}
    say(options, f"{len(summed)} sums of {rows} cells: {output}", figures)


def _public_key(options: argparse.Namespace) -> str:
    """In hexadecimal; empty where the column holds shares. EngineError ``no_sums``."""
    if options.report is None:
        return options.public_key or ""
    report = json.loads(options.report.read_text(encoding="utf-8"))
    for table in report.get("tables", {"": report}).values():
        for step in table.get("steps", ()):
            facts = (step.get("result") or {}).get(options.column) or {}
            if {"public_key", "holder"} & set(facts):
                return str(facts.get("public_key", ""))
    text = _("The report names no step that made addable numbers from column %(column)s.")
    raise EngineError("no_sums", text, column=options.column)


def _adder(public_key: str) -> Callable[[list[str]], str]:
    from techniques.families.encryption.ciphers import shamir
    from techniques.families.encryption.homomorphic import add_ciphertexts

    if public_key:
        return lambda texts: add_ciphertexts(public_key, texts)
    return lambda texts: str(sum(map(int, texts)) % shamir.PRIME)


def _sums(
    batches: Iterator[Any], column: str, by: list[str], add: Callable[[list[str]], str]
) -> tuple[Any, int]:
    """The table of sums, by the columns ``by`` in order of occurrence, and the number of cells; missing ones are left out.

    EngineError ``unknown_column``, ``not_summable``.
    """
    import pyarrow as pa

    groups: dict[tuple[str | None, ...], list[str]] = {}
    for batch in batches:
        for wanted in (*by, column):
            if wanted not in batch.schema.names:
                raise faults.unknown_column(wanted)
        columns = [batch.column(name).cast(pa.string()).to_pylist() for name in (*by, column)]
        for *group, text in zip(*columns, strict=True):
            if text is not None:
                groups.setdefault(tuple(group), []).append(text)
    try:
        sums = [add(texts) for texts in groups.values()]
    except ValueError:
        reason = _("Column %(column)s holds a text that is neither a ciphertext nor a share.")
        raise EngineError("not_summable", reason, column=column) from None
    made = {name: pa.array([group[i] for group in groups], pa.string()) for i, name in enumerate(by)}
    counts = [str(len(texts)) for texts in groups.values()]
    made |= {ROWS: pa.array(counts, pa.string()), column: pa.array(sums, pa.string())}
    return pa.RecordBatch.from_pydict(made), sum(map(len, groups.values()))


def _combine(options: argparse.Namespace) -> None:
    import pyarrow as pa

    from techniques.engines.reversal import combine_some

    files: dict[int, Path] = {}
    for one in options.files:
        holder, sign, path = one.partition("=")
        if not sign or not holder.isdigit() or int(holder) in files:
            text = _("%(given)s is not HOLDER=FILE, or the holder is named twice.")
            raise EngineError("holder_unclear", text, given=one)
        files[int(holder)] = options.staging.source(path, described=False)
    with Outputs([options.output], [options.recipe, *files.values()]) as outputs:
        recipe = recipe_of_one_table(options.recipe)
        forms = {holder: file_format(path, options) for holder, path in files.items()}
        tables = {
            holder: pa.Table.from_batches(_batches(path, forms[holder])) for holder, path in files.items()
        }
        for table in tables.values():
            if options.column not in table.schema.names:
                raise faults.unknown_column(options.column)
        if len({table.num_rows for table in tables.values()}) > 1:
            text = _("The holders' files have different numbers of rows: they are not from one run.")
            raise EngineError("shares_of_other_runs", text)
        shares = {
            h: table.column(options.column).cast(pa.string()).to_pylist() for h, table in tables.items()
        }
        numbers = combine_some(recipe, options.column, shares)
        whole = next(iter(tables.values()))
        place = whole.schema.names.index(options.column)
        made = whole.set_column(place, options.column, pa.array(numbers, pa.string())).combine_chunks()
        _write(outputs, options.output, next(iter(forms.values())), made)
    output = shown(options.output, options)
    say(options, f"{len(numbers)} rows: {output}", {"rows": len(numbers), "output": output})


def _batches(path: Path, found: FileFormat) -> Iterator[Any]:
    from techniques.tables import open_table

    with path.open("rb") as stream, open_table(stream, found) as reader:
        yield from reader.batches(65_536)


def _write(outputs: Outputs, output: Path, found: FileFormat, table: Any) -> None:
    from techniques.tables import TableWriter

    with TableWriter(outputs.open(output), found, list(table.schema.names)) as writer:
        for batch in table.to_batches() if hasattr(table, "to_batches") else [table]:
            writer.write(batch)
