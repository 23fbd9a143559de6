"""The command ``levels``: what persons ask for, counted, and answers of a form joined to the table."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

from techniques.cli import subjects
from techniques.cli.places.staging import TableIn, TableOut
from techniques.cli.tables import add_output_format, add_reading, opened, quasi_identifiers
from techniques.core import faults


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``levels`` and its two parts."""
    parser = new_command(
        "levels",
        help="protection levels that persons ask for",
        description="For the step generalization.personal_levels of a recipe (GB/T 37964 A.5.1; Cao et al. 2018).",
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    count = parts.add_parser("count", help="how many ask for which level, with which value")
    count.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    count.add_argument("--column", required=True, help="the sensitive attribute")
    count.add_argument("--levels", required=True, metavar="COLUMN", help="the column of the levels")
    subjects.add_argument(count)
    _ends(count, _count)
    join = parts.add_parser(
        "join",
        help="add the levels of a form's answers to a table",
        description="Who did not answer gets --default; of several answers of one person the highest level counts.",
    )
    join.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    join.add_argument(
        "answers",
        type=TableIn,
        metavar="ANSWERS",
        help="a row an answer: the key and protection_level, or protection_level_… for a further attribute",
    )
    join.add_argument("output", type=TableOut, metavar="OUTPUT", help="CSV file with that column more")
    add_output_format(join)
    join.add_argument(
        "--key", required=True, metavar="A,B", help="the columns that say whose a row is, in both files"
    )
    join.add_argument("--default", type=int, default=0, help="level of who did not answer (0: none)")
    _ends(join, _join)


def _ends(parser: argparse.ArgumentParser, handler: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    add_reading(parser)
    parser.set_defaults(handler=handler)


def _count(options: argparse.Namespace) -> int:
    from techniques.catalogue import bases
    from techniques.models.personalized.requested import FEWEST, requested
    from techniques.tables.subjects import read_subjects
    from techniques.values.levels import MOST_LEVEL

    header, batches = opened(options.input, options)
    for name in (options.column, options.levels):
        if name not in header:
            raise faults.unknown_column(name)
    whose = read_subjects(batches(), subjects.named(options, header))
    found = requested(batches, options.column, options.levels, whose)
    if options.json:
        figures = {
            **found.model_dump(mode="json"),
            "basis": bases.PERSONAL_LEVELS,
            "limits": bases.LEVELS_LIMITS,
        }
        print(json.dumps(figures, ensure_ascii=False, indent=1))
        return 0
    unit = "persons" if found.of_persons else "records"
    print(f"{unit} {found.units}")
    for level, number in sorted(found.levels.items()):
        print(f"{f'level {level}' if level else 'no level'}: {number}")
    if found.pooled:
        print(f"at levels of fewer than {FEWEST}, and those that would tell of them: {found.pooled}")
    if found.unreadable:
        print(f"records whose cell is no level from 1 to {MOST_LEVEL}: {found.unreadable}")
    for one in found.values:
        asked = [f"{level or '-'}: {number}" for level, number in sorted(one.records.items())]
        few = [f"together: {one.pooled}"] if one.pooled else []
        print(f"{one.value}: {'  '.join([*asked, *few])}")
    if found.unnamed:
        print(f"values that too few have to be named: {found.unnamed}")
    print(bases.PERSONAL_LEVELS, bases.LEVELS_LIMITS, sep="\n")
    return 0


def _join(options: argparse.Namespace) -> int:
    from techniques.models.personalized.answers import Answers, Joining
    from techniques.tables import FileFormat
    from techniques.tables.writers.outputs import Outputs
    from techniques.tables.writers.writing import TableWriter

    header, batches = opened(options.input, options)
    key = quasi_identifiers(options.key, header)
    known, answers = opened(options.answers, options)
    quasi_identifiers(options.key, known)
    joining = Joining(Answers.read(answers(), key), options.default)
    with Outputs([options.output], [options.input, options.answers]) as outputs:
        made = FileFormat(kind="csv")
        stream = outputs.open(options.output)
        with TableWriter(stream, made, [*header, joining.column]) as writer:
            for batch in joining.joined(batches()):
                writer.write(batch)
        stream.close()
    _said(options, joining.counts().model_dump())
    return 0


def _said(options: argparse.Namespace, figures: dict[str, Any]) -> None:
    if options.json:
        print(json.dumps(figures, indent=1))
        return
    for name, number in figures.items():
        print(f"{name.replace('_', ' ')} {number}")
