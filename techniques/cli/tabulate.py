"""``deid tabulate``: a table of statistics with its totals, cells that tell too much hidden or all of them rounded."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from decimal import Decimal
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from techniques.cli import subjects
from techniques.cli.tables import opened, quasi_identifiers, whole_table
from techniques.core.messages import EngineError, _
from techniques.tables.writers.outputs import Outputs

HIDDEN = "x"
"""What stands for a hidden cell."""


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``tabulate``."""
    parser = new_command(
        "tabulate",
        help="make a table of counts or sums in which no contributor can be worked out",
        description="Counts of persons, or sums of a column, with totals. Cells that a rule makes sensitive are hidden, and others so "
        "that these cannot be worked out from the totals (T/ISC 0078 10.5); or all cells are rounded. Exit code 1 where a sensitive "
        "cell can still be bounded too closely; nothing is written then. The rules are secrets.",
    )
    parser.add_argument("input", type=Path, metavar="INPUT", help="CSV, XLSX or Parquet file, a record a row")
    parser.add_argument(
        "output", type=Path, metavar="OUTPUT", help="where the table goes, as CSV, a cell a row"
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
        help="cells whose contributions are all zero",
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
    parser.set_defaults(handler=run, encoding=None, delimiter=None)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Make the table; exit code 1 and no table where a cell stays open."""
    from techniques.families.statistical.tables.release import release

    with Outputs([options.output, options.report], [options.input]) as files:
        if options.round is not None and not 0 < options.round < float("inf"):
            raise EngineError("base_invalid", _("The base of rounding is a number above 0."))
        table, decimals = _tabulated(options)
        if options.round is not None:
            decimals = max(0, -int(Decimal(str(options.round)).normalize().as_tuple().exponent))
        found = release(
            table, _rules(options), counts=not (options.sum or options.rows), base=options.round, nonnegative=not options.negative,
            loss=options.least, seconds=options.seconds,
        )  # fmt: skip
        print("\n".join(map(str, found.statements)))
        if found.open_cells:
            return 1
        _write(files, options.output, found, decimals)
        if options.report:
            made = {**found.secret, "statements": [one.model_dump(mode="json") for one in found.statements]}
            made["primary_cells"] = [table.labels(cell) for cell in found.primary.nonzero()[0].tolist()]
            files.open(options.report).write(json.dumps(made, ensure_ascii=False, indent=1).encode())
    return 0


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
        text = _("Say what makes a cell sensitive: --minimum, --dominance, --p or --pq.")
        raise EngineError("rules_missing", text)
    return rules


def _tabulated(options: argparse.Namespace) -> tuple[Any, int]:
    """(the table with its totals, decimals of its values)."""
    import numpy as np

    from techniques.families.statistical.tables.table import tabulate
    from techniques.tables.subjects import read_subjects

    header, batches = opened(options.input, options)
    by = quasi_identifiers(options.by, header)
    amounts: Any = None
    decimals = 0
    whose = subjects.subjects(options, header, batches, {*by, *([options.sum] if options.sum else [])})
    summed = quasi_identifiers(options.sum, header) if options.sum else []
    rows = whole_table(batches, [*by, *summed])
    contributors = np.arange(rows.num_rows) if whose is None else _numbered(whose)
    if options.holding:
        holding: Any = read_subjects(batches(), quasi_identifiers(options.holding, header))
        contributors = np.where(holding >= 0, holding, contributors + int(holding.max(initial=-1)) + 1)
    if options.sum and options.rows:
        raise EngineError(
            "sum_of_rows", _("Either a column is added up (--sum) or rows are counted (--rows).")
        )
    if options.sum:
        amounts, decimals = _amounts(rows, *summed)
    elif options.rows:
        amounts = np.ones(rows.num_rows)
    pairs = [_dimension(options, rows, column) for column in by]
    rules = _rules(options)
    table = tabulate(
        [one for one, _codes in pairs],
        [codes for _one, codes in pairs],
        amounts,
        contributors,
        ranks=rules.ranks,
    )
    return table, decimals


def _numbered(whose: Any) -> Any:
    from techniques.core.subjects import persons

    return persons(whose)[0].astype("int64")


def _amounts(rows: Any, column: str) -> tuple[Any, int]:
    """(the numbers, the most decimals that one has); a missing one adds nothing."""
    import numpy as np
    import pyarrow.compute as pc

    from techniques.data_utility.numbers import PLAIN, values_of

    found = pc.dictionary_encode(pc.fill_null(rows.column(column).cast("string"), "")).combine_chunks()
    texts = found.dictionary.to_pylist()
    plain = pc.match_substring_regex(found.dictionary, PLAIN).to_pylist()
    # An interval has a middle, but a sum of middles would be taken for the sum of what was measured.
    if any(text and not number for text, number in zip(texts, plain, strict=True)):
        message = _("Column %(column)s is to be added up, but it holds what is no number.")
        raise EngineError("not_a_number", message, column=column)
    numbers = values_of(found.dictionary)
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return np.nan_to_num(numbers)[found.indices.to_numpy()], decimals


def _dimension(options: argparse.Namespace, rows: Any, column: str) -> tuple[Any, Any]:
    """(the dimension, the label of each row)."""
    import numpy as np
    import pyarrow.compute as pc

    from techniques.families.statistical.tables.table import Dimension
    from techniques.hierarchies.folder import hierarchy_files, read_hierarchies

    found = pc.dictionary_encode(pc.fill_null(rows.column(column).cast("string"), "")).combine_chunks()
    texts = found.dictionary.to_pylist()
    files = hierarchy_files(options.hierarchies, [column]) if options.hierarchies else {}
    if files:
        tree = {row[0]: row for row in read_hierarchies(files)[column].rows}
        if unknown := [text for text in texts if text not in tree]:
            message = _("Column %(column)s holds %(count)d values that its hierarchy does not.")
            raise EngineError("value_not_in_hierarchy", message, column=column, count=len(unknown))
        dimension, leaf = Dimension.of_rows(column, [tree[text] for text in sorted(texts)], options.total)
    else:
        values = sorted(texts)
        dimension = Dimension.flat(column, values, options.total)
        leaf = {value: place for place, value in enumerate(values, 1)}
    if len(set(dimension.labels)) < len(dimension.labels):
        message = _(
            "Two labels of column %(column)s are the same, or one is that of the totals: give another with --total."
        )
        raise EngineError("labels_repeat", message, column=column)
    return dimension, np.array([leaf[text] for text in texts], dtype=np.int64)[found.indices.to_numpy()]


def _write(files: Outputs, path: Path, found: Any, decimals: int) -> None:
    import csv

    from techniques.tables import neutralise_name

    table = found.table
    with TextIOWrapper(files.open(path), encoding="utf-8", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow([*(neutralise_name(one.name) for one in table.dimensions), "value"])
        for cell, (value, hidden) in enumerate(
            zip(found.values.tolist(), found.hidden.tolist(), strict=True)
        ):
            # A rounded zero has a sign until a zero is added.
            shown = HIDDEN if hidden else f"{value + 0.0:.{decimals}f}"
            writer.writerow([*map(neutralise_name, table.labels(cell)), shown])
