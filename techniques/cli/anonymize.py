"""``deid anonymize``: a model for a file without a recipe and without the portal."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.cli import anonymize_request as command_request
from techniques.cli import findings
from techniques.cli.places.staging import TableIn, TableOut
from techniques.cli.tables import (
    add_json,
    add_output_format,
    add_plain,
    add_reading,
    file_format,
    quasi_identifiers,
    say,
    shown,
)
from techniques.core.messages import EngineError, _
from techniques.recipe import guarantees
from techniques.tables.sources.forms import by_name, kind_of
from techniques.tables.writers.outputs import Outputs

if TYPE_CHECKING:
    from techniques.tables import EncodedColumn, FileFormat
    from techniques.tables.types import Types


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the ``anonymize`` command; ``handler`` carries it out and returns the exit code."""
    parser = new_command(
        "anonymize",
        help="make a file k-anonymous, l-diverse or t-close",
        description="Generalises the quasi-identifiers of a table with the least loss of information (GB/T 37964 "
        "B.1.1 to B.1.3). Rows that are suppressed stay, their quasi-identifiers become *. A missing value is a "
        "value of its own. Other columns are left as they are, but for a row number or a key, which has to be "
        "named with --keep, and the row index of pandas, which is left out. They are searched for identifiers first, and "
        "what is found stops the command unless --accept-findings names the column. The rows are shuffled.",
    )
    parser.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument("output", type=TableOut, metavar="OUTPUT", help="where the result goes")
    parser.add_argument(
        "--k", type=int, required=True, help="fewest rows, or persons (--subject), that look alike"
    )
    parser.add_argument(
        "--suppression-limit",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of rows, and of persons (--subject) who may be left without one, 0 to 1 (default 0)",
    )
    parser.add_argument(
        "--local", action="store_true", help="generalise class by class, not column by column"
    )
    command_request.add_arguments(parser)
    findings.add_argument(parser)
    parser.add_argument(
        "--order",
        choices=["shuffled", "kept"],
        default="shuffled",
        help="of the rows of the result; kept: as in the input, so that whoever holds another table in that order joins "
        "both by place (default shuffled)",
    )
    parser.add_argument("--estimate", action="store_true", help="say how many solutions there are, and stop")
    parser.add_argument("--drop-unlisted", action="store_true", help="leave out all other columns")
    parser.add_argument(
        "--keep", metavar="A,B", default="",
        help="other columns that stay as they are even if they number the rows, or with --drop-unlisted",
    )  # fmt: skip
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the figures here, as JSON")
    add_json(parser)
    add_output_format(parser)
    add_plain(parser)
    add_reading(parser)
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Carry the command out. Exit code 0; a fault of file or options raises EngineError."""
    _check(options)
    with Outputs([options.output, options.report], [options.input]) as files:
        return _run(options, files)


def _run(options: argparse.Namespace, files: Outputs) -> int:
    from techniques.anonymization import release, untreated
    from techniques.anonymization.settings import search_settings
    from techniques.engines.output import output_format
    from techniques.recipe.recipe import Output
    from techniques.tables import encode_columns, open_table

    found = file_format(options.input, options)
    with options.input.open("rb") as stream, open_table(stream, found) as reader:
        request = command_request.read_request(options, reader.columns)
        files.reads(*request.files)
        wanted, index = _wanted(options, reader.columns, reader.index_columns, request)
        table = encode_columns(reader.batches(command_request.BATCH), wanted)
        header, types = reader.columns, reader.types
    whose = command_request.read_subjects(options, found, request, header)
    rest = [column for column in wanted if column not in request.quasi and column not in request.sensitive]
    settings = search_settings(
        request.quasi,
        k=options.k,
        suppression_limit=options.suppression_limit,
        recoding="local" if options.local else "full_domain",
        **request.settings,
    )
    quasi = {name: table[name] for name in request.quasi}
    sensitive = {name: table[name] for name in request.sensitive}
    if options.estimate:
        release.warm(settings)
        _estimate(quasi, sensitive, settings, whose)
        return 0
    kept = _kept(options, header)
    may = quasi_identifiers(options.accept_findings, header) if options.accept_findings else []
    telling = untreated.telling({name: table[name] for name in rest}, {*kept, *may})
    left = {name: table[name] for name in (*rest, *request.sensitive)}
    found_in = findings.search(lambda: _coded(left), list(left), (), {*may, *kept}, options.k)
    findings.require(found_in)
    release.warm(settings)
    if not options.local:
        _estimate(quasi, sensitive, settings, whose)
    made = release.anonymize(quasi, sensitive, settings, subjects=whose)
    report = command_request.tidy(
        {
            **made.report,
            **guarantees.of_model(settings, request.quasi, made.report),
            "untreated": {"columns": rest, "telling_rows_apart": telling, "index_left_out": index},
            "findings": found_in,
            "order": options.order,
            **({"plain": True} if options.plain else {}),
        }
    )
    named = by_name(options.output.name).form
    form = output_format(Output(), found, kind_of(named) if named else None)
    order = _drawn_order(len(made.suppressed)) if options.order == "shuffled" else None
    released = {name: _ordered({**table, **made.columns}[name], order) for name in wanted}
    untouched = [name for name in wanted if name not in made.columns]
    carried = {
        name: column if order is None else column.take(order)
        for name, column in _carried(options, found, untouched if form.kind == "parquet" else [])
    }
    _write(files, options, form, released, carried, types)
    if options.report:
        files.text(options.report, json.dumps(report, ensure_ascii=False, indent=2) + "\n")
    if index:
        print(f"deid: left out, the row index of pandas: {', '.join(index)}", file=sys.stderr)
    if rest:
        print(f"deid: left as they are: {', '.join(rest)}", file=sys.stderr)
    for line in findings.said(found_in):
        print(f"deid: {line}", file=sys.stderr)
    if telling:
        print(f"deid: these may tell rows apart by themselves: {', '.join(telling)}", file=sys.stderr)
    persons = (
        f" of {report['persons']} persons, {report['suppressed_persons']} of whom have none left"
        if whose is not None
        else ""
    )
    say(
        options,
        f"{len(made.suppressed)} rows, {report['suppressed']} suppressed{persons}, {report['classes']} classes of "
        f"{report['min_class']} or more, granularity {report['granularity']:.4f}: {shown(options.output, options)}",
        report,
    )
    return 0


def _check(options: argparse.Namespace) -> None:
    command_request.check(options, [options.k], [options.suppression_limit])
    if options.estimate and options.local:
        raise EngineError(
            "estimate_local",
            _("Local recoding has no list of solutions to count: leave out --estimate or --local."),
        )
    if options.loss != "geometric" and options.local:
        raise EngineError(
            "loss_local",
            _("Local recoding always loses the least share of values: leave out --loss or --local."),
        )


def _wanted(
    options: argparse.Namespace, header: list[str], index: tuple[str, ...], request: command_request.Request
) -> tuple[list[str], list[str]]:
    """The columns of the result, and those of pandas' row index that are left out."""
    kept = _kept(options, header)
    treated = {*request.quasi, *request.sensitive}
    for column in kept:
        if column in treated or column in index:
            text = _(
                "--keep: column %(column)s is treated already or the row index of pandas; name other columns."
            )
            raise EngineError("keep_not_other", text, column=column)
    gone = [column for column in index if column not in treated]
    wanted = [
        column
        for column in header
        if column not in gone and (not options.drop_unlisted or column in treated or column in kept)
    ]
    return wanted, gone


def _kept(options: argparse.Namespace, header: list[str]) -> list[str]:

    return quasi_identifiers(options.keep, header) if options.keep else []


def _estimate(quasi: dict[str, Any], sensitive: dict[str, Any], settings: Any, whose: Any) -> None:
    from techniques.anonymization.preflight import estimate

    known = estimate(quasi, sensitive, settings, subjects=whose)
    print(
        f"deid: {known.solutions} solutions, at most {known.at_most_seconds:.3g} s"
        + ("" if known.provable else f" for the {settings.effort} that are looked at"),
        file=sys.stderr,
    )


def _drawn_order(rows: int) -> Any:
    """The n rows in an order that nobody can foretell."""
    import numpy as np

    drawn = np.frombuffer(secrets.token_bytes(8 * rows), np.uint64)
    return np.argsort(drawn, kind="stable")


def _ordered(column: EncodedColumn, order: Any) -> EncodedColumn:
    from techniques.tables.dictionary import EncodedColumn

    return column if order is None else EncodedColumn(column.codes[order], column.values)


def _used(column: EncodedColumn) -> Any:
    """The values that some row has."""
    import numpy as np
    import pyarrow as pa

    codes = np.unique(column.codes)
    return column.values.take(pa.array(codes[codes >= 0]))


def _carried(options: argparse.Namespace, found: FileFormat, columns: list[str]) -> Iterator[tuple[str, Any]]:
    """The untouched columns of a Parquet file in their own types, to the bit; of a file of texts none."""
    if found.kind != "parquet" or found.missing or not columns:
        return
    import pyarrow as pa

    from techniques.tables.readers.parquet import carried_batches

    with options.input.open("rb") as stream:
        table = pa.Table.from_batches(carried_batches(stream, columns, command_request.BATCH))
    for name in columns:
        yield name, table.column(name).combine_chunks()


def _coded(columns: dict[str, Any]) -> Iterator[Any]:
    """The columns as one batch, values by their codes."""
    import pyarrow as pa

    arrays = [
        pa.DictionaryArray.from_arrays(pa.array(one.codes, mask=one.codes < 0), one.values)
        for one in columns.values()
    ]
    if arrays:
        yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def _write(
    files: Outputs,
    options: argparse.Namespace,
    form: FileFormat,
    columns: dict[str, EncodedColumn],
    carried: dict[str, Any],
    types: Types,
) -> None:
    """The result; columns of a Parquet file have types where their values do (:mod:`techniques.tables.types`)."""
    import pyarrow as pa

    from techniques.anonymization.release import written
    from techniques.tables import TableWriter
    from techniques.tables.types import fitting, possible_types

    batch, names = command_request.BATCH, list(columns)
    own = {name: types[name] for name in carried}
    for name, kind in types.items():
        if name in columns and name not in carried and kind != pa.string():
            fits = fitting(_used(columns[name]), kind)
            if fits:
                own[name] = possible_types(kind)[fits[0]]
    with (
        files.open(options.output) as stream,
        TableWriter(stream, form, names, neutralise_formulas=not options.plain, types=own) as writer,
    ):
        for start in range(0, len(columns[names[0]]), batch):
            stop = start + batch
            cells = [
                carried[name].slice(start, batch) if name in carried else written(columns[name], start, stop)
                for name in names
            ]
            writer.write(pa.RecordBatch.from_arrays(cells, names=names))
