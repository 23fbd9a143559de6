"""Rows that give permission, compared with the events that left them so.

Each event carries in ``rows`` a digest of every such row that its act wrote (:mod:`approvals.governance.proven`) and the
names of the fields that it covers, so that an event of before a field was added still proves its row. An act compares the rows
with what the end of the log seals of them (:mod:`approvals.audit.state`); events name what is wrong, and prove all in the whole check.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.apps import apps as today
from django.db import connection
from django.db.models import QuerySet

from approvals.governance.draft import Draft, Unit, current_draft
from approvals.governance.person import Person
from approvals.governance.proven import PROVEN, digests
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny

from .findings import Fault, Finding
from .models import AuditEvent
from .rules import AuditReason, LogBroken, Unexplained
from .state import State, StoredColumns


class Statement(NamedTuple):
    """What an event says of a row: its number, the fields covered, whether moments are whole, "" when it removed the row."""

    seq: int
    fields: tuple[str, ...]
    exact: bool
    digest: str


# label → id → the last that was said of it
Known = dict[str, dict[str, Statement]]
NAMED = 3


def rows_stated(rows: Mapping[str, set[Any]], found: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """What the event that is being written says of ``rows`` (label → ids), ``found`` in the database (label → id → digest)."""
    stated = {}
    for label, ids in sorted(rows.items()):
        now = found.get(label, {})
        left = {pk: now.get(pk, "") for pk in sorted(map(str, ids))}
        stated[label] = {"fields": PROVEN[label].fields, "exact": True, "digests": left}
    return stated


def rows_exist(beside: Draft | None = None) -> bool:
    """Whether there are rows that an event must have left, ``beside`` those of the act that is under way."""
    written, tables = beside.rows if beside else {}, connection.introspection.table_names()
    return any(
        kind.rows.exclude(pk__in=written.get(label, ())).exists()
        for label, kind in PROVEN.items()
        if kind.model._meta.db_table in tables
    )


def statements(project_id: uuid.UUID | None = None) -> Known:
    """The last statement about each row, of all events or of those of one project."""
    known: Known = {}
    events = AuditEvent.objects.exclude(rows={}).order_by("seq")
    if project_id:
        events = events.filter(project_id=project_id)
    for seq, rows in events.values_list("seq", "rows").iterator(500):
        for label, said in rows.items():
            covered = (tuple(said["fields"]), bool(said.get("exact")))
            for pk, digest in said["digests"].items():
                known.setdefault(label, {})[pk] = Statement(seq, *covered, digest)
    return known


def _row_faults(
    label: str,
    said_of: Mapping[str, Statement],
    rows: QuerySet[Any] | None,
    left: Mapping[str, Statement],
    stored: StoredColumns,
) -> Iterator[Fault]:
    """Rows that are not as they were left, and those of ``left`` that are not there."""
    covers = {(one.fields, one.exact) for one in said_of.values()}
    there: dict[str, tuple[tuple[str, ...], bool]] = {}
    found: dict[tuple[tuple[str, ...], bool], dict[str, str]] = {}
    if rows is not None:
        columns = stored.of(rows.model)
        for fields, exact in covers or {((), True)}:
            # A column that is no more is no longer what was stated.
            names = [name for name in fields if name.split("__")[0] in columns]
            found[fields, exact] = dict(digests(rows, names, exact=exact))
            there |= dict.fromkeys(found[fields, exact], (fields, exact))
    for pk in there:
        said = said_of.get(pk)
        if said is None or not said.digest:
            yield Fault(Finding.UNEXPLAINED, {"kind": label, "id": pk})
        elif found[said.fields, said.exact].get(pk) != said.digest:
            yield Fault(Finding.CHANGED, {"kind": label, "id": pk, "seq": said.seq})
    for pk, said in left.items():
        if said.digest and pk not in there:
            yield Fault(Finding.GONE, {"kind": label, "id": pk, "seq": said.seq})


def state_faults(apps: Any = None) -> list[Fault]:
    """Every row that no event explains, and every event whose row is gone or another. The chain is checked elsewhere.

    ``apps``: the models as they are before a migration, whose columns the database still has.
    """
    models = apps or today

    def found() -> list[Fault]:
        known, stored, faults = statements(), StoredColumns(), list[Fault]()
        for label in PROVEN:
            try:
                model = models.get_model(label)
            except LookupError:
                continue  # it comes with the migration
            rows = model._base_manager.order_by("pk") if stored.of(model) else None
            said_of = known.get(label, {})
            faults += _row_faults(label, said_of, rows, said_of, stored)
        return faults

    faults = found()
    if faults:
        # Somebody may have worked meanwhile. While nobody does, what is still wrong is.
        with governed_act():
            faults = found()
    return faults


def units_of(project_id: uuid.UUID | None, by: Person | None, *, all_kinds: bool) -> set[Unit]:
    """What stands behind an act: the rows of its project, the account of who acts, the policies of the organisation."""
    units: set[Unit] = set()
    for label, kind in PROVEN.items():
        if kind.many and not all_kinds:
            continue
        if kind.project and project_id:
            units.add((label, str(project_id)))
        elif kind.person and by is not None:
            units.add((label, str(by.pk)))
        elif not kind.owner:
            units.add((label, ""))
    return units


def units_require(state: State, units: Iterable[Unit]) -> None:
    """Refuse unless the rows of these units are as the end of the log seals them; to be called in the turn of an act."""
    if not state.exists:
        return
    if not state.sound:
        raise LogBroken(deny(AuditReason.LOG_BROKEN, fault=str(Fault(Finding.DIGESTS, {}))))
    wrong = state.unproved(units)
    if wrong:
        faults = _named(wrong) or [
            Fault(Finding.UNSEALED, {"kind": label}) for label, _owner in sorted(wrong)
        ]
        named = " ".join(map(str, faults[:NAMED]))
        raise Unexplained(deny(AuditReason.UNEXPLAINED, count=len(faults), faults=named))


def _named(units: set[Unit]) -> list[Fault]:
    """Which rows of these units no event explains."""
    known, stored, faults = statements(), StoredColumns(), list[Fault]()
    for label, owner in sorted(units):
        kind = PROVEN[label]
        rows = kind.rows.filter(**{kind.owner: owner}) if kind.owner else kind.rows
        left = statements(uuid.UUID(owner)) if kind.project else {}
        faults += _row_faults(label, known.get(label, {}), rows, left.get(label, {}), stored)
    return faults


def explained_require(project_id: uuid.UUID | None, *, by: Person | None) -> None:
    """Before data leave: refuse unless the log explains every row of the project and the account of who acts.

    To be called in the turn of an act, before it writes.
    """
    draft = current_draft.get()
    state = draft.state if draft is not None else State()
    units_require(state, units_of(project_id, by, all_kinds=True))
