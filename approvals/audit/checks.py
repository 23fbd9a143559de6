"""Checking the whole log from a page: in slices of about a second, so that no request is long.

The row says how far the check has come; whoever opens its page takes it further.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from approvals.governance.draft import Subject
from approvals.governance.person import Person

from . import events, rules, verify
from .anchors import Anchor, stored_faults
from .chain import GENESIS
from .models import AuditCheck
from .recording import recording

PORTION = 2000
SLICE_SECONDS = 1.0
# A log that was torn apart would give a fault a row: enough is named.
MAX_FAULTS = 200


def check_start(*, by: Person, anchor: Anchor | None = None) -> AuditCheck:
    """Begin a check; with ``anchor`` the log must still have the row that was written down."""
    rules.may_read_log(by).require()
    head = verify.stored_head()
    return AuditCheck.objects.create(
        by=by,
        hash=GENESIS,
        until=head["seq"] if head else 0,
        expected_seq=anchor.seq if anchor else None,
        expected_hash=anchor.hash if anchor else "",
    )


def check_continue(check: AuditCheck, *, by: Person) -> AuditCheck:
    """Take the check further for about ``SLICE_SECONDS``; at the end compare the sealed end and record it."""
    rules.may_read_log(by).require()
    with transaction.atomic():
        check = AuditCheck.objects.select_for_update().get(pk=check.pk)
        if check.finished_at is not None:
            return check
        ends = monotonic() + SLICE_SECONDS
        state = verify.ChainState(check.seq, check.hash)
        over = False
        while not over and monotonic() < ends:
            # Read before the rows that lead to it: others go on writing meanwhile.
            head = verify.stored_head()
            portion = list(verify.rows_after(state.seq if check.rows else -1, limit=PORTION))
            _note(check, verify.chain_faults(portion, state))
            check.rows += len(portion)
            over = not portion
        check.seq, check.hash = state.seq, state.hash
        if over:
            _finish(check, state, head, by=by)
        check.save()
    return check


def _finish(check: AuditCheck, state: verify.ChainState, head: dict[str, Any] | None, *, by: Person) -> None:
    _note(check, verify.end_faults(state, head, key=settings.DEID_MASTER_KEY, used=verify.anybody_was_here()))
    if check.expected_seq is not None:
        _note(check, stored_faults(Anchor(check.expected_seq, check.expected_hash)))
    check.finished_at = timezone.now()
    check.until = state.seq
    subject = Subject("audit_check", str(check.pk))
    with recording(
        events.LOG_VERIFIED,
        by=by,
        subject=subject,
        rows=check.rows,
        faults=len(check.faults),
        head=state.hash,
        expected=check.expected_seq,
    ):
        pass


def _note(check: AuditCheck, faults: Any) -> None:
    for fault in faults:
        if len(check.faults) < MAX_FAULTS:
            check.faults.append({"kind": fault.kind.value, "params": fault.params})


def faults_of(check: AuditCheck) -> list[verify.Fault]:
    return [verify.Fault(verify.Finding(item["kind"]), item["params"]) for item in check.faults]
