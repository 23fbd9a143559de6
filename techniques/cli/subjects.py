"""The option ``--subject`` of the commands that measure persons: whose the rows of a table are."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator
from typing import Any

ONE_EACH = ("", "rows")
"""What says that one row is one person."""


def add_argument(parser: argparse.ArgumentParser) -> None:
    """The option; without it a table that looks like several rows a person stops the command."""
    parser.add_argument(
        "--subject", metavar="A,B",
        help="columns by which rows belong to persons, so that classes count persons; 'rows' or '': one row is one person",
    )  # fmt: skip


def named(options: argparse.Namespace, header: list[str]) -> list[str]:
    """The columns that the option names."""
    from techniques.cli.tables import quasi_identifiers

    if options.subject is None or (options.subject in ONE_EACH and options.subject not in header):
        return []
    return quasi_identifiers(options.subject, header)


def subjects(
    options: argparse.Namespace,
    header: list[str],
    batches: Callable[[], Iterator[Any]],
    treated: Collection[str],
) -> Any:
    """Whose each row is, None where one row is one person.

    EngineError ``subject_unsaid`` where nobody said and a column that is not ``treated`` looks like a key of several rows;
    ``unknown_column``.
    """
    from techniques.cli.tables import quasi_identifiers
    from techniques.identification.subjects import ask_whose, find_subjects
    from techniques.tables.subjects import read_subjects

    if options.subject is None:
        ask_whose(find_subjects(batches, [name for name in header if name not in treated]))
        return None
    if options.subject in ONE_EACH and options.subject not in header:
        return None
    return read_subjects(batches(), quasi_identifiers(options.subject, header))
