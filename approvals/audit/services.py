"""The only writer of the audit log."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils import timezone

from approvals.governance.draft import Draft

from .chain import GENESIS, link, seal
from .models import AuditEvent, AuditHead
from .registry import PORTAL, SENTENCES


def event_append(draft: Draft) -> AuditEvent:
    """Append ``draft`` to the chain. Called by :func:`approvals.audit.recording.recording`, inside its transaction.

    The head row is locked until the transaction ends, so that numbers have no gaps and two
    writers cannot fork the chain.
    """
    if draft.action not in SENTENCES:
        raise ValueError(f"unregistered audit action: {draft.action}")
    head = AuditHead.objects.select_for_update().filter(pk=1).first()
    if head is None:
        head = AuditHead(pk=1, seq=0, hash=GENESIS, seal="")
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
    }
    row["previous_hash"] = head.hash
    row["hash"] = link(head.hash, row)
    event = AuditEvent(**row)
    models.Model.save(event, force_insert=True)
    head.seq, head.hash = row["seq"], row["hash"]
    head.seal = seal(settings.DEID_MASTER_KEY, head.seq, head.hash)
    head.save()
    return event
