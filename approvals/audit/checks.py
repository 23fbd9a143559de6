"""Checking the whole log from a page: in slices of about a second, so that no request is long.

The row says how far the check has come; whoever opens its page takes it further.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hmac import compare_digest
from time import monotonic

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from approvals.governance.draft import Subject
from approvals.governance.person import Person

from . import events, rules
from .anchors import Anchor, anchors_kept, stored_faults
from .chain import GENESIS, check_seal
from .findings import Fault, Finding
from .models import AuditCheck, AuditEvent
from .recording import leave_note
from .verify import ChainState, chain_faults, last_faults, rows_after, stored_head

PORTION = 2000
SLICE_SECONDS = 1.0
# A log that was torn apart would give a fault a row: enough is named.
MAX_FAULTS = 200


def check_start(*, by: Person, anchor: Anchor | None = None) -> AuditCheck:
    """Begin a check; with ``anchor`` the log must still have the row that was written down."""
    rules.may_read_log(by).require()
    head = stored_head()
    check = AuditCheck(
        by=by,
        hash=GENESIS,
        until=head["seq"] if head else 0,
        expected_seq=anchor.seq if anchor else None,
        expected_hash=anchor.hash if anchor else "",
    )
    check.seal = _seal(check)
    check.save()
    return check


def check_continue(check: AuditCheck, *, by: Person) -> AuditCheck:
    """Take the check further for about ``SLICE_SECONDS``; at the end compare the sealed end and record it.

    Reading holds no lock: others go on writing. What was read counts unless somebody else took the same slice.
    """
    rules.may_read_log(by).require()
    check = AuditCheck.objects.get(pk=check.pk)
    if check.finished_at is not None or not is_ours(check):
        return check
    began, ends = (check.seq, check.rows), monotonic() + SLICE_SECONDS
    last = AuditEvent.objects.filter(pk=check.seq).values_list("seal", flat=True).first()
    state = ChainState(check.seq, check.hash, sealed=bool(last))
    over = False
    while not over and monotonic() < ends:
        # Read before the rows that lead to it: others go on writing meanwhile.
        head = stored_head()
        portion = list(rows_after(state.seq if check.rows else -1, limit=PORTION))
        _note(check, chain_faults(portion, state, key=settings.DEID_MASTER_KEY))
        check.rows += len(portion)
        over = not portion
    check.seq, check.hash = state.seq, state.hash
    if over:
        _note(check, last_faults(state, head))
        written_down = [Anchor(check.expected_seq, check.expected_hash)] if check.expected_seq else []
        _note(check, stored_faults([*written_down, *anchors_kept()]))
        check.until = state.seq
        check.finished_at = timezone.now()
    with transaction.atomic():
        row = AuditCheck.objects.select_for_update().get(pk=check.pk)
        if (row.seq, row.rows) != began or row.finished_at is not None:
            return row
        check.seal = _seal(check)
        check.save()
        if over:
            leave_note(
                events.LOG_VERIFIED,
                by=by,
                subject=Subject("audit_check", str(check.pk)),
                rows=check.rows,
                faults=len(check.faults),
                head=state.hash,
                expected=check.expected_seq,
            )
    return check


def _note(check: AuditCheck, faults: Iterable[Fault]) -> None:
    for fault in faults:
        if len(check.faults) < MAX_FAULTS:
            check.faults.append({"kind": fault.kind.value, "params": fault.params})


def _seal(check: AuditCheck) -> str:
    """Over how far the check has come and what it found: whoever writes in the database writes no verdict."""
    names = ("id", "seq", "hash", "until", "rows", "faults", "expected_seq", "expected_hash", "by_id")
    said = {name: getattr(check, name) for name in names} | {"over": check.finished_at is not None}
    text = json.dumps(said, cls=DjangoJSONEncoder, sort_keys=True)
    return check_seal(settings.DEID_MASTER_KEY, text)


def is_ours(check: AuditCheck) -> bool:
    """Whether the portal wrote what the check says."""
    return compare_digest(check.seal, _seal(check))


def faults_of(check: AuditCheck) -> list[Fault]:
    """What was found. A check that somebody else has written finds that, and nothing besides."""
    if not is_ours(check):
        return [Fault(Finding.CHECK, {})]
    return [Fault(Finding(item["kind"]), item["params"]) for item in check.faults]
