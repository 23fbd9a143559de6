"""The only writer of deputations."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.services import notify_person
from projects.workflow.posts import AppointedPost

from ..appointments.selectors import administrators_now
from ..models import Deputation, User
from . import events, rules
from .enums import DeputationStatus


def deputy_name(
    account: User,
    *,
    post: AppointedPost,
    deputy: User,
    starts_on: date,
    ends_on: date,
    reason: str,
    by: Person,
) -> Deputation:
    """Name who acts on behalf of ``account``; it waits for an administrator, and counts for nothing until then."""
    facts: dict[str, Any] = {"deputy": str(deputy), "appointed_to": post.value}
    facts |= {"starts": starts_on.isoformat(), "ends": ends_on.isoformat()}
    with recording(events.NAMED, by=by, reason=reason.strip(), **facts) as event:
        account, deputy = _locked(account, deputy)
        begins_at, over_at = _midnight(starts_on), _midnight(ends_on + timedelta(days=1))
        rules.may_name(by, account, post, deputy, begins_at=begins_at, over_at=over_at).require()
        if not reason.strip():
            deny(rules.DeputyReason.REASON_NEEDED).require()
        made = Deputation.objects.create(
            account=account,
            post=post,
            deputy=deputy,
            begins_at=begins_at,
            over_at=over_at,
            reason=reason.strip(),
            given_by=by,
        )
        event.subject = made.subject
        for administrator in administrators_now().exclude(pk=by.pk):
            if rules.may_decide(administrator, made, confirm=True):
                notify_person(administrator, events.WAITS, by=by)
        return made


def deputation_decide(deputation: Deputation, *, confirm: bool, by: Person) -> Deputation:
    """An administrator's word; what it takes to be a deputy is asked again."""
    action = events.CONFIRMED if confirm else events.TURNED_DOWN
    with recording(action, by=by, subject=deputation.subject, **_facts(deputation)):
        _locked(deputation.account, deputation.deputy)
        deputation = _row(deputation)
        rules.may_decide(by, deputation, confirm=confirm).require()
        if confirm:
            rules.can_stand_in(
                deputation.account,
                AppointedPost(deputation.post),
                deputation.deputy,
                begins_at=deputation.begins_at,
                over_at=deputation.over_at,
                beside=deputation.pk,
            ).require()
        deputation.status = DeputationStatus.CONFIRMED if confirm else DeputationStatus.TURNED_DOWN
        deputation.decided_by, deputation.decided_at = by, timezone.now()
        deputation.save()
        _tell(deputation, by)
        return deputation


def deputation_end(deputation: Deputation, *, reason: str, by: Person) -> Deputation:
    """End it at once; what was done in it stays done. One that still waits is turned down."""
    with recording(
        events.ENDED, by=by, subject=deputation.subject, reason=reason.strip(), **_facts(deputation)
    ):
        deputation = _row(deputation)
        rules.may_end(by, deputation).require()
        if not reason.strip():
            deny(rules.DeputyReason.REASON_NEEDED).require()
        if deputation.status == DeputationStatus.WAITS:
            deputation.status = DeputationStatus.TURNED_DOWN
            deputation.decided_by, deputation.decided_at = by, timezone.now()
        else:
            deputation.status, deputation.end_reason = DeputationStatus.ENDED, reason.strip()
            deputation.ended_by, deputation.ended_at = by, timezone.now()
        deputation.save()
        _tell(deputation, by)
        return deputation


def deputations_end(account: User, *, reason: str, by: Person) -> int:
    """End whatever makes ``account`` a deputy or gives them one; how many."""
    ended = 0
    for one in [*account.deputations.all(), *account.deputations_as.all()]:
        if rules.may_end(by, one):
            deputation_end(one, reason=reason, by=by)
            ended += 1
    return ended


def _locked(account: User, deputy: User) -> tuple[User, User]:
    """Both, locked in one order, so that two acts about the same people wait for each other."""
    found = {
        one.pk: one
        for one in User.objects.select_for_update().filter(pk__in=(account.pk, deputy.pk)).order_by("pk")
    }
    return found[account.pk], found[deputy.pk]


def _row(deputation: Deputation) -> Deputation:
    rows = Deputation.objects.select_for_update(of=("self",)).select_related("account", "deputy", "given_by")
    return rows.get(pk=deputation.pk)


def _tell(deputation: Deputation, by: Person) -> None:
    facts = _facts(deputation) | {"member": str(deputation.account)}
    for person in (deputation.account, deputation.deputy):
        if person.pk != by.pk:
            notify_person(person, events.OF_YOURS, by=by, **facts)


def _facts(deputation: Deputation) -> dict[str, Any]:
    return {"deputy": str(deputation.deputy), "appointed_to": deputation.post}


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
