"""A log from before rows had seals and before state was proved: sealed and stated as it stands, once, in its own words."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from approvals.governance.draft import Draft
from approvals.governance.proven import PROVEN
from approvals.governance.serialization import governed_act

from . import events
from .models import AuditEvent
from .services import event_append
from .verify import verify

PORTION = 1000


def log_take_in() -> None:
    """Append events that state every row as it is; called after a migration. Nothing happens to a log whose end is sealed.

    ``ImproperlyConfigured`` when the log does not hold as it stands, or the master key is another one.
    """
    with governed_act():
        last = AuditEvent.objects.order_by("-seq").values("seq", "hash", "seal").first()
        if last is None or last["seal"]:
            return
        fault = next(iter(verify(stated=False).faults), None)
        if fault is not None:
            raise ImproperlyConfigured(f"The audit log does not hold and was not taken in: {fault}")
        rows = [
            (label, pk) for label, kind in PROVEN.items() for pk in kind.rows.values_list("pk", flat=True)
        ]
        for start in range(0, len(rows) or 1, PORTION):
            portion = rows[start : start + PORTION]
            by_label: dict[str, set[Any]] = {}
            for label, pk in portion:
                by_label.setdefault(label, set()).add(pk)
            facts = {"count": len(portion), "last": last["seq"], "hash": last["hash"]}
            draft = Draft(events.STATE_TAKEN_IN, None, facts=facts, rows=by_label)
            event_append(draft, over_unsealed=start == 0)
