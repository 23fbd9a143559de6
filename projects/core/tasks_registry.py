"""The tasks on a person's home page: each package registers what it asks of people here.

A package puts its providers into a module ``home.py``, which is imported at start::

    @task_provider
    def overdue(user) -> list[Task]: ...

Providers see to their own permissions: they return only what ``user`` may see and has to do.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format

from approvals.governance.person import Person
from projects.workflow import State

from .deadlines import Deadline
from .models import Membership


@dataclass(frozen=True)
class Task:
    """One thing to do. ``tone``: info, warn or fail; ``rank`` orders the list, small first.

    ``due`` is a date or time (overdue or since when), or words; ``deadline`` the day by which it has to be done, where one is set,
    and ``project_id`` the project whose planning manager is told when that day is over. ``about`` says which thing it is where
    address and ``due`` do not.
    """

    title: Any
    url: str
    due: date | datetime | str | None = None
    tone: str = "info"
    project: str = ""
    hint: Any = ""
    word: Any = ""
    icon: str = ""
    rank: int = 50
    deadline: Deadline | None = None
    project_id: uuid.UUID | None = None
    about: str = ""

    @property
    def key(self) -> str:
        """What it is, whatever the language: the same thing has the same key for everybody who has to do it, and nothing else has it."""
        due = self.due.isoformat() if isinstance(self.due, date) else self.due or ""
        return f"{self.url} {self.about or due}"

    @property
    def label(self) -> Any:
        return self.title


@dataclass(frozen=True)
class Running:
    """A job of mine that is going on: ``percent`` is 0…100."""

    title: str
    url: str
    project: str
    percent: int


_tasks: list[Callable[[Any], list[Task]]] = []
_running: list[Callable[[Any], list[Running]]] = []
_work_said: dict[State, Callable[[Membership], str]] = {}


def task_provider(function: Callable[[Any], list[Task]]) -> Callable[[Any], list[Task]]:
    if function not in _tasks:
        _tasks.append(function)
    return function


def running_provider(function: Callable[[Any], list[Running]]) -> Callable[[Any], list[Running]]:
    if function not in _running:
        _running.append(function)
    return function


def work_said(state: State) -> Callable[[Callable[[Membership], str]], Callable[[Membership], str]]:
    """What a package says of the work in ``state`` to who has to do it, where that is red: instead of the words of the state's task;
    empty where those say all."""

    def register(function: Callable[[Membership], str]) -> Callable[[Membership], str]:
        _work_said[state] = function
        return function

    return register


def warning_of(membership: Membership) -> str:
    """What a package says of the work that ``membership`` has to do (:func:`work_said`)."""
    said = _work_said.get(State(membership.project.state))
    return said(membership) if said is not None else ""


def tasks_of(user: Person) -> list[Task]:
    """Everything that ``user`` has to do, the most pressing first."""
    tasks = [task for provider in _tasks for task in provider(user)]
    return sorted(tasks, key=lambda task: (task.rank, _day(task.deadline), _moment(task.due)))


def running_of(user: Person) -> list[Running]:
    return [job for provider in _running for job in provider(user)]


def _day(deadline: Deadline | None) -> date:
    return deadline.due if deadline is not None else date.max


def _moment(due: date | datetime | str | None) -> str:
    if isinstance(due, datetime):
        return timezone.localtime(due).isoformat()
    return due.isoformat() if isinstance(due, date) else "9999"


def due_text(due: date | datetime | str | None) -> str:
    """``due`` in the reader's own form of dates."""
    if due is None or isinstance(due, str):
        return due or ""
    return date_format(timezone.localtime(due) if isinstance(due, datetime) else due, "Y-m-d")
