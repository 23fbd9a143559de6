"""Running the two automatic methods over a data set, and gathering what they found."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from projects.datasets.selectors import dataset_columns, dataset_format, dataset_open
from projects.jobs.registry import Tick
from techniques.core.attributes import AttributeRole
from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError
from techniques.core.messages import gettext_noop as _
from techniques.identification.metadata.lookup import MatchedHow, MetadataMatch, lookup
from techniques.identification.patterns import rules_version
from techniques.identification.reports import ColumnScan, ScanReport
from techniques.identification.verdict import Suggestion, suggest

from .enums import Method
from .lookup import metadata_table
from .models import IdentificationRound, MethodPart


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
    from techniques.identification.rules import scan
    from techniques.tables.readers.reading import open_table

    dataset = round_.dataset
    with dataset_open(dataset) as stream, open_table(stream, dataset_format(dataset)) as reader:
        found = scan(
            reader.batches(),
            dataset_columns(dataset),
            tick=lambda rows: tick(reader.progress()),
            total_rows=dataset.rows,
        )
    if not found.complete:
        text = _("Only %(rows)s of %(total)s rows could be read; a scan that is not whole proves nothing.")
        raise EngineError("identification.coverage", text, rows=found.rows, total=dataset.rows)
    return {
        "version": rules_version(),
        "rows": found.rows,
        "coverage": found.coverage,
        "columns": {column: _scan_json(result) for column, result in found.columns.items()},
    }


def _scan_json(result: ColumnScan) -> dict[str, Any]:
    content = result.model_dump(mode="json")
    for item, found in zip(content["findings"], result.findings, strict=True):
        item["role"] = found.role.value
    return content


def report_gather(round_: IdentificationRound) -> dict[str, Any]:
    """The report of a round whose methods have both run, without a value of the data in it."""
    parts = {part.method: part for part in round_.parts.all()}
    looked_up, scanned = parts[Method.LOOKUP], parts[Method.RULES]
    names = dataset_columns(round_.dataset)
    suggested = suggest(
        names,
        {column: _match(stored) for column, stored in looked_up.report["columns"].items()},
        ScanReport.model_validate(scanned.report),
    )
    columns = [
        {
            "column": column,
            "position": position,
            "lookup": looked_up.report["columns"].get(column),
            "scan": scanned.report["columns"][column],
            "suggestion": _suggestion_json(suggested[column]),
        }
        for position, column in enumerate(names)
    ]
    return {
        "rows": scanned.report["rows"],
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
