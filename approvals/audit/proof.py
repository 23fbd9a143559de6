"""Rows that give permission, compared with the events that left them so.

Each event carries in ``rows`` a digest of every such row that its act wrote (:mod:`approvals.governance.proven`) and the
names of the fields that it covers, so that an event of before a field was added still proves its row.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet

from approvals.governance.draft import Draft
from approvals.governance.person import Person
from approvals.governance.proven import PROVEN, digests, digests_at_once
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny

from .chain import FIELDS, row_is_ours
from .findings import Fault, Finding
from .models import AuditEvent
from .rules import AuditReason

# (label, id) → (the event's number, the fields, their digest: "" when it removed the row)
Known = dict[tuple[str, str], tuple[int, tuple[str, ...], str]]
Read = Callable[[list[tuple[QuerySet[Any], list[str]]]], list[dict[str, str]]]
NAMED = 3


def rows_stated(rows: dict[str, set[Any]]) -> dict[str, Any]:
    """What the event that is being written says of ``rows`` (label → ids), read back from the database."""
    stated = {}
    for label, ids in sorted(rows.items()):
        kind = PROVEN[label]
        left = dict.fromkeys(sorted(map(str, ids)), "")
        left.update(digests(kind.rows.filter(pk__in=ids), kind.fields))
        stated[label] = {"fields": kind.fields, "digests": left}
    return stated


def rows_exist(beside: Draft | None = None) -> bool:
    """Whether there are rows that an event must have left, ``beside`` those of the act that is under way."""
    written = beside.rows if beside else {}
    return any(kind.rows.exclude(pk__in=written.get(label, ())).exists() for label, kind in PROVEN.items())


def _learn(known: Known, event: dict[str, Any]) -> None:
    for label, said in event["rows"].items():
        fields = tuple(said["fields"])
        for pk, digest in said["digests"].items():
            known[label, pk] = (event["seq"], fields, digest)


def _row_faults(
    known: Known, scope: list[tuple[str, QuerySet[Any]]], left: Known, read: Read
) -> Iterator[Fault]:
    """Rows of ``scope`` that are not as they were left, and those of ``left`` that are not there."""
    columns = {label: {field.attname for field in rows.model._meta.concrete_fields} for label, rows in scope}
    named: dict[str, set[tuple[str, ...]]] = {}
    for (label, _pk), (_seq, fields, _digest) in known.items():
        named.setdefault(label, set()).add(fields)
    looked_at = [(label, rows, fields) for label, rows in scope for fields in named.get(label) or {()}]
    # A column that is no more is no longer what was stated.
    answers = read([(rows, [n for n in fields if n in columns[label]]) for label, rows, fields in looked_at])
    found: dict[str, dict[tuple[str, ...], dict[str, str]]] = {}
    for (label, _rows, fields), answer in zip(looked_at, answers, strict=True):
        found.setdefault(label, {})[fields] = answer
    for label, current in found.items():
        there_are, there = columns[label], next(iter(current.values()))
        for pk in there:
            seq, fields, digest = known.get((label, pk), (0, (), ""))
            if not digest:
                yield Fault(Finding.UNEXPLAINED, {"kind": label, "id": pk})
            elif current[fields].get(pk) != digest:
                unread = {} if there_are.issuperset(fields) else {"unread": True}
                yield Fault(Finding.CHANGED, {"kind": label, "id": pk, "seq": seq, **unread})
        for (of, pk), (seq, _fields, digest) in left.items():
            if of == label and digest and pk not in there:
                yield Fault(Finding.GONE, {"kind": label, "id": pk, "seq": seq})


def state_faults() -> list[Fault]:
    """Every row that no event explains, and every event whose row is gone or another. The chain is checked elsewhere."""

    def found() -> list[Fault]:
        known: Known = {}
        for event in AuditEvent.objects.exclude(rows={}).order_by("seq").values("seq", "rows").iterator(500):
            _learn(known, dict(event))
        scope = [(label, kind.rows) for label, kind in PROVEN.items()]
        return list(_row_faults(known, scope, known, lambda wanted: [dict(digests(*one)) for one in wanted]))

    faults = found()
    if faults:
        # Somebody may have worked meanwhile. While nobody does, what is still wrong is.
        with governed_act():
            faults = found()
    return faults


def explained_require(project_id: uuid.UUID, *, by: Person) -> None:
    """Before data leave: refuse unless events explain the project's rows and the account of who acts.

    To be called in the turn of an act, before it writes.
    """
    known: Known = {}
    own: Known = {}
    faults = []
    about = Q(project_id=project_id) | Q(project_id=None)
    events = AuditEvent.objects.filter(about).exclude(rows={}).order_by("seq")
    for event in events.values(*FIELDS, "previous_hash", "hash", "seal").iterator(500):
        if not row_is_ours(settings.DEID_MASTER_KEY, event):
            faults.append(Fault(Finding.FORGED, {"seq": event["seq"]}))
        _learn(known, event)
        if event["project_id"]:
            _learn(own, event)
    scope = [
        (label, kind.rows.filter(**{kind.project: project_id}))
        for label, kind in PROVEN.items()
        if kind.project
    ]
    scope += [
        (label, kind.rows.filter(**{kind.person: by.pk})) for label, kind in PROVEN.items() if kind.person
    ]
    faults += _row_faults(known, scope, own, digests_at_once)
    if faults:
        named = " ".join(map(str, faults[:NAMED]))
        deny(AuditReason.UNEXPLAINED, count=len(faults), faults=named).require()
