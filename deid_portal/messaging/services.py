"""The only writer of robots, choices and what administrators do about messages."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person

from . import events, rules
from .channels.hosts import place_of
from .channels.robots import is_signed_to, robot_seal
from .enums import MessageKind, MessageStatus, Pace, RobotKind
from .models import Message, MessageChoice, Robot
from .telling.delivering import deliver_test

MAIL = "mail"


def robot_add(*, name: str, kind: RobotKind, url: str, secret: str = "", by: Person) -> Robot:
    """Set a robot up. Address and secret are kept encrypted and shown to nobody again."""
    name, url = name.strip(), url.strip()
    facts: dict[str, Any] = {"robot_kind": str(kind)}
    with recording(events.ROBOT_ADDED, by=by, **facts) as event:
        rules.may_add(by, name=name, url=url).require()
        robot = Robot(name=name, kind=kind, host=place_of(url).host, added_by=by)
        robot_seal(robot, url=url, secret=secret.strip() if is_signed_to(kind) else "")
        robot.full_clean(exclude=["removed_at"])
        robot.save()
        event.subject = robot.subject
        event.facts["host"] = robot.host
        return robot


def robot_remove(robot: Robot, *, by: Person) -> Robot:
    """Write by it no more; its address is destroyed. Who had chosen it is written to by mail."""
    with recording(events.ROBOT_REMOVED, by=by, subject=robot.subject):
        robot = Robot.objects.select_for_update().get(pk=robot.pk)
        rules.may_remove(by, robot).require()
        robot.removed_at, robot.sealed = timezone.now(), ""
        robot.save()
        return robot


def choice_set(*, pace: Pace, robot: Robot | None, by: Person) -> MessageChoice:
    """Somebody's own choice: when they are written to, by mail or by a robot."""
    channel = robot.name if robot else MAIL
    with recording(events.CHOSEN, by=by, pace=str(pace), channel=channel):
        if robot is not None:
            rules.may_use(by, robot).require()
        choice = MessageChoice.objects.select_for_update().filter(user=by).first() or MessageChoice(user=by)
        choice.pace, choice.robot = pace, robot
        choice.save()
        return choice


def message_test(robot: Robot | None, *, by: Person) -> Message:
    """Send a message at once to see whether it arrives: to one's own address, or by a robot."""
    now = timezone.now()
    with recording(events.TESTED, by=by, channel=robot.name if robot else MAIL):
        rules.may_test(by, robot).require()
        message = Message.objects.create(
            recipient=by,
            holder=by,
            kind=MessageKind.TEST,
            key=uuid.uuid4().hex,
            robot=robot,
            made_at=now,
            next_at=now,
        )
    # Outside the transaction: nobody waits for a lock until a server answers.
    deliver_test(message)
    return message


def failed_offer_again(*, by: Person) -> int:
    """Have everything sent again that failed and may still be true; returns how much that is."""
    with recording(events.OFFERED_AGAIN, by=by) as event:
        rules.may_manage(by).require()
        failed = Message.objects.filter(status=MessageStatus.FAILED).exclude(kind=MessageKind.TEST)
        count = failed.update(
            status=MessageStatus.WAITING, next_at=timezone.now(), ended_at=None, problem="", attempts=0
        )
        event.facts["count"] = count
        return count
