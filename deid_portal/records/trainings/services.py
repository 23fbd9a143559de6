"""The only writer of trainings and of their attendance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from deid_portal.accounts.models import User
from projects.core.deadlines import months_later
from projects.core.services import notify_person
from projects.workflow import Role

from ..enums import ROLES, AttendanceOutcome, RecordKind, TrainingStatus
from ..models import Attendance, Training
from ..services import record_add
from . import events, rules
from .selectors import people_beside, people_concerned

AHEAD = 60
"""Months within which a training can be planned."""


def training_plan(
    *,
    title: str,
    teaches: str,
    roles: Iterable[Role],
    held_on: date,
    valid_months: int | None = None,
    repeat_months: int | None = None,
    by: Person,
) -> Training:
    """Plan a training for who holds ``roles``, and tell them. ``ValidationError`` by field where it is not whole.

    One that repeats is planned again as soon as it was held, ``repeat_months`` after its day.
    """
    chosen = [role for role in ROLES if role in set(roles)]
    facts: dict[str, Any] = {"day": held_on.isoformat(), "roles": [role.value for role in chosen]}
    with recording(events.PLANNED, by=by, **facts) as event:
        rules.may_plan(by).require()
        wrong = {}
        if not chosen:
            wrong["roles"] = _("Choose at least one role.")
        if held_on < timezone.localdate():
            wrong["held_on"] = _("The day is over. What was held before is recorded on the person's page.")
        if held_on > months_later(timezone.localdate(), AHEAD):
            wrong["held_on"] = _("The day is more than five years ahead.")
        if wrong:
            raise ValidationError(wrong)
        made = Training(
            title=title.strip(),
            teaches=teaches.strip(),
            roles=[role.value for role in chosen],
            held_on=held_on,
            valid_months=valid_months,
            repeat_months=repeat_months,
            planned_by=by,
        )
        made.full_clean(exclude=["closed_by", "closed_at"])
        made.save()
        event.subject = made.subject
        _tell(made, events.OF_YOURS, by)
        return made


def training_cancel(training: Training, *, reason: str, by: Person) -> Training:
    """It will not be held; the row stays, and whom it was for are told."""
    with recording(
        events.CANCELLED, by=by, subject=training.subject, reason=reason.strip(), **_day(training)
    ):
        training = _locked(training)
        rules.may_cancel(by, training).require()
        if not reason.strip():
            deny(rules.TrainingReason.TEXT_NEEDED).require()
        training.status, training.cancelled_why = TrainingStatus.CANCELLED, reason.strip()
        _close(training, by)
        _tell(training, events.OFF, by, reason=reason.strip())
        return training


def training_hold(
    training: Training,
    *,
    outcomes: Mapping[Any, AttendanceOutcome],
    others: Iterable[User] = (),
    kept_at: str,
    document_hash: str = "",
    by: Person,
) -> Training:
    """Record that it was held, and plan the next where it repeats. ``outcomes`` has what became of each person whom it is for, by the key of the account; ``others`` passed its
    test without holding one of its roles.

    Who passed or did not pass has that on record from then on, as any other record (:func:`..services.record_add`).
    ``ValidationError`` where somebody is missing, or was not to be there.
    """
    with recording(events.HELD, by=by, subject=training.subject, **_day(training)) as event:
        training = _locked(training)
        rules.may_hold(by, training).require()
        concerned = list(people_concerned(training))
        if unsaid := [str(one) for one in concerned if one.pk not in outcomes]:
            raise ValidationError(
                _("State what became of: %(people)s") % {"people": _(", ").join(unsaid)}, code="unsaid"
            )
        beside = {one.pk: one for one in people_beside(training).filter(pk__in=[one.pk for one in others])}
        if set(outcomes) - {one.pk for one in concerned} or {one.pk for one in others} - set(beside):
            raise ValidationError(
                _("Somebody named here may not take part in projects, or is named twice."), code="stranger"
            )
        rows = [(one, outcomes[one.pk]) for one in concerned]
        rows += [(one, AttendanceOutcome.PASSED) for one in beside.values()]
        if all(outcome == AttendanceOutcome.ABSENT for _account, outcome in rows):
            raise ValidationError(
                _("Nobody took part, so it was not held: cancel it instead."), code="nobody"
            )
        training.status, training.kept_at = TrainingStatus.HELD, kept_at.strip()
        training.document_hash = document_hash
        _close(training, by)
        for account, outcome in rows:
            record = None
            if outcome != AttendanceOutcome.ABSENT:
                record = record_add(
                    account,
                    kind=RecordKind.TRAINING,
                    title=training.title,
                    done_on=training.held_on,
                    valid_until=training.valid_until,
                    passed=outcome == AttendanceOutcome.PASSED,
                    kept_at=training.kept_at,
                    document_hash=document_hash,
                    by=by,
                )
            Attendance.objects.create(training=training, account=account, outcome=outcome, record=record)
        passed = sum(outcome == AttendanceOutcome.PASSED for _account, outcome in rows)
        event.facts |= {"recorded": len(rows), "passed": passed}
        if training.repeat_months:
            _plan_again(training, training.repeat_months, by)
        return training


def _plan_again(training: Training, months: int, by: Person) -> Training:
    """The next one, on the first day of its series that is not over: who was absent is concerned like everybody else."""
    times = 1
    while months_later(training.held_on, times * months) < timezone.localdate():
        times += 1
    return training_plan(
        title=training.title,
        teaches=training.teaches,
        roles=[Role(role) for role in training.roles],
        held_on=months_later(training.held_on, times * months),
        valid_months=training.valid_months,
        repeat_months=months,
        by=by,
    )


def _locked(training: Training) -> Training:
    return Training.objects.select_for_update(of=("self",)).get(pk=training.pk)


def _close(training: Training, by: Person) -> None:
    training.closed_by, training.closed_at = by, timezone.now()
    training.full_clean(exclude=["closed_by", "closed_at"])
    training.save()


def _day(training: Training) -> dict[str, Any]:
    return {"day": training.held_on.isoformat()}


def _tell(training: Training, action: str, by: Person, reason: str = "") -> None:
    facts = _day(training) | {"training": training.title}
    for person in people_concerned(training).exclude(pk=by.pk):
        notify_person(person, action, by=by, reason=reason, **facts)
