"""Sending what is to be told, in words that are true at that moment.

All that waits for one person goes out together. What nobody has to do any more is not sent. While a server cannot be reached its
messages wait, each time longer, and nobody waits for them; other ways go on.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from deid_portal.accounts.models import User
from projects.core.tasks_registry import Task

from ..channels.failures import Failure
from ..channels.mail import Mail
from ..channels.robots import FORMS, robot_send
from ..enums import MessageKind, MessageStatus, Pace, RobotKind
from ..models import CLAIM_LASTS, Message, Robot
from ..selectors import Route, routes
from .collecting import deadline_key, key_of, people_now, superiors, waiting_of
from .texts import Letter, Line, Part, line_of, test_letter

log = logging.getLogger(__name__)

# No run takes a worker from its jobs for longer, in seconds.
MOST_SECONDS = 60.0
FIRST_WAIT = timedelta(minutes=2)
LONGEST_WAIT = timedelta(hours=1)


def wait_after(attempts: int) -> timedelta:
    """How long a message that was tried so often waits for the next time."""
    doubled: int = 2 ** min(attempts - 1, 10)
    return min(LONGEST_WAIT, FIRST_WAIT * doubled)


def _waiting(now: datetime) -> QuerySet[Message]:
    """What waits and nobody has in hand."""
    free = Q(claim=None) | Q(claimed_at__lt=now - CLAIM_LASTS)
    return Message.objects.filter(free, status=MessageStatus.WAITING).exclude(kind=MessageKind.TEST)


@dataclass
class Channels:
    """The ways out during one run: a mail server's one connection, and which of them are shut until when."""

    mail: Mail = field(default_factory=Mail)
    shut: dict[Any, Failure] = field(default_factory=dict)

    def send(self, person: User, robot: Robot | None, said: tuple[str, str, str], number: uuid.UUID) -> None:
        """``said``: subject, text of a mail, text for a robot. Raises a ``Failure``."""
        channel = robot.pk if robot else None
        if channel in self.shut:
            raise self.shut[channel]
        try:
            if robot is None:
                self.mail.send(person.email, said[0], said[1], number)
            else:
                robot_send(robot, said[2])
        except Failure as failure:
            if failure.is_of_all or (robot is not None and not failure.is_over):
                self.shut[channel] = failure
            raise


def deliver() -> int:
    """Send what is due; returns how many messages were sent."""
    until = monotonic() + MOST_SECONDS
    found = routes()
    now = timezone.now()
    due = _waiting(now).filter(next_at__lte=now).order_by().values_list("recipient", flat=True)
    people = people_now().in_bulk(set(due))
    _drop_unwanted()
    sent, channels = 0, Channels()
    try:
        for pk, person in people.items():
            if monotonic() > until:
                break
            if pk in found:
                sent += _deliver_to(person, found[pk], channels)
    finally:
        channels.mail.close()
    return sent


def _drop_unwanted() -> None:
    """Who left, or wants no messages, is told nothing later either; who has no way now is told when there is one."""
    now = timezone.now()
    unwanted = Q(recipient__message_choice__pace=Pace.NEVER) | ~Q(recipient__in=people_now())
    gone = _waiting(now).filter(unwanted).order_by().values_list("pk", flat=True)
    Message.objects.filter(pk__in=list(gone)).update(status=MessageStatus.DROPPED, ended_at=now)


def _deliver_to(person: User, route: Route, channels: Channels) -> int:
    now = timezone.now()
    # What failed before goes along, whether or not its time has come.
    waiting = _waiting(now).filter(recipient=person)
    lost = waiting.exclude(claim=None).values_list("claim", flat=True).first()
    if route.pace == Pace.DAILY and lost is None and not waiting.filter(kind=MessageKind.DIGEST).exists():
        return 0
    # What somebody was lost over goes out by itself, under the number that it had.
    mine = waiting.filter(claim=lost) if lost else waiting
    number = lost or uuid.uuid4()
    mine.update(claim=number, claimed_at=now)
    rows = list(
        Message.objects.filter(recipient=person, claim=number, claimed_at=now).select_related("holder")
    )
    try:
        with translation.override(person.language):
            live, letter = _letter(person, rows)
            dropped = [row.pk for row in rows if row.pk not in live]
            Message.objects.filter(pk__in=dropped).update(
                status=MessageStatus.DROPPED, ended_at=now, claim=None
            )
            if not live:
                return 0
            most = FORMS[RobotKind(route.robot.kind)].most if route.robot else 0
            said = (letter.subject, letter.mail(), letter.chat(most) if most else "")
        channels.send(person, route.robot, said, number)
    except Failure as failure:
        _failed([row for row in rows if row.pk in live], failure, route.robot)
        return 0
    except Exception:
        # One person's message stops nobody else's.
        log.exception("the messages of account %s could not be made", person.pk)
        Message.objects.filter(claim=number).update(
            claim=None, attempts=F("attempts") + 1, next_at=now + LONGEST_WAIT
        )
        return 0
    return Message.objects.filter(pk__in=live).update(
        status=MessageStatus.SENT, ended_at=timezone.now(), robot=route.robot, claim=None, problem=""
    )


def _failed(rows: Sequence[Message], failure: Failure, robot: Robot | None) -> None:
    now = timezone.now()
    for row in rows:
        row.attempts += 1
        row.problem, row.robot = failure.problem, robot
        row.claim = row.claimed_at = None
        row.next_at = now + wait_after(row.attempts)
        if failure.is_over:
            row.status, row.ended_at = MessageStatus.FAILED, now
    names = ["attempts", "problem", "robot", "claim", "claimed_at", "next_at", "status", "ended_at"]
    Message.objects.bulk_update(rows, names)
    if rows:
        log.warning("messages could not be sent to account %s (%s)", rows[0].recipient_id, failure.problem)


def _letter(person: User, rows: Sequence[Message]) -> tuple[set[Any], Letter]:
    """The rows that are still true, and the letter that says them."""
    tasks = waiting_of(person)
    digest = any(row.kind == MessageKind.DIGEST for row in rows)
    lines: dict[str, list[Line]] = {kind: [] for kind in MessageKind.values}
    live = set()
    by_new = {key_of(task): task for task in tasks}
    by_day = {deadline_key(task): task for task in tasks}
    for row in rows:
        if row.kind == MessageKind.ESCALATION:
            task, holder = _late_task(row, person), row.holder
        else:
            task, holder = (by_new if row.kind == MessageKind.NEW else by_day).get(row.key), None
        if task is not None:
            live.add(row.pk)
            lines[row.kind].append(line_of(task, holder))
        elif row.kind == MessageKind.DIGEST and tasks:
            live.add(row.pk)
    if digest:
        # All that waits, once each, instead of why each is said.
        lines[MessageKind.DIGEST] = [line_of(task) for task in tasks]
        headings = {
            MessageKind.DIGEST: _("What waits for you"),
            MessageKind.ESCALATION: _("Overdue with others in your projects"),
        }
    else:
        headings = {
            MessageKind.OVERDUE: _("Overdue"),
            MessageKind.REMINDER: _("Due soon"),
            MessageKind.NEW: _("Newly waits for you"),
            MessageKind.ESCALATION: _("Overdue with others in your projects"),
        }
    parts = [Part(heading, lines[kind]) for kind, heading in headings.items() if lines[kind]]
    return live, Letter(str(person), parts)


def _late_task(row: Message, reader: User) -> Task | None:
    """The task of somebody else, if it is still late and the reader still answers for it."""
    if not row.holder.is_active:
        return None
    for task in waiting_of(row.holder):
        if deadline_key(task) == row.key and task.deadline is not None and task.deadline.is_overdue:
            return task if reader.pk in {one.pk for one in superiors(task, row.holder)} else None
    return None


def deliver_test(message: Message) -> None:
    """Send a test once, while who asked for it waits; it is not tried again."""
    person, robot = message.recipient, message.robot
    channels = Channels()
    with translation.override(person.language):
        subject, text = test_letter(person)
    try:
        channels.send(person, robot, (subject, text + "\n", f"{subject}\n{text}"), message.pk)
    except Failure as failure:
        message.status, message.problem = MessageStatus.FAILED, failure.problem
    else:
        message.status = MessageStatus.SENT
    finally:
        channels.mail.close()
    message.attempts, message.ended_at = 1, timezone.now()
    message.save()
