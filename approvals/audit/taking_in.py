"""What a migration means for the log: one from before rows had seals is sealed and stated as it stands, in its own words;
rows that a migration rewrote are stated anew, in words of their own as well."""

from __future__ import annotations

from typing import Any

from django.apps import apps as today
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from approvals.governance.draft import Draft
from approvals.governance.proven import PROVEN, digests
from approvals.governance.serialization import governed_act

from . import events
from .findings import Finding
from .models import AuditEvent
from .proof import state_faults, statements
from .services import event_append
from .state import State, shape, state_build
from .verify import verify

PORTION = 1000
Row = tuple[str, Any]


def log_check_first(plan: list[Any], apps: Any = None) -> None:
    """Before a migration that has something to do: nothing is migrated over what does not hold.

    ``apps`` are the models as they were when the tables got the form that they still have: with them, columns are read that
    today's code has no more, and none that only the migration makes.
    """
    if not plan or not _has_seals():
        return
    faults = verify(apps=apps).faults if _sealed() else []
    if faults:
        raise ImproperlyConfigured(f"The audit log does not hold, and nothing was migrated: {faults[0]}")


def _has_seals() -> bool:
    """Whether the log's table is there, and in the form that it has had since rows were sealed."""
    table = AuditEvent._meta.db_table
    if table not in connection.introspection.table_names():
        return False
    with connection.cursor() as cursor:
        columns = {column.name for column in connection.introspection.get_table_description(cursor, table)}
    return {"rows", "seal"} <= columns


def _sealed() -> bool:
    """Whether rows had seals: one has, or one states rows, as none did before. The hashes cover what they state."""
    return AuditEvent.objects.exclude(seal="", rows={}).exists()


def log_take_in(plan: list[Any]) -> None:
    """After a migration: append what it means for the log, if anything.

    ``ImproperlyConfigured`` when a log from before does not hold as it stands, or the master key is another one.
    """
    with governed_act():
        last = AuditEvent.objects.order_by("-seq").values("seq", "hash", "seal").first()
        if last is None:
            return
        if not last["seal"]:
            faults = verify(stated=False).faults
            if _sealed():
                raise ImproperlyConfigured("The audit log's rows had seals, and somebody took them away.")
            if faults:
                raise ImproperlyConfigured(f"The audit log does not hold and was not taken in: {faults[0]}")
            rows = [
                (label, pk) for label, kind in PROVEN.items() for pk in kind.rows.values_list("pk", flat=True)
            ]
            _state(events.STATE_TAKEN_IN, rows, over_unsealed=True, last=last["seq"], hash=last["hash"])
            state_build()
        else:
            _after_migration(plan)


def _after_migration(plan: list[Any]) -> None:
    sealed = State()
    anew = sealed.sealed["shape"] != shape() or not sealed.sound
    if not plan and not anew:
        return
    if not plan:
        # Nothing was checked before.
        faults = [*verify(apps=today).faults]
        if faults:
            raise ImproperlyConfigured(f"The audit log does not hold: {faults[0]}")
    touched = {migration.app_label for migration, _backwards in plan}
    rewritten = [fault.params for fault in state_faults() if fault.kind == Finding.CHANGED]
    rows = [(row["kind"], row["id"]) for row in rewritten if row["kind"].split(".")[0] in touched]
    if anew:
        rows += [
            (label, pk)
            for label, said_of in statements().items()
            if label in PROVEN
            for pk, said in said_of.items()
            if said.digest and (sorted(said.fields), said.exact) != (sorted(PROVEN[label].fields), True)
        ]
    if rows:
        _state(events.ROWS_RESTATED, sorted(set(rows)), over_unsealed=not sealed.sound)
    state_build(without={fault.params["kind"] for fault in state_faults()})


def _state(action: str, rows: list[Row], *, over_unsealed: bool = False, **facts: Any) -> None:
    """Events that say what ``rows`` are now; one at least, and none too long."""
    for start in range(0, len(rows) or 1, PORTION):
        portion = rows[start : start + PORTION]
        by_label: dict[str, set[Any]] = {}
        for label, pk in portion:
            by_label.setdefault(label, set()).add(pk)
        found = {
            label: dict(digests(PROVEN[label].rows.filter(pk__in=ids), PROVEN[label].fields))
            for label, ids in by_label.items()
        }
        draft = Draft(action, None, facts={"count": len(portion), **facts}, rows=by_label)
        event_append(draft, found=found, over_unsealed=over_unsealed and start == 0)
