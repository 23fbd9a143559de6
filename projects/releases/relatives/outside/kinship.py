"""Which releases made outside the portal may tell of the same persons as a result, by what is known of both.

Only the file would show it. What somebody wrote down can be compared: the hash of the file, names of columns, the data source and the
column that tells persons apart.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple
from unicodedata import normalize

from django.db.models import F

from approvals.request_cache import cached_read
from projects.objective.targets.content import KINSHIPS, Kinship
from projects.processing.models import Run, RunTable

from ..selectors import LEAST_COLUMNS, SAME_COLUMNS, Trace, relatives_of
from .models import OutsideRelease

LEAST_LETTERS = 4
"""A source that is called by fewer letters and digits is found by the whole name only."""


@dataclass(frozen=True)
class Known:
    """What is known of a result, or of the data that a target is about. ``columns``: as they are compared → as they are called."""

    columns: Mapping[str, str]
    files: frozenset[str]
    source: str
    subject: frozenset[str]


class Kin(NamedTuple):
    """Why a release made outside is named, and which columns both have, as the project calls them."""

    grounds: tuple[Kinship, ...]
    columns: tuple[str, ...]


def compared(names: Iterable[str]) -> dict[str, str]:
    """Names as they are compared: whoever types them does not always write them as the file does, nor as wide."""
    return {normalize("NFKC", name).strip().casefold(): name for name in names}


def grounds_of(entry: OutsideRelease, known: Known, *, least: int) -> Kin:
    """Every reason that holds. ``least``: so many columns of the same names say something."""
    found: set[Kinship] = set()
    theirs = compared(entry.columns)
    common = sorted(name for key, name in known.columns.items() if key in theirs)
    fewer = min(len(theirs), len(known.columns))
    if len(common) >= least and len(common) >= SAME_COLUMNS * fewer:
        found.add("columns")
    if entry.sha256 and entry.sha256 in known.files:
        found.add("copy")
    if same_source(known.source, entry.source):
        found.add("source")
    if known.subject & compared(entry.subject_columns).keys():
        found.add("subject")
    return Kin(tuple(one for one in KINSHIPS if one in found), tuple(common) if "columns" in found else ())


def kin_of(entry: OutsideRelease, known: Known) -> Kin | None:
    """Why a release is related to the entry, by what a release of the portal is told of: the same file, or half of the columns. That
    both were made from one file cannot be seen here; the same source and the same column of persons stand for it."""
    kin = grounds_of(entry, known, least=LEAST_COLUMNS)
    grounds = {*kin.grounds}
    return kin if grounds & {"copy", "columns"} or grounds >= {"source", "subject"} else None


def same_source(one: str, other: str) -> bool:
    """Whether both call it alike, or one says it within more words; letters and digits count."""
    a, b = (_letters(text) for text in (one, other))
    if not a or not b:
        return False
    return a == b or (min(len(a), len(b)) >= LEAST_LETTERS and (a in b or b in a))


def _letters(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())


def known_of_runs(runs: Iterable[uuid.UUID]) -> dict[uuid.UUID, Known]:
    """Of each run what is known of its result, with one statement for any number."""
    rows: Any = RunTable.objects.filter(run__in=[*runs]).annotate(
        names=F("report__columns_out"), source=F("run__project__objective__scope__source")
    )
    by_run: dict[uuid.UUID, list[Any]] = {}
    for row in (
        rows.select_related("dataset", "run__recipe_version")
        .defer("report", "notice", "dataset__profile")
        .order_by()
    ):
        by_run.setdefault(row.run_id, []).append(row)
    return {
        run: Known(
            columns=compared(name for one in tables for name in one.names or ()),
            files=frozenset(
                {one.dataset.sha256 for one in tables} | {one.result_sha256 for one in tables} - {""}
            ),
            source=tables[0].source or "",
            subject=frozenset(
                compared(
                    name
                    for one in tables
                    for name in one.run.recipe_version.tables.get(one.name, {}).get("subject") or ()
                )
            ),
        )
        for run, tables in by_run.items()
    }


class OutsideKin(NamedTuple):
    """A release made outside beside a result, and why."""

    entry: OutsideRelease
    kin: Kin


def _known_of(own: Sequence[Trace]) -> Known:
    """The same of one result, by what was read along with its relatives."""
    recipes = [one["recipe"] for one in json.loads(own[0].recipe)["tables"]]
    return Known(
        columns=compared(name for one in own for name in one.names or ()),
        files=frozenset({one.file for one in own} | {one.result for one in own} - {""}),
        source=own[0].source or "",
        subject=frozenset(compared(name for one in recipes for name in one.get("subject") or ())),
    )


def _entry_of(row: Mapping[str, Any]) -> OutsideRelease:
    """An entry as it was read along: days are texts there, and on SQLite lists as well."""
    lists = {
        name: json.loads(row[name]) if isinstance(row[name], str) else row[name]
        for name in ("subject_columns", "columns")
    }
    days = {
        name: date.fromisoformat(row[name][:10]) if row[name] else None
        for name in ("released_on", "valid_until")
    }
    return OutsideRelease(**{**row, "pk": uuid.UUID(str(row["pk"])), **lists, **days})


@cached_read
def outside_of(run: Run | None) -> list[OutsideKin]:
    """The releases made outside that may tell of the same persons as the result of ``run``, the youngest first."""
    # All of it is read along with the relatives, which every reader of these asks for as well.
    own = [] if run is None else relatives_of(run).own
    entries = [_entry_of(row) for row in (own[0].outside or ())] if own else []
    if not entries:
        return []
    known = _known_of(own)
    entries.sort(key=lambda one: (one.released_on, one.number), reverse=True)
    return [OutsideKin(entry, kin) for entry in entries if (kin := kin_of(entry, known)) is not None]


def outside_by_run(runs: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[OutsideKin]]:
    """:func:`outside_of` each of ``runs``; one whose term is over is there too, for what was handed out stays."""
    entries = list(OutsideRelease.objects.filter(withdrawn_at=None)) if runs else []
    if not entries:
        return {}
    return {
        run: [OutsideKin(entry, kin) for entry in entries if (kin := kin_of(entry, known)) is not None]
        for run, known in known_of_runs(runs).items()
    }
