"""What each post asks for today, and what somebody lacks."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.request_cache import cached_read
from deid_portal.accounts.models import User
from deid_portal.organisation.proposals.models import ProposalStatus
from projects.workflow import Role

from .enums import ROLES, RecordKind
from .models import PostCatalogue, StaffRecord


def versions() -> QuerySet[PostCatalogue]:
    """Every version, the newest first."""
    return PostCatalogue.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> PostCatalogue:
    """Raises ``PostCatalogue.DoesNotExist``."""
    return versions().get(pk=version_id)


@cached_read
def catalogue_now() -> PostCatalogue | None:
    """The version in force; None while the organisation has decided nothing, and nothing is asked."""
    return PostCatalogue.objects.filter(status=ProposalStatus.IN_FORCE).first()


def requirements_in_force() -> dict[Role, list[RecordKind]]:
    """The kinds of record that who takes a role must have today."""
    now = catalogue_now()
    posts: Mapping[str, Any] = now.posts if now else {}
    found = {role: [RecordKind(kind) for kind in posts.get(role.value, {}).get("asks", [])] for role in ROLES}
    return {role: kinds for role, kinds in found.items() if kinds}


def records_of(account: User) -> QuerySet[StaffRecord]:
    return StaffRecord.objects.filter(account=account).select_related(
        "account", "recorded_by", "taken_back_by", "scan__kept_by"
    )


def trainings_of(accounts: Iterable[Any]) -> dict[Any, list[StaffRecord]]:
    """By account the trainings that count today, that which lasts longest first; in one statement."""
    today = timezone.localdate()
    lasts = Q(valid_until=None) | Q(valid_until__gte=today)
    rows = StaffRecord.objects.filter(
        lasts,
        account__in=set(accounts),
        kind=RecordKind.TRAINING,
        passed=True,
        taken_back_at=None,
        done_on__lte=today,
    )
    found: dict[Any, list[StaffRecord]] = {}
    for row in rows.order_by(F("valid_until").desc(nulls_first=True), "title", "pk"):
        found.setdefault(row.account_id, []).append(row)
    return found


def records_missing(people: Iterable[Any]) -> dict[tuple[Any, Role], str]:
    """By person and role what stands against giving it: records that are missing, failed or over. At most two statements."""
    asked = requirements_in_force()
    if not asked:
        return {}
    keys = [one.pk for one in people]
    rows: dict[tuple[Any, str], list[StaffRecord]] = {}
    for row in StaffRecord.objects.filter(account__in=keys, taken_back_at=None):
        rows.setdefault((row.account_id, row.kind), []).append(row)
    found = {}
    for key in keys:
        for role, kinds in asked.items():
            lacks = [
                text
                for kind in kinds
                if (text := _lacking(kind, rows.get((key, kind.value), []))) is not None
            ]
            if lacks:
                found[key, role] = _("; ").join(lacks)
    return found


def _lacking(kind: RecordKind, rows: list[StaffRecord]) -> str | None:
    """None where one of ``rows`` counts."""
    if any(row.counts for row in rows):
        return None
    name = {"kind": kind.label}
    passed = [row.valid_until for row in rows if row.passed and row.valid_until is not None]
    if passed:
        return _("%(kind)s, valid until %(day)s only") % (name | {"day": max(passed).isoformat()})
    return _("%(kind)s, not passed") % name if rows else _("%(kind)s, none on record") % name
