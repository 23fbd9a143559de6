"""What of posts and records stands on a home page: a catalogue that waits for a second person, and records that end."""

from __future__ import annotations

from datetime import date, timedelta

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from deid_portal.organisation.proposals.home import ProposalKind, proposal_kind
from projects.core.deadlines import deadline_on
from projects.core.selectors import memberships_held, reads_along
from projects.core.tasks_registry import Task, task_provider

from .models import PostCatalogue, StaffRecord
from .rules import KEPT_FOR, may_read

proposal_kind(
    ProposalKind(
        PostCatalogue,
        title=lambda version: (
            _("Decide on version %(number)s of the catalogue of posts") % {"number": version.number}
        ),
        address=lambda version: reverse("records:catalogue"),
    )
)

_WITH_END = StaffRecord.objects.filter(
    account=OuterRef("user"), valid_until__isnull=False, passed=True, taken_back_at=None
)
reads_along("records_end", Exists(_WITH_END))
NOTICE = 30
"""Days before the last one of a record from which it is recalled, and after it."""


@task_provider
def records_ending(user: Person) -> list[Task]:
    """To who has a role the records of their own that end soon or just did, and to administrators everybody's, until there is one
    that lasts longer."""
    administers = bool(may_read(user))
    if not administers and not any(one.records_end for one in memberships_held(user.pk)):  # type: ignore[attr-defined]
        return []
    today = timezone.localdate()
    later = StaffRecord.objects.filter(
        Q(valid_until=None) | Q(valid_until__gt=OuterRef("valid_until")),
        account=OuterRef("account"),
        kind=OuterRef("kind"),
        passed=True,
        taken_back_at=None,
    )
    rows = StaffRecord.objects.filter(
        ~Exists(later),
        valid_until__range=(today - timedelta(days=NOTICE), today + timedelta(days=NOTICE)),
        passed=True,
        taken_back_at=None,
        account__is_active=True,
        account__post__in=KEPT_FOR,
    )
    if not administers:
        rows = rows.filter(account=user.pk)
    return [_ending(row, user, today) for row in rows.select_related("account")]


def _ending(row: StaffRecord, user: Person, today: date) -> Task:
    assert row.valid_until is not None
    is_own, is_over = row.account_id == user.pk, row.valid_until < today
    title = (
        _("A record of yours ends: %(kind)s") % {"kind": row.get_kind_display()}
        if is_own
        else _("A record of %(person)s ends: %(kind)s")
        % {"person": row.account, "kind": row.get_kind_display()}
    )
    return Task(
        title,
        reverse("accounts:profile") if is_own else reverse("records:records", args=[row.account_id]),
        due=row.valid_until,
        deadline=deadline_on(row.valid_until),
        tone="fail" if is_over else "warn",
        hint=_("After this day no role is given that needs one; those that are held stay."),
        about=f"{row.kind} {row.valid_until}",
        icon="calendar",
        rank=15 if is_over else 40,
    )
