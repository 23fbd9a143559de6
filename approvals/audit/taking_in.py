"""What a migration means for the log: one from before rows had seals is sealed and stated as it stands, in its own words;
rows that a migration rewrote are stated anew, in words of their own as well."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection

from approvals.governance.draft import Draft
from approvals.governance.proven import PROVEN
from approvals.governance.serialization import governed_act

from . import events
from .findings import Finding
from .models import AuditEvent
from .proof import state_faults
from .services import event_append
from .verify import verify

log = logging.getLogger(__name__)
PORTION = 1000
Row = tuple[str, Any]


def log_check_first(plan: list[Any]) -> None:
    """Before a migration that has something to do: nothing is migrated over what does not hold.

    Where the code is ahead of the tables, rows cannot be read by it; then what the earlier portal's check said counts.
    """
    if not plan or AuditEvent._meta.db_table not in connection.introspection.table_names():
        return
    try:
        faults = [fault for fault in verify().faults if "unread" not in fault.params] if _sealed() else []
    except DatabaseError:
        log.info("tables are to change: the audit log was not checked before they are migrated")
        return
    if faults:
        raise ImproperlyConfigured(f"The audit log does not hold, and nothing was migrated: {faults[0]}")


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
        elif plan:
            touched = {migration.app_label for migration, _backwards in plan}
            rewritten = [fault.params for fault in state_faults() if fault.kind == Finding.CHANGED]
            rows = [(row["kind"], row["id"]) for row in rewritten if row["kind"].split(".")[0] in touched]
            if rows:
                _state(events.ROWS_RESTATED, rows)


def _state(action: str, rows: list[Row], *, over_unsealed: bool = False, **facts: Any) -> None:
    """Events that say what ``rows`` are now; one at least, and none too long."""
    for start in range(0, len(rows) or 1, PORTION):
        portion = rows[start : start + PORTION]
        by_label: dict[str, set[Any]] = {}
        for label, pk in portion:
            by_label.setdefault(label, set()).add(pk)
        draft = Draft(action, None, facts={"count": len(portion), **facts}, rows=by_label)
        event_append(draft, over_unsealed=over_unsealed and start == 0)
