"""``deid tabulate``: a table of statistics with its totals, cells that tell too much hidden or all of them rounded."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from techniques.cli import subjects
from techniques.cli.places.staging import TableIn, TableOut
from techniques.cli.tables import (
    add_json,
    add_output_format,
    add_reading,
    opened,
    quasi_identifiers,
    say,
    whole_table,
)
from techniques.core.messages import EngineError, _
from techniques.tables.writers.outputs import Outputs


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``tabulate``."""
    parser = new_command(
        "tabulate",
        help="make a table of counts or sums in which no contributor can be worked out",
        description="Counts of persons, or sums of a column, with totals. Cells that a rule makes sensitive are hidden, and others so "
        "that these cannot be worked out from the totals (T/ISC 0078 10.5); or all cells are rounded. Exit code 1 where a sensitive "
        "cell can still be bounded too closely; nothing is written then. The rules are secrets.",
    )
    parser.add_argument(
        "input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file, a record a row"
    )
    parser.add_argument(
        "output", type=TableOut, metavar="OUTPUT", help="where the table goes, as CSV, a cell a row"
    )
    parser.add_argument("--by", required=True, metavar="A,B", help="the columns of the table's dimensions")
    parser.add_argument(
        "--sum", metavar="C", help="the column that is added up; without it contributors are counted"
    )
    parser.add_argument(
        "--rows", action="store_true", help="count rows, of which a contributor may have several"
    )
    subjects.add_argument(parser)
    parser.add_argument(
        "--holding", metavar="D", help="whose rows are one contributor's where this column is not empty"
    )
    parser.add_argument(
        "--hierarchies",
        type=Path,
        metavar="DIR",
        help="folder of <column>.csv: totals between a value and the whole",
    )
    parser.add_argument("--total", default="Total", help="the name of the totals (Total)")
    parser.add_argument("--minimum", type=int, metavar="N", help="hide cells of fewer contributors")
    parser.add_argument(
        "--margin",
        type=float,
        default=0.3,
        help="how far off the estimate of a sum of fewer has to stay, as a share (0.3)",
    )
    parser.add_argument("--dominance", metavar="N,K", help="the N largest contribute more than K per cent")
    parser.add_argument(
        "--p",
        type=float,
        metavar="P",
        help="the second largest can estimate the largest to within P per cent",
    )
    parser.add_argument(
        "--pq", metavar="P,Q", help="the same where each is known to within Q per cent before"
    )
    parser.add_argument(
        "--zeros",
        choices=["published", "hidden"],
        default="published",
        help="in a table of sums, cells whose contributions are all zero",
    )
    parser.add_argument(
        "--negative", action="store_true", help="readers do not know that no value lies below zero"
    )
    parser.add_argument(
        "--least", choices=["cells", "values"], default="cells", help="what hiding is to cost least of"
    )
    parser.add_argument(
        "--round", type=float, metavar="BASE", help="round all cells to multiples of this instead of hiding"
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="time for the search (60)")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write the rules and what they made sensitive here, as JSON: a secret",
    )
    add_json(parser)
    add_output_format(parser)
    add_reading(parser)
    parser.set_defaults(handler=run)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Make the table; exit code 1 and no table where a cell stays open."""
    from techniques.families.statistical.tables.release import release
    from techniques.families.statistical.tables.table import decimals_of

    with Outputs([options.output, options.report], [options.input]) as files:
        if options.round is not None and not 0 < options.round < float("inf"):
            raise EngineError("base_invalid", _("The base of rounding must be a number above 0."))
        table, decimals = _tabulated(options)
        if options.round is not None:
            decimals = decimals_of(options.round)
        found = release(
            table, _rules(options), counts=not (options.sum or options.rows), base=options.round, nonnegative=not options.negative,
            loss=options.least, seconds=options.seconds,
        )  # fmt: skip
        statements = list(map(str, found.statements))
        what = _what(options, opened(options.input, options)[0])
        figures = {
            **what, "passed": not found.open_cells, "statements": statements,
            "said": [one.model_dump(mode="json", exclude={"formula"}) for one in found.statements],
        }  # fmt: skip
        say(options, "\n".join([*statements, _in_words(what)]), figures)
        if found.open_cells:
            return 1
        _write(files, options.output, found, decimals)
        if options.report:
            made = {
                **what,
                **found.secret,
                "statements": [one.model_dump(mode="json") for one in found.statements],
            }
            made["primary_cells"] = [table.labels(cell) for cell in found.primary.nonzero()[0].tolist()]
            files.open(options.report).write(json.dumps(made, ensure_ascii=False, indent=1).encode())
    return 0


def _what(options: argparse.Namespace, header: list[str]) -> dict[str, Any]:
    """The clauses and what the table is: what anybody who reads it may know."""
    from techniques.catalogue import bases

    kind = "sum" if options.sum else "rows" if options.rows else "contributors"
    return {
        "clause": bases.TABLES, "kind": kind, "column": options.sum or "", "by": options.by.split(","),
        "base": options.round, "subject": ",".join(subjects.named(options, header)), "holding": options.holding or "",
    }  # fmt: skip


def _in_words(what: dict[str, Any]) -> str:
    held = f"sums of {what['column']}" if what["kind"] == "sum" else f"counts of {what['kind']}"
    base = what["base"]
    kept = "cells that tell too much are hidden" if base is None else f"rounded to multiples of {base:g}"
    one = f"different {what['subject']}" if what["subject"] else "row"
    whose = f"a contributor is a {one}" + (
        f", a holding is one of {what['holding']}" if what["holding"] else ""
    )
    return f"{what['clause']}; {held} by {', '.join(what['by'])}; {whose}; {kept}"


def _rules(options: argparse.Namespace) -> Any:
    from pydantic import ValidationError

    from techniques.core.validation import first_problem
    from techniques.families.statistical.tables.sensitivity import SensitivityRules

    given: dict[str, Any] = {
        "minimum_contributors": options.minimum, "margin": options.margin, "p_percent": options.p, "zeros": options.zeros,
    }  # fmt: skip
    for name, keys, text in (
        ("dominance", ("n", "k"), options.dominance),
        ("prior_posterior", ("p", "q"), options.pq),
    ):
        if text:
            given[name] = dict(zip((*keys, *text.split(",")[2:]), text.split(","), strict=False))
    try:
        rules = SensitivityRules.model_validate(given)
    except ValidationError as error:
        found = first_problem(error, "rules")
        raise EngineError("rules_invalid", found.message, **found.params) from None
    if not any((rules.minimum_contributors, rules.dominance, rules.p_percent, rules.prior_posterior)):
        text = _("State what makes a cell sensitive: --minimum, --dominance, --p or --pq.")
        raise EngineError("rules_missing", text)
    if rules.zeros == "hidden" and not options.sum:
        text = _(
            "--zeros hidden is for sums (--sum): each contributes one to a count, so no contribution to it is zero."
        )
        raise EngineError("rules_of_amounts", text)
    return rules


def _tabulated(options: argparse.Namespace) -> tuple[Any, int]:
    """(the table with its totals, decimals of its values)."""
    import numpy as np

    from techniques.families.statistical.tables.records import amounts_of, contributors_of, dimension_of
    from techniques.families.statistical.tables.table import tabulate
    from techniques.hierarchies.folder import hierarchy_files, read_hierarchies
    from techniques.tables.subjects import read_subjects

    header, batches = opened(options.input, options)
    by = quasi_identifiers(options.by, header)
    amounts: Any = None
    decimals = 0
    whose = subjects.subjects(options, header, batches, {*by, *([options.sum] if options.sum else [])})
    summed = quasi_identifiers(options.sum, header) if options.sum else []
    rows = whole_table(batches, [*by, *summed])
    holding = (
        read_subjects(batches(), quasi_identifiers(options.holding, header)) if options.holding else None
    )
    contributors = contributors_of(whose, holding, rows.num_rows)
    if options.sum and options.rows:
        raise EngineError("sum_of_rows", _("Either add up a column (--sum) or count rows (--rows)."))
    if options.sum:
        amounts, decimals = amounts_of(rows, *summed)
    elif options.rows:
        amounts = np.ones(rows.num_rows)
    files = hierarchy_files(options.hierarchies, by) if options.hierarchies else {}
    trees = {column: one.rows for column, one in read_hierarchies(files).items()} if files else {}
    pairs = [dimension_of(rows, column, trees.get(column), options.total) for column in by]
    rules = _rules(options)
    table = tabulate(
        [one for one, _codes in pairs],
        [codes for _one, codes in pairs],
        amounts,
        contributors,
        ranks=rules.ranks,
    )
    return table, decimals


def _write(files: Outputs, path: Path, found: Any, decimals: int) -> None:
    from techniques.families.statistical.tables.files import table_write

    with TextIOWrapper(files.open(path), encoding="utf-8", newline="") as target:
        table_write(target, found, decimals)
