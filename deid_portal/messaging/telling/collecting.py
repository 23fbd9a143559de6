"""Finding out what is to be told, from the tasks as they stand on home pages.

Nothing here says what is due: the providers of tasks do (:mod:`projects.core.tasks_registry`). What is kept is what was told,
once each, so that it may be found out as often as one likes.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.governance.person import Person
from approvals.request_cache import one_reading
from deid_portal.accounts.models import User
from projects.core.models import Membership
from projects.core.tasks_registry import Task, tasks_of
from projects.workflow import Role

from ..enums import MessageKind, MessageStatus, Pace
from ..models import Message
from ..selectors import Route, routes

log = logging.getLogger(__name__)

waiting_of = one_reading(tasks_of)
"""What waits for somebody; each of its parts is read once for all providers."""


def key_of(task: Task) -> str:
    return hashlib.sha256(task.key.encode()).hexdigest()


def deadline_key(task: Task) -> str:
    """Another day is another reminder."""
    day = task.deadline.due.isoformat() if task.deadline else ""
    return hashlib.sha256(f"{task.key} until {day}".encode()).hexdigest()


def day_key(now: datetime) -> str:
    """One overview a day."""
    return hashlib.sha256(timezone.localdate(now).isoformat().encode()).hexdigest()


def people_now() -> QuerySet[User]:
    """Accounts that sign in today."""
    lasts = Q(access_until=None) | Q(access_until__gte=timezone.localdate())
    return User.objects.filter(lasts, is_active=True).order_by("pk")


def superiors(task: Task, holder: Person) -> list[User]:
    """Who is told that somebody is late: the project's planning managers; its senior management where the planning manager is."""
    if task.project_id is None:
        return []
    held = Membership.objects.filter(
        project=task.project_id,
        ended_at=None,
        role__in=(Role.PLANNER, Role.MANAGEMENT),
        user__in=people_now(),
    ).select_related("user")
    by_role: dict[str, list[Any]] = {Role.PLANNER: [], Role.MANAGEMENT: []}
    for one in held:
        by_role[one.role].append(one.user)
    planners = [one for one in by_role[Role.PLANNER] if one.pk != holder.pk]
    late_planner = len(planners) < len(by_role[Role.PLANNER])
    return [one for one in by_role[Role.MANAGEMENT] if one.pk != holder.pk] if late_planner else planners


def collect() -> int:
    """Write down what is to be told since the last time; returns how much that is."""
    now = timezone.now()
    reached = routes()
    if not reached:
        return 0
    made = 0
    for person in people_now().iterator():
        try:
            found = list(_of_one(person, reached, now))
            Message.objects.bulk_create(found, ignore_conflicts=True)
        except Exception:
            # One person's tasks stop nobody else's messages.
            log.exception("what waits for account %s is not known", person.pk)
        else:
            made += len(found)
    return made


def _of_one(person: User, reached: dict[Any, Route], now: datetime) -> Iterator[Message]:
    tasks = waiting_of(person)
    known = _known(person, tasks)
    own = reached.get(person.pk)
    if own is not None:
        for task in tasks:
            yield from _own(person, task, known, now)
        if own.pace == Pace.DAILY and timezone.localtime(now).hour >= settings.DEID_DIGEST_HOUR:
            waits = Message.objects.filter(recipient=person, status=MessageStatus.WAITING)
            if (MessageKind.DIGEST, day_key(now)) not in known and (tasks or waits.exists()):
                yield _message(person, person, MessageKind.DIGEST, day_key(now), now)
    late = [task for task in tasks if task.deadline is not None and task.deadline.is_overdue]
    for task in late:
        for superior in superiors(task, person):
            if superior.pk in reached:
                yield _message(superior, person, MessageKind.ESCALATION, deadline_key(task), now)


def _known(person: User, tasks: Iterable[Task]) -> dict[tuple[str, str], datetime]:
    keys = {key for task in tasks for key in (key_of(task), deadline_key(task))}
    keys.add(day_key(timezone.now()))
    found = Message.objects.filter(recipient=person, key__in=keys)
    return {(kind, key): at for kind, key, at in found.values_list("kind", "key", "made_at")}


def _own(person: User, task: Task, known: Any, now: datetime) -> Iterator[Message]:
    """That it waits; later, once each, that its day is near and that it is over. What was near, or over, when somebody was told of
    it the first time is not said a second time."""
    first = known.get((MessageKind.NEW, key_of(task)))
    if first is None:
        yield _message(person, person, MessageKind.NEW, key_of(task), now)
        return
    if task.deadline is None:
        return
    first_on, due = timezone.localdate(first), task.deadline.due
    remind_from = due - timedelta(days=settings.DEID_REMIND_DAYS)
    kind = None
    if task.deadline.is_overdue:
        kind = MessageKind.OVERDUE if first_on <= due else None
    elif task.deadline.today >= remind_from > first_on:
        kind = MessageKind.REMINDER
    if kind is not None and (kind, deadline_key(task)) not in known:
        yield _message(person, person, kind, deadline_key(task), now)


def _message(recipient: User, holder: User, kind: MessageKind, key: str, now: datetime) -> Message:
    return Message(recipient=recipient, holder=holder, kind=kind, key=key, made_at=now, next_at=now)
