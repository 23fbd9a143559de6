"""Who reads and who writes the records of staff."""

from __future__ import annotations

from datetime import date

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny
from deid_portal.accounts.models import User
from deid_portal.accounts.rules import may_administer, may_administer_other
from projects.workflow.posts import Post

from .models import StaffRecord

KEPT_FOR = (Post.STAFF, Post.PLANNER)
"""The posts whose holders may take part in projects."""


class RecordReason(Reason):
    OUTSIDE = "record_of_outsider", _("Records are kept for staff and planning managers only.")
    DAYS_WRONG = "record_days_wrong", _("The day is in the future, or the last day is before it.")
    TAKEN_BACK = "record_taken_back", _("This record has already been withdrawn.")
    TEXT_NEEDED = "record_text_needed", _("A reason is required.")
    SCAN_NEEDED = "record_scan_needed", _("Choose the file of the scan.")
    HAS_SCAN = "record_has_scan", _("The scan of this record is already kept.")
    OTHER_FILE = (
        "record_other_file",
        _("The SHA-256 of this file is not the one on record. Choose the file whose SHA-256 is on record."),
    )


def may_read(by: Person) -> Verdict:
    """Administrators; a background check is nobody else's to read."""
    return may_administer(by)


def may_record(by: Person, account: User, *, done_on: date, valid_until: date | None) -> Verdict:
    """An administrator, of somebody else who may take part in projects."""
    verdict = may_administer_other(by, account)
    if not verdict:
        return verdict
    if account.post not in KEPT_FOR:
        return deny(RecordReason.OUTSIDE)
    wrong = done_on > timezone.localdate() or (valid_until is not None and valid_until < done_on)
    return deny(RecordReason.DAYS_WRONG) if wrong else ALLOW


def may_take_back(by: Person, record: StaffRecord) -> Verdict:
    verdict = may_administer_other(by, record.account)
    if verdict and record.taken_back_at is not None:
        return deny(RecordReason.TAKEN_BACK)
    return verdict


def may_keep_scan(by: Person, record: StaffRecord) -> Verdict:
    """An administrator, of a record of somebody else that is not withdrawn and has no scan yet."""
    verdict = may_take_back(by, record)
    return deny(RecordReason.HAS_SCAN) if verdict and has_scan(record) else verdict


def has_scan(record: StaffRecord) -> bool:
    return hasattr(record, "scan")
