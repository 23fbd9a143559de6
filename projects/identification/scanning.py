"""Running the two automatic methods over a data set, and gathering what they found."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from projects.datasets.selectors import dataset_columns, dataset_format, dataset_open
from projects.jobs.memory import memory_give_back
from projects.jobs.registry import Tick
from techniques.core.attributes import AttributeRole
from techniques.core.canonical import canonical_hash
from techniques.core.kinds import kind_of
from techniques.core.messages import EngineError
from techniques.core.messages import gettext_noop as _
from techniques.identification.metadata.forms import value_forms
from techniques.identification.metadata.lookup import MatchedHow, MetadataMatch, lookup
from techniques.identification.patterns import rules_version
from techniques.identification.reports import ColumnScan, ScanReport
from techniques.identification.verdict import Suggestion, suggest

from .enums import Method
from .links.persons import stated_key
from .links.search import HeldColumns, chosen, encoded, searched
from .lookup import metadata_table
from .models import IdentificationRound, MethodPart
from .persons.counts import Counted
from .persons.selectors import links_of_persons

if TYPE_CHECKING:
    import pyarrow as pa

    from techniques.identification.rules import ScannedColumns
    from techniques.tables.readers.reader import TableReader

_SCANNING = 0.8
"""Share of the rules' time that the first way through the rows takes; the second counts the rows of each person."""
_COUNTED = 0.9
"""Share of it at the end of the second way; what is left looks for keys of persons and links among the columns that were counted."""


def method_run(round_: IdentificationRound, method: Method, tick: Tick) -> str:
    """Run one method of a running round, keep its part, and return the part's hash.

    May be run again from its start. Raises :class:`EngineError` when the rules come before the
    look-up or could not read every row: such a round proves nothing and must not finish.
    """
    started = timezone.now()
    report = _look_up(round_) if method == Method.LOOKUP else _apply_rules(round_, tick)
    MethodPart.objects.update_or_create(
        round=round_, method=method, defaults={"started_at": started, "report": report}
    )
    return canonical_hash(report)


def _look_up(round_: IdentificationRound) -> dict[str, Any]:
    table = metadata_table()
    matches = lookup(dataset_columns(round_.dataset), table.rows)
    return {
        "version": table.version,
        "columns": {
            column: {
                "kind": match.kind,
                "role": match.role.value,
                "alias": match.matched_alias,
                "how": match.how.value,
                "confidence": match.confidence,
            }
            for column, match in matches.items()
        },
    }


def _apply_rules(round_: IdentificationRound, tick: Tick) -> dict[str, Any]:
    if not round_.parts.filter(method=Method.LOOKUP).exists():
        text = _("The look-up of the column names comes before the rules.")
        raise EngineError("identification.order", text)
    # The engine's readers and rules are loaded by the worker that runs them, never by the web server.
    from techniques.families.preparation.spellings import Spellings
    from techniques.hierarchies.readings import Readings
    from techniques.identification.profiles.profile import Profiles
    from techniques.identification.rules import scanned
    from techniques.tables.readers.reading import open_table

    dataset, table = round_.dataset, metadata_table()
    forms = value_forms(table.rows)
    profiles = Profiles(dataset_columns(dataset))
    readings = Readings(dataset_columns(dataset), dataset.rows or 0)
    spellings = Spellings(dataset_columns(dataset))
    held = HeldColumns(dataset_columns(dataset), dataset.rows)
    with dataset_open(dataset) as stream, open_table(stream, dataset_format(dataset)) as reader:

        def read(_rows: int) -> None:
            # What a batch took must not be added to what is held of all.
            memory_give_back()
            tick(_SCANNING * reader.progress())

        batches = held.watched(reader.coded_batches())
        columns = scanned(
            profiles.watched(spellings.watched(readings.watched(batches))),
            dataset_columns(dataset),
            tick=read,
            forms=forms,
        )
    found = columns.report(dataset.rows)
    if not found.complete:
        text = _("Only %(rows)s of %(total)s rows could be read; a scan that is not whole proves nothing.")
        raise EngineError("identification.coverage", text, rows=found.rows, total=dataset.rows)
    memory_give_back()
    persons, together = _put_together(round_, found, None if forms else columns, held, tick)
    # A bar of a profile is about several persons, also where the likeliest person has many rows.
    rows_of_a_person = persons[0].most if persons else 1
    tick(1.0)
    return {
        # With rules of the organisation's own it is told which version of its table they stand in.
        "version": f"{rules_version()}-{table.version}" if forms else rules_version(),
        "rows": found.rows,
        "persons": [one.as_json() for one in persons],
        **together,
        "coverage": found.coverage,
        "profiles": {column: profiles.of(column, rows_of_a_person) for column in dataset_columns(dataset)},
        "columns": {
            column: _scan_json(result)
            | {"readings": dict(readings.of(column))}
            | ({"spellings": found_in} if (found_in := spellings.of(column)) else {})
            for column, result in found.columns.items()
        },
    }


def _put_together(
    round_: IdentificationRound,
    scanned: ScanReport,
    scanned_columns: ScannedColumns | None,
    held: HeldColumns,
    tick: Tick,
) -> tuple[list[Counted], dict[str, Any]]:
    """What looks like several rows of one person, the likeliest key first; what the declared links say is a key of persons
    comes after it, repeated or not. And what was searched in columns together and in their values. Only the columns that this is
    about are read again, if they were not ``held``."""
    from techniques.identification.subjects import (
        codes_of_persons,
        describers,
        rows_of_persons,
        subject_hints,
    )
    from techniques.tables.readers.reading import open_table

    dataset = round_.dataset
    names = dataset_columns(dataset)
    linked = [column for key in links_of_persons(dataset.table) for column in key if column in names]
    suggested = _suggested(round_, scanned)
    likely = [
        column
        for column, one in suggested.items()
        if kind_of(one.kind).repeats is not None and scanned.columns[column].distinct > 1
    ]
    about = describers(scanned, {column: one.kind for column, one in suggested.items()})
    likely = list(dict.fromkeys([*likely, *(codes_of_persons(scanned, names) if about else [])]))
    stated = stated_key(round_, names)
    needed = list(dict.fromkeys([*likely, *linked, *(stated or ()), *(about if likely else [])]))
    to_search = chosen(scanned, suggested, spare=max(1, len(stated or ()))).columns
    wanted = list(dict.fromkeys([*needed, *to_search]))
    columns = held.taken(wanted)
    if columns is None:
        with dataset_open(dataset) as stream, open_table(stream, dataset_format(dataset)) as reader:
            columns = encoded(_ticking(reader, wanted, tick), needed, to_search)
    # What the columns were put together from must not be added to what is searched in them.
    memory_give_back()
    found = [
        Counted.of(hint.columns, hint, hint.kind)
        for hint in subject_hints(
            {column: columns[column] for column in likely},
            {column: columns[column] for column in about},
            scanned_columns,
        )
    ]
    by_link = [Counted.of((column,), rows_of_persons(columns[column].codes)) for column in linked]
    key = stated if stated is not None else found[0].columns if found else ()
    if any(one.columns == key and not one.repeats for one in by_link):
        key = ()
    names_searched = chosen(scanned, suggested, key)
    memory_give_back()
    together = searched(columns, names_searched, key, lambda share: tick(_COUNTED + (1 - _COUNTED) * share))
    known = {one.columns for one in found}
    return found + [one for one in by_link if one.columns not in known], together


def _ticking(reader: TableReader, columns: list[str], tick: Tick) -> Iterator[pa.RecordBatch]:
    for batch in reader.coded_batches(columns):
        yield batch
        tick(_SCANNING + (_COUNTED - _SCANNING) * reader.progress())


def _scan_json(result: ColumnScan) -> dict[str, Any]:
    content = result.model_dump(mode="json")
    for item, found in zip(content["findings"], result.findings, strict=True):
        item["role"] = found.role.value
    return content


def report_gather(round_: IdentificationRound) -> dict[str, Any]:
    """The report of a round whose methods have both run, without a value of the data in it."""
    parts = {part.method: part for part in round_.parts.all()}
    looked_up, scanned = parts[Method.LOOKUP], parts[Method.RULES]
    suggested = _suggested(round_, ScanReport.model_validate(scanned.report))
    columns = [
        {
            "column": column,
            "position": position,
            "lookup": looked_up.report["columns"].get(column),
            "scan": scanned.report["columns"][column],
            "suggestion": _suggestion_json(suggested[column]),
            "profile": scanned.report["profiles"][column],
        }
        for position, column in enumerate(dataset_columns(round_.dataset))
    ]
    return {
        "rows": scanned.report["rows"],
        "persons": scanned.report["persons"],
        # Rules that a release without them ran, before this one gathered what was found, have neither.
        **{part: scanned.report[part] for part in ("links", "striking") if part in scanned.report},
        "coverage": scanned.report["coverage"],
        "methods": [
            {
                "method": part.method,
                "version": part.report["version"],
                "times": [_iso(part.started_at), _iso(part.finished_at)],
            }
            for part in (looked_up, scanned)
        ],
        "columns": columns,
    }


def _suggested(round_: IdentificationRound, scanned: ScanReport) -> dict[str, Suggestion]:
    """What both methods together suggest for each column; the look-up has been done."""
    looked_up = round_.parts.get(method=Method.LOOKUP).report["columns"]
    matches = {column: _match(stored) for column, stored in looked_up.items()}
    return suggest(dataset_columns(round_.dataset), matches, scanned)


def _match(stored: dict[str, Any]) -> MetadataMatch:
    return MetadataMatch(
        stored["kind"], AttributeRole(stored["role"]), stored["alias"], MatchedHow(stored["how"])
    )


def _suggestion_json(found: Suggestion) -> dict[str, Any] | None:
    """None where no method has an opinion: nothing found is no reason to call a column harmless."""
    if not found.kind:
        return None
    return {
        "role": found.role.value,
        "kind": found.kind,
        "confidence": found.confidence,
        "contains": list(found.contains),
        "why": [(o.message, o.params) for o in found.provenance if o.votes],
    }


def _iso(at: datetime) -> str:
    return at.isoformat(timespec="seconds")
