"""Reading robots, choices and messages."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet

from approvals.governance.person import Person
from deid_portal.accounts.models import User

from .enums import MessageKind, MessageStatus, Pace
from .models import Message, MessageChoice, Robot
from .rules import FROM_OUTSIDE


@dataclass(frozen=True)
class Route:
    """By which way somebody is written to, and when."""

    pace: Pace
    robot: Robot | None


def robots() -> QuerySet[Robot]:
    """Those that are there, by name; without what is sealed."""
    return Robot.objects.filter(removed_at=None).defer("sealed").select_related("added_by")


def robot_get(robot_id: uuid.UUID) -> Robot:
    """Raises ``Robot.DoesNotExist``."""
    return Robot.objects.get(pk=robot_id)


def choice_of(user: Person) -> MessageChoice:
    """What somebody chose; by mail and at once where they never did. Not saved."""
    found = MessageChoice.objects.filter(user=user).select_related("robot").first()
    return found or MessageChoice(user=user, pace=Pace.AT_ONCE)


def route_of(user: Person) -> Route | None:
    """The way to one person; None where there is none, or they want none."""
    return routes(pk=user.pk).get(user.pk)


def routes(**which: Any) -> dict[Any, Route]:
    """The way to each person to whom there is one. Who comes from outside is written to by mail alone, and so is whose robot was
    removed."""
    chosen = {one.user_id: one for one in MessageChoice.objects.select_related("robot")}
    found = {}
    for user in User.objects.filter(**which, is_active=True).only("pk", "email", "post"):
        choice = chosen.get(user.pk)
        pace = Pace(choice.pace) if choice else Pace.AT_ONCE
        robot = choice.robot if choice else None
        if robot is not None and (robot.removed_at is not None or user.post in FROM_OUTSIDE):
            robot = None
        if pace != Pace.NEVER and (robot is not None or (settings.DEID_MAIL_IS_SET and user.email)):
            found[user.pk] = Route(pace, robot)
    return found


def messages_made() -> QuerySet[Message]:
    """All, the newest first, with who they are for. What they are about is not among it."""
    return Message.objects.select_related("recipient", "robot").defer("robot__sealed")


@dataclass(frozen=True)
class Backlog:
    """How many wait and since when, and how many failed."""

    waiting: int
    since: datetime | None
    failed: int


def backlog() -> Backlog:
    tried = Q(status=MessageStatus.WAITING, attempts__gt=0)
    found = Message.objects.aggregate(
        waiting=Count("pk", filter=tried),
        since=Min("made_at", filter=tried),
        failed=Count("pk", filter=Q(status=MessageStatus.FAILED) & ~Q(kind=MessageKind.TEST)),
    )
    return Backlog(**found)
