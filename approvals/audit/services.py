"""The only writer of the audit log."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone

from approvals.governance.draft import Draft
from approvals.governance.proven import units_read
from approvals.governance.verdict import deny

from .chain import GENESIS, key_check, link, row_seal, seal
from .models import AuditEvent, AuditHead
from .proof import rows_exist, rows_stated
from .registry import PORTAL, SENTENCES
from .rules import AuditReason, LogBroken
from .state import State
from .verify import end_faults_now


def event_append(
    draft: Draft, *, found: dict[str, dict[str, str]] | None = None, over_unsealed: bool = False
) -> AuditEvent:
    """Append ``draft`` to the chain. Called by :func:`approvals.audit.recording.recording`, inside its transaction.

    The head row is locked until the transaction ends, so that numbers have no gaps and two
    writers cannot fork the chain. Over an end that does not hold nothing is written: :class:`LogBroken`.
    ``found`` are the digests of the rows to state (label → id → digest), where they are not those of the act's units.
    ``over_unsealed``: the caller has checked the log, whose rows are from before rows had seals.
    """
    if draft.action not in SENTENCES:
        raise ValueError(f"unregistered audit action: {draft.action}")
    head = AuditHead.objects.select_for_update().filter(pk=1).first()
    # The very first act writes rows before there is a log.
    begins = head is None and not AuditEvent.objects.exists() and not rows_exist(beside=draft)
    faults = [] if begins or over_unsealed else list(end_faults_now(head))
    if faults:
        raise LogBroken(deny(AuditReason.LOG_BROKEN, fault=str(faults[0])))
    if head is None:
        head = AuditHead(pk=1, seq=0, hash=GENESIS, seal="")
    state, units = State(head), units_read(draft.units)
    if found is None:
        found = {}
        for unit, digests in units.items():
            found.setdefault(unit[0], {}).update(digests)
    row: dict[str, Any] = {
        "seq": head.seq + 1,
        "at": timezone.now(),
        "act": draft.act,
        "actor_id": "" if draft.by is None else str(draft.by.pk),
        "actor": PORTAL if draft.by is None else str(draft.by),
        "action": draft.action,
        "project_id": draft.project_id,
        "subject_kind": draft.subject.kind if draft.subject else "",
        "subject_id": draft.subject.id if draft.subject else "",
        "subject": draft.subject.label[:200] if draft.subject else "",
        "subject_hash": draft.subject.hash if draft.subject else "",
        "reason": draft.reason,
        # What is hashed must be what a later reading of the column gives back.
        "facts": json.loads(json.dumps(draft.facts, cls=DjangoJSONEncoder)),
        "rows": rows_stated(draft.rows, found),
    }
    row["previous_hash"] = head.hash
    row["hash"] = link(head.hash, row)
    row["seal"] = row_seal(settings.DEID_MASTER_KEY, row["seq"], row["hash"])
    event = AuditEvent(**row)
    models.Model.save(event, force_insert=True)
    head.seq, head.hash = row["seq"], row["hash"]
    head.seal = seal(settings.DEID_MASTER_KEY, head.seq, head.hash)
    head.key_check = key_check(settings.DEID_MASTER_KEY)
    for unit, digests in units.items():
        state.note(unit, digests)
    state.seal_into(head)
    head.save()
    return event
