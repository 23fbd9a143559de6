"""The log as a file: CSV for people, JSON Lines for checking it elsewhere."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from approvals.governance.person import Person

from .. import events
from ..chain import canonical
from ..models import AuditEvent
from ..proof import explained_require
from ..recording import leave_note
from ..registry import reason_text, sentence_for
from ..verify import READ, rows_after, stored_end_faults

# What a spreadsheet takes for the beginning of a formula; the full-width forms too.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def export_note(name: str, *, by: Person) -> None:
    """Before the log leaves as a file: an event says to whom, and the account of ``by`` has to be the log's own."""
    if not stored_end_faults():
        explained_require(None, by=by)
    leave_note(events.LOG_EXPORTED, by=by, format=name)


def neutral(value: Any) -> str:
    """``value`` as a cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return (
        "'" + text if text.lstrip(" ").startswith(FORMULA_STARTS) or text.startswith(FORMULA_STARTS) else text
    )


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def csv_lines(events: Iterable[AuditEvent]) -> Iterator[str]:
    """UTF-8 with a byte order mark, because spreadsheets guess the encoding otherwise."""
    writer = csv.writer(_Echo())
    head = (
        pgettext("serial", "Number"),
        _("Time"),
        _("Who"),
        _("What happened"),
        _("Reason"),
        _("Action"),
        _("Hash"),
    )
    yield "\ufeff" + writer.writerow([neutral(cell) for cell in head])
    for event in events:
        sentence = sentence_for(
            event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
        )
        reason = reason_text(event.action, event.reason)
        at = timezone.localtime(event.at).isoformat(timespec="seconds")
        cells = (event.seq, at, event.actor, sentence, reason, event.action, event.hash)
        yield writer.writerow([neutral(cell) for cell in cells])


def json_lines(head: dict[str, Any] | None) -> Iterator[str]:
    """Every row up to ``head`` in order, then the sealed end; ``audit_verify --file`` checks it."""
    if head is None:
        return
    yield from map(_line, rows_after(0, until=head["seq"]))
    yield json.dumps({"head": head}, sort_keys=True, separators=(",", ":")) + "\n"


def row_lines(events: QuerySet[AuditEvent]) -> Iterator[str]:
    """Some rows of the log, each as it stands in the export of the whole."""
    yield from map(_line, events.values(*READ).iterator(2000))


def _line(row: dict[str, Any]) -> str:
    plain = json.loads(canonical(row))
    plain.update(previous_hash=row["previous_hash"], hash=row["hash"], seal=row["seal"])
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
