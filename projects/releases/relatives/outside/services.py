"""The only writer of entries about releases that were made outside the portal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny

from . import events, rules
from .content import OutsideFacts
from .models import OutsideRelease

Recorded = TypeVar("Recorded", bound=Callable[[OutsideRelease, OutsideRelease | None], int])
_subscribers: list[Callable[[OutsideRelease, OutsideRelease | None], int]] = []


def on_outside_recorded(function: Recorded) -> Recorded:
    """Subscribe to entries, with the one that each corrects: how monitoring tells the projects concerned. It says how many."""
    _subscribers.append(function)
    return function


def outside_record(facts: OutsideFacts, *, by: Person) -> OutsideRelease:
    """Enter a release that was made outside the portal; the live projects that it is related to are told. ``ValidationError`` where
    something cannot be taken down."""
    with recording(events.RECORDED, by=by) as event:
        rules.may_record_outside(by).require()
        made = _entry(facts, by=by)
        event.subject = made.subject
        event.facts.update(columns=len(made.columns), notified=_notify(made, None))
        return made


def outside_correct(entry: OutsideRelease, facts: OutsideFacts, *, reason: str, by: Person) -> OutsideRelease:
    """Withdraw an entry and make another one of the same release in its place; both stay."""
    with recording(events.CORRECTED, by=by, reason=reason.strip()) as event:
        before = _withdrawn(entry, reason=reason, by=by)
        kept = facts.as_columns()
        if all(getattr(before, name) == value for name, value in kept.items()):
            deny(rules.OutsideReason.NOTHING_CHANGED).require()
        made = _entry(facts, by=by, replaces=before)
        event.subject = made.subject
        event.facts.update(replaces=before.mark, columns=len(made.columns), notified=_notify(made, before))
        return made


def outside_withdraw(entry: OutsideRelease, *, reason: str, by: Person) -> OutsideRelease:
    """There was no such release, or it stands in the register already; the entry stays, and counts no more."""
    with recording(events.WITHDRAWN, by=by, subject=entry.subject, reason=reason.strip()):
        return _withdrawn(entry, reason=reason, by=by)


def _entry(facts: OutsideFacts, *, by: Person, replaces: OutsideRelease | None = None) -> OutsideRelease:
    facts.require()
    last = OutsideRelease.objects.aggregate(last=Max("number"))["last"] or 0
    given: dict[str, Any] = facts.as_columns()
    made = OutsideRelease(number=last + 1, replaces=replaces, recorded_by=by, **given)
    made.content_hash = made.hash_of_content()
    made.full_clean(exclude=["withdrawn_by", "withdrawn_at"])
    made.save()
    return made


def _withdrawn(entry: OutsideRelease, *, reason: str, by: Person) -> OutsideRelease:
    entry = OutsideRelease.objects.select_for_update(of=("self",)).get(pk=entry.pk)
    rules.may_change_outside(by, entry).require()
    if not reason.strip():
        deny(rules.OutsideReason.TEXT_NEEDED).require()
    entry.withdrawn_by, entry.withdrawn_at, entry.withdrawn_why = by, timezone.now(), reason.strip()
    entry.save()
    return entry


def _notify(made: OutsideRelease, before: OutsideRelease | None) -> int:
    return sum(function(made, before) for function in _subscribers)
