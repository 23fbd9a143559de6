"""The option ``--subject`` of the commands that measure persons: whose the rows of a table are."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from techniques.identification.rules import ScannedColumns
    from techniques.identification.subjects import SubjectHint

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
    scanned: ScannedColumns | None = None,
) -> Any:
    """Whose each row is, None where one row is one person. ``scanned``: all columns, if they have been read for this before.

    EngineError ``subject_unsaid`` where nobody said and a column that is not ``treated`` looks like a key of several rows;
    ``unknown_column``.
    """
    one_each = options.subject in ONE_EACH and options.subject not in header
    said = "rows" if one_each else None if options.subject is None else named(options, header)
    return subjects_of(said, header, batches, treated, scanned)


def subjects_of(
    said: Sequence[str] | Literal["rows"] | None,
    header: list[str],
    batches: Callable[[], Iterator[Any]],
    treated: Collection[str],
    scanned: ScannedColumns | None = None,
) -> Any:
    """As :func:`subjects`: ``said`` are the columns that tell whose a row is, ``rows`` where one row is one person, None where
    nobody said."""
    from techniques.identification.subjects import ask_whose, find_subjects
    from techniques.tables.rows import columns_of
    from techniques.tables.subjects import read_subjects

    if said is None or said == "rows":
        others = [name for name in header if name not in treated]
        hints = find_subjects(batches, others, [name for name in header if name in treated], scanned)
        if said is None:
            ask_whose(hints)
        elif hints:
            _note(hints[0])
        return None
    return read_subjects(columns_of(batches, list(said)), list(said))


def _note(hint: SubjectHint) -> None:
    """That rows count as persons because somebody said so, and what speaks against it."""
    key = hint.columns[0]
    print(
        f"deid: one row counts as one person, as you said; but column {key} has {hint.persons} different values in {hint.rows} "
        f"rows, up to {hint.most} of one, and looks like a key of persons: if it is, count them by --subject {key}",
        file=sys.stderr,
    )
