"""The only writer of the catalogue of posts and of the records of staff."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from deid_portal.accounts.models import User
from deid_portal.organisation.proposals.services import proposal_decide, proposal_lay
from deid_portal.organisation.rules import OrganisationReason
from projects.datasets.store.store import store_destroy

from . import events, rules
from .enums import ROLES, RecordKind
from .models import PostCatalogue, StaffRecord
from .selectors import catalogue_now


def catalogue_propose(posts: Mapping[str, Mapping[str, Any]], *, reason: str, by: Person) -> PostCatalogue:
    """Lay down the next version; it waits for a second person. ``ValidationError`` where a role has no whole row."""
    content = {}
    for role in ROLES:
        row = posts.get(role.value, {})
        asks = list(row.get("asks", []))
        if set(asks) - set(RecordKind.values) or not row.get("technical") or not row.get("confidentiality"):
            raise ValidationError({role.value: [_("State what the post requires.")]})
        kinds = [kind.value for kind in RecordKind if kind.value in asks]
        texts = {name: str(row[name]).strip() for name in ("technical", "confidentiality")}
        content[role.value] = {**texts, "asks": kinds}
    now = catalogue_now()
    if now is not None and now.posts == content:
        deny(OrganisationReason.NOTHING_CHANGED).require()
    return proposal_lay(
        PostCatalogue(posts=content, reason=reason),
        versions=PostCatalogue.objects.all(),
        sentences=events.CATALOGUE,
        facts={},
        by=by,
    )


def catalogue_decide(version: PostCatalogue, *, accept: bool, reason: str, by: Person) -> PostCatalogue:
    """Put a proposed version in force, for every role that is given from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=PostCatalogue.objects.all(),
        sentences=events.CATALOGUE,
        accept=accept,
        reason=reason,
        by=by,
    )


def record_add(
    account: User,
    *,
    kind: RecordKind,
    title: str,
    done_on: date,
    valid_until: date | None = None,
    passed: bool,
    kept_at: str,
    document_hash: str = "",
    by: Person,
) -> StaffRecord:
    """Put a check, an agreement or a training on record."""
    facts: dict[str, Any] = {"record": kind.value, "passed": passed}
    with recording(events.RECORDED, by=by, **facts) as event:
        rules.may_record(by, account, done_on=done_on, valid_until=valid_until).require()
        made = StaffRecord(
            account=account,
            kind=kind,
            title=title.strip(),
            done_on=done_on,
            valid_until=valid_until,
            passed=passed,
            kept_at=kept_at.strip(),
            document_hash=document_hash,
            recorded_by=by,
        )
        made.full_clean(exclude=["taken_back_by", "taken_back_at"])
        made.save()
        event.subject = made.subject
        return made


def record_take_back(record: StaffRecord, *, reason: str, by: Person) -> StaffRecord:
    """It was wrong, or does not hold any more; the row stays. The file of its scan is destroyed, its hash stays."""
    facts: dict[str, Any] = {"record": record.kind}
    with recording(events.TAKEN_BACK, by=by, subject=record.subject, reason=reason.strip(), **facts):
        rows = StaffRecord.objects.select_for_update(of=("self",)).select_related("account", "scan__stored")
        record = rows.get(pk=record.pk)
        rules.may_take_back(by, record).require()
        if not reason.strip():
            deny(rules.RecordReason.TEXT_NEEDED).require()
        record.taken_back_by, record.taken_back_at = by, timezone.now()
        record.taken_back_why = reason.strip()
        record.save()
        if rules.has_scan(record):
            store_destroy(record.scan.stored)
        return record
