"""Finding out what is to be told, from the tasks as they stand on home pages.

Nothing here says what is due: the providers of tasks do (:mod:`projects.core.tasks_registry`). What is kept is what was told,
once each, so that it may be found out as often as one likes.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from approvals.audit.models import AuditEvent
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


_looked_at: list[Any] = []
"""What this process looked at last, and found nothing amiss: the end of the log, and the hour."""


def collect() -> int:
    """Write down what is to be told since the last time; returns how much that is.

    What waits for people changes by what is recorded, and by the day: while neither went on, nothing is looked for.
    """
    now = timezone.now()
    last = AuditEvent.objects.order_by("-seq").values_list("hash", flat=True).first()
    seen = [last, timezone.localtime(now).strftime("%Y-%m-%d %H")]
    reached = routes()
    if not reached or _looked_at == seen:
        return 0
    made, whole = 0, True
    busy: set[Any] = set()
    for person in people_now().iterator():
        try:
            tasks = waiting_of(person)
            found = list(_of_one(person, tasks, reached, now))
            Message.objects.bulk_create(found, ignore_conflicts=True)
        except Exception:
            # One person's tasks stop nobody else's messages.
            log.exception("what waits for account %s is not known", person.pk)
            whole = False
        else:
            made += len(found)
            busy |= {person.pk} if tasks else set()
    made += _overviews(reached, busy, now)
    _looked_at[:] = seen if whole else []
    return made


def _overviews(reached: dict[Any, Route], busy: set[Any], now: datetime) -> int:
    """One a day for who wants it so, if anything waits for them or is to be told to them."""
    if timezone.localtime(now).hour < settings.DEID_DIGEST_HOUR:
        return 0
    waiting = Message.objects.filter(status=MessageStatus.WAITING).order_by()
    due = busy | set(waiting.values_list("recipient", flat=True))
    daily = [pk for pk, route in reached.items() if route.pace == Pace.DAILY and pk in due]
    day = hashlib.sha256(timezone.localdate(now).isoformat().encode()).hexdigest()
    had = set(
        Message.objects.filter(kind=MessageKind.DIGEST, key=day, recipient__in=daily)
        .order_by()
        .values_list("recipient", flat=True)
    )
    people = User.objects.in_bulk([pk for pk in daily if pk not in had])
    made = [_message(person, person, MessageKind.DIGEST, day, now) for person in people.values()]
    Message.objects.bulk_create(made, ignore_conflicts=True)
    return len(made)


def _of_one(
    person: User, tasks: Sequence[Task], reached: dict[Any, Route], now: datetime
) -> Iterator[Message]:
    """What is to be told of the tasks of one person: to them, and of late ones to who answers for the project."""
    if person.pk in reached:
        known = _known(person, tasks)
        for task in tasks:
            yield from _own(person, task, known, now)
    late = [task for task in tasks if task.deadline is not None and task.deadline.is_overdue]
    for task in late:
        for superior in superiors(task, person):
            if superior.pk in reached:
                yield _message(superior, person, MessageKind.ESCALATION, deadline_key(task), now)


def _known(person: User, tasks: Iterable[Task]) -> dict[tuple[str, str], datetime]:
    keys = {key for task in tasks for key in (key_of(task), deadline_key(task))}
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
