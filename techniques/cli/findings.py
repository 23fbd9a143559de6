"""Identifiers in the columns that a command leaves as they are: searched for as the gate does, and the command stops unless
the person who gives it says that it may go on."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from techniques.identification.residual import ResidualReport
    from techniques.identification.rules import ScannedColumns
    from techniques.identification.traces.telling import Telling

Finding = dict[str, Any]
"""A column, what it was found to hold, in how many rows, and whether a person accepted it."""


def add_argument(parser: argparse.ArgumentParser) -> None:
    """The option that lets a command go on."""
    parser.add_argument(
        "--accept-findings", metavar="A,B", default="",
        help="columns that may hold identifiers or tell rows apart, named one by one; without it such a column stops the "
        "command",
    )  # fmt: skip


def search(
    batches: Callable[[], Iterator[Any]],
    columns: Sequence[str],
    quasi: Collection[str] = (),
    accepted: Collection[str] = (),
    alike: int | None = None,
    *,
    keys: Collection[str] = (),
    scanned: ScannedColumns | None = None,
) -> list[Finding]:
    """What was found in ``columns``; those of ``quasi`` may tell rows apart, for that is what is measured of them.

    ``alike``: how many rows have to share a value, 5 where nobody says. ``keys`` say whose a row is and so tell persons apart,
    which is no finding; an identifier in them is one. ``scanned``: the columns, if they have been read for this before.
    """
    from techniques.core.attributes import AttributeRole
    from techniques.identification.keys import ALIKE
    from techniques.identification.residual import residual_of, residual_scan
    from techniques.identification.traces.telling import rare_columns
    from techniques.tables.rows import columns_of, counts_of

    if not columns:
        return []
    roles = dict.fromkeys(quasi, AttributeRole.QUASI_IDENTIFIER)
    if scanned is None:
        report = residual_scan(columns_of(batches, columns), columns, roles)
    else:
        scanners = {(name, False): scanned.scanners[name] for name in columns}
        report = residual_of(scanners, scanned.rows, columns, roles)
    return of_scan(
        report, columns, lambda rest: rare_columns(counts_of(batches, rest), alike or ALIKE), quasi, accepted, keys=keys
    )  # fmt: skip


def of_scan(
    scanned: ResidualReport,
    columns: Sequence[str],
    tell: Callable[[Sequence[str]], Sequence[Telling]],
    quasi: Collection[str] = (),
    accepted: Collection[str] = (),
    *,
    keys: Collection[str] = (),
) -> list[Finding]:
    """As :func:`search`, of ``columns`` that are ``scanned``; ``tell`` says which of some others tell rows apart."""
    from techniques.core.kinds import KEY_KINDS

    found = [
        _finding(one.column, one.kind, one.rows, one.column in accepted)
        for one in scanned.blocking
        if not (one.column in keys and one.kind in KEY_KINDS)
    ]
    named = {one["column"] for one in found}
    rest = [name for name in columns if name not in named and name not in quasi and name not in keys]
    rare = tell(rest) if rest else []
    return found + [_finding(one.column, "unique_value", one.rows, one.column in accepted) for one in rare]


def require(found: Sequence[Finding]) -> None:
    """EngineError ``identifiers_left`` where a finding was not accepted."""
    stopping = list(dict.fromkeys(one["column"] for one in found if not one["accepted"]))
    if stopping:
        text = _(
            "These columns contain identifiers or distinguish the rows: %(columns)s. Leave them out, "
            "treat them as quasi-identifiers (--qi), or continue with --accept-findings and their "
            "names."
        )
        raise EngineError("identifiers_left", text, columns=", ".join(stopping))


def said(found: Sequence[Finding]) -> list[str]:
    """A line for each column."""
    from techniques.core.kinds import kind_of

    return [
        f"{one['column']}: {kind_of(one['kind']).name.lower()}, {one['rows']} rows"
        + (", accepted" if one["accepted"] else "")
        for one in found
    ]


def _finding(column: str, kind: str, rows: int, accepted: bool) -> Finding:
    return {"column": column, "kind": kind, "rows": rows, "accepted": accepted}
