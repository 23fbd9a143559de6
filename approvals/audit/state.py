"""What every row that gives permission was left as, bound to the sealed end of the log.

For each unit (the rows of one kind that belong to one project, one person or the organisation) a keyed digest of its rows;
the digests lie in a fixed number of buckets, and the end of the log has a keyed digest of each bucket under its seal. So an act
proves its rows against the end in three short reads, however long the log, without reading one event: a row, a digest or an
event that was taken out, put back or exchanged for an older one gives another digest.
"""

from __future__ import annotations

import hmac
import json
import zlib
from base64 import b64decode
from collections.abc import Iterable
from functools import cache
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Model

from approvals.governance.draft import Unit
from approvals.governance.proven import PROVEN, Proven, digests, owner_text, units_read
from approvals.governance.serialization import governed_act

from .chain import seal
from .findings import Fault, Finding
from .models import AuditHead, AuditState

BUCKETS = 64
SIGNS = 32


@cache
def _key(master_key: str) -> bytes:
    return hmac.digest(b64decode(master_key), b"audit-state", "sha256")


def _digest(*said: Any) -> str:
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hmac.digest(_key(settings.DEID_MASTER_KEY), text.encode(), "sha256").hex()[:SIGNS]


def _name(unit: Unit) -> str:
    return " ".join(unit)


def _bucket(unit: Unit) -> int:
    return zlib.crc32(_name(unit).encode()) % BUCKETS


def _unit_digest(unit: Unit, rows: dict[str, str]) -> str:
    return _digest("unit", *unit, rows) if rows else ""


def shape() -> str:
    """Tells one version's columns that count from another's."""
    return _shape(settings.DEID_MASTER_KEY, tuple((label, *kind.fields) for label, kind in PROVEN.items()))


@cache
def _shape(master_key: str, columns: tuple[tuple[str, ...], ...]) -> str:
    return _digest("shape", {label: list(fields) for label, *fields in columns})


def state_seal(seq: int, head_hash: str, state: dict[str, Any]) -> str:
    """Over the end of the log and the digests of the buckets as they are at that end."""
    return seal(settings.DEID_MASTER_KEY, seq, f"{head_hash}:{_digest('state', state)}")


class State:
    """The digests as the end of the log seals them, as far as an act has asked for them."""

    def __init__(self, head: AuditHead | None = None) -> None:
        head = head or AuditHead.objects.filter(pk=1).first()
        self.exists = head is not None and head.seq > 0
        self.sealed: dict[str, Any] = {"buckets": {}, "shape": shape()} | (head.state if head else {})
        self.sound = head is None or head.state_seal == state_seal(head.seq, head.hash, head.state)
        self.buckets: dict[int, dict[str, str]] = {}
        self.written: set[int] = set()
        self.proved: set[Unit] = set()

    def _load(self, units: Iterable[Unit]) -> None:
        """The buckets of these units; one that the end does not seal proves nothing."""
        numbers = {_bucket(unit) for unit in units} - self.buckets.keys()
        if not numbers:
            return
        found = dict(AuditState.objects.filter(pk__in=numbers).values_list("pk", "units"))
        for number in numbers:
            units_in = found.get(number, {})
            sealed = self.sealed["buckets"].get(str(number), "")
            whole = sealed == (_digest("bucket", number, units_in) if units_in else "")
            self.buckets[number] = units_in if whole else {"": "not as sealed"}

    def unproved(self, units: Iterable[Unit]) -> set[Unit]:
        """Those of ``units`` whose rows are not as the log left them; the others need not be asked about again."""
        asked = set(units) - self.proved
        self._load(asked)
        rows = units_read(asked)
        wrong = {unit for unit in asked if not self._holds(unit, rows[unit])}
        self.proved |= asked - wrong
        return wrong

    def _holds(self, unit: Unit, rows: dict[str, str]) -> bool:
        bucket = self.buckets[_bucket(unit)]
        return "" not in bucket and bucket.get(_name(unit), "") == _unit_digest(unit, rows)

    def note(self, unit: Unit, rows: dict[str, str]) -> None:
        """These rows are what the act left."""
        self._load([unit])
        number, digest = _bucket(unit), _unit_digest(unit, rows)
        units = self.buckets[number]
        if digest:
            units[_name(unit)] = digest
        else:
            units.pop(_name(unit), None)
        self.sealed["buckets"][str(number)] = _digest("bucket", number, units) if units else ""
        self.written.add(number)

    def store(self) -> None:
        rows = [AuditState(pk=number, units=self.buckets[number]) for number in sorted(self.written)]
        AuditState.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["number"], update_fields=["units"]
        )
        self.written.clear()

    def seal_into(self, head: AuditHead) -> None:
        """The end of the log as it is being written seals these digests."""
        self.store()
        head.state, head.state_seal = self.sealed, state_seal(head.seq, head.hash, self.sealed)


class StoredColumns:
    """What can be named of rows: the columns that are in code and database. The database is asked once for its tables, and once
    for the columns of each, for as long as one check takes."""

    def __init__(self) -> None:
        self._tables = set(connection.introspection.table_names())
        self._columns: dict[str, set[str]] = {}

    def of(self, model: type[Model]) -> set[str]:
        """The names of the columns of a model that are stored; an empty set where its table is gone."""
        table = model._meta.db_table
        if table not in self._tables:
            return set()
        if table not in self._columns:
            with connection.cursor() as cursor:
                # An empty answer names the columns; Django's own description parses the statement that made the table.
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} WHERE 1 = 0")  # noqa: S608 - a name of the code
                self._columns[table] = {column[0] for column in cursor.description}
        fields = [field for field in model._meta.concrete_fields if field.column in self._columns[table]]
        return {name for field in fields for name in (field.attname, field.name)}

    def has_all(self, kind: Proven) -> bool:
        """Whether every column that counts is there."""
        return {name.split("__")[0] for name in kind.fields} <= self.of(kind.model)


def all_units(stored: StoredColumns) -> dict[Unit, dict[str, str]]:
    """Every unit that has rows, with the digest of each row."""
    found: dict[Unit, dict[str, str]] = {}
    for label, kind in PROVEN.items():
        if not stored.has_all(kind):
            continue
        owners = _owners(kind)
        for pk, digest in digests(kind.rows, kind.fields):
            found.setdefault((label, owners.get(pk, "")), {})[pk] = digest
    return found


def _owners(kind: Proven) -> dict[str, str]:
    if not kind.owner:
        return {}
    return {str(pk): owner_text(owner) for pk, owner in kind.rows.values_list("pk", kind.owner).iterator(500)}


def state_build(*, without: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Seal all rows anew as they are, but those of units that ``without`` names by their label: they stay as they were sealed.

    The caller has proved the rows by the events.
    """
    head, state = AuditHead.objects.select_for_update().get(pk=1), State()
    state.sealed = {"buckets": {}, "shape": shape()}
    before = {name: digest for row in AuditState.objects.all() for name, digest in row.units.items()}
    units = {name: digest for name, digest in before.items() if name.split(" ")[0] in without}
    units |= {
        _name(u): _unit_digest(u, rows)
        for u, rows in all_units(StoredColumns()).items()
        if u[0] not in without
    }
    state.buckets = {number: {} for number in range(BUCKETS)}
    for name, digest in units.items():
        label, _space, owner = name.partition(" ")
        state.buckets[_bucket((label, owner))][name] = digest
    state.written = set(range(BUCKETS))
    state.sealed["buckets"] = {
        str(number): _digest("bucket", number, held) for number, held in state.buckets.items() if held
    }
    state.seal_into(head)
    head.save()


def digest_faults() -> list[Fault]:
    """Units whose rows are not those that the end of the log seals, and ends that seal nothing."""

    def found() -> list[Fault]:
        state, stored = State(), StoredColumns()
        units = all_units(stored)
        if not state.exists:
            return []
        if not state.sound:
            return [Fault(Finding.DIGESTS, {})]
        sealed = [name for row in AuditState.objects.all() for name in row.units]
        units |= {(n.partition(" ")[0], n.partition(" ")[2]): {} for n in sealed} | units
        state._load(units)
        torn = {label for label, kind in PROVEN.items() if not stored.has_all(kind)}
        wrong = sorted(
            torn | {label for label, owner in units if not state._holds((label, owner), units[label, owner])}
        )
        return [Fault(Finding.UNSEALED, {"kind": label}) for label in wrong if label in PROVEN]

    faults = found()
    if faults:
        with governed_act():
            faults = found()
    return faults
