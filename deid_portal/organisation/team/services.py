"""The only writer of the team for personal information."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from deid_portal.accounts.models import User
from projects.core.services import notify_person
from projects.core.texts import unreadable

from ..rules import OrganisationReason
from . import events, rules, selectors
from .enums import SUCCEEDED, TeamDuty
from .models import TeamSeat


def head_propose(account: User, *, by: Person) -> TeamSeat:
    """Propose somebody of senior management as head; it counts for nothing until they take the lead themself."""
    with recording(events.PROPOSED, by=by) as event:
        account = _account(account)
        rules.may_be_proposed(by, account).require()
        made = TeamSeat.objects.create(account=account, duty=TeamDuty.HEAD, named_by=by)
        event.subject = made.subject
        notify_person(account, events.PROPOSED, by=by, subject=str(account))
        return made


def head_take(seat: TeamSeat, *, by: Person) -> TeamSeat:
    """Take the lead for which one is proposed; the seat of whoever had it until then ends."""
    with recording(events.TAKEN, by=by, about=seat) as event:
        seat = _seat(seat)
        rules.may_take(by, seat).require()
        now = timezone.now()
        for former in selectors.head_seats():
            if not former.waits:
                former.ended_by, former.ended_at, former.end_reason = by, now, SUCCEEDED
                former.save()
                event.facts["former_head"] = str(former.account)
                notify_person(former.account, events.TAKEN, by=by)
        seat.taken_at = now
        seat.save()
        return seat


def seat_give(account: User, duty: TeamDuty, *, by: Person) -> TeamSeat:
    """Give somebody a duty beside the head's, from now on."""
    facts: dict[str, Any] = {"team_duty": TeamDuty(duty).value}
    with recording(events.NAMED, by=by, **facts) as event:
        account = _account(account)
        rules.may_name(by).require()
        rules.may_be_named(account, TeamDuty(duty)).require()
        made = TeamSeat.objects.create(
            account=account, duty=TeamDuty(duty).value, named_by=by, taken_at=timezone.now()
        )
        event.subject = made.subject
        _tell(made, events.NAMED, by)
        return made


def seat_end(seat: TeamSeat, *, reason: str, by: Person) -> TeamSeat:
    """End a duty, or a proposal that waits, from now on. ``ValidationError`` by field where the reason cannot be read."""
    with recording(events.ENDED, by=by, about=seat, reason=reason.strip(), team_duty=seat.duty):
        seat = _seat(seat)
        rules.may_end(by, seat, leads=selectors.leads(by)).require()
        if not reason.strip():
            deny(OrganisationReason.REASON_NEEDED).require()
        if wrong := unreadable(reason=reason):
            raise ValidationError(wrong)
        seat.ended_by, seat.ended_at, seat.end_reason = by, timezone.now(), reason.strip()
        seat.save()
        _tell(seat, events.ENDED, by, reason=reason.strip())
        return seat


def seats_end(account: User, *, reason: str, by: Person) -> int:
    """End whatever somebody has in the team; how many."""
    held = list(selectors.seats_of(account))
    for seat in held:
        seat_end(seat, reason=reason, by=by)
    return len(held)


def _account(account: User) -> User:
    return User.objects.select_for_update().get(pk=account.pk)


def _seat(seat: TeamSeat) -> TeamSeat:
    return TeamSeat.objects.select_for_update(of=("self",)).select_related("account").get(pk=seat.pk)


def _tell(seat: TeamSeat, action: str, by: Person, reason: str = "") -> None:
    if seat.account_id != by.pk:
        facts: dict[str, Any] = {"subject": str(seat.account), "team_duty": seat.duty}
        notify_person(seat.account, action, by=by, reason=reason, **facts)
