"""Thousands of requests that leave nothing behind, in as little time as they can take."""

from __future__ import annotations

import copy
import gc
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from typing import Any
from unittest import mock

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.db import connection, transaction
from django.template.base import Template

from approvals.audit.models import AuditEvent
from deid_portal.accounts.backends import AccountBackend

BACKEND = f"{AccountBackend.__module__}.{AccountBackend.__qualname__}"
assert BACKEND in settings.AUTHENTICATION_BACKENDS
NEWEST = f"SELECT MAX(seq) FROM {AuditEvent._meta.db_table}"


class Statements:
    """Counts the statements of a request, without its savepoints, the session and the person who asks."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")) and "django_session" not in sql:
            self.statements.append(sql)
        return execute(sql, params, many, context)

    @property
    def queries(self) -> int:
        return len(self.statements)

    @property
    def repeated(self) -> int:
        """How often the statement that ran most often ran."""
        return max(Counter(self.statements).values(), default=0)


class Writes:
    """Whether any statement but a SELECT was sent."""

    seen = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.seen = self.seen or not sql.startswith("SELECT")
        return execute(sql, params, many, context)


@contextmanager
def hurry(people: Iterable[Any], session_keys: Iterable[str]) -> Iterator[None]:
    """What is the same for every visit to a checkpoint is done once.

    Every visit is undone, so the session and the person of a role are the same each time: they are read
    here and copied. Templates are rendered without the copies of their contexts that the test client
    keeps, and where a static file lies is asked once. What the lifecycle has left behind is not looked through
    for garbage again and again.
    """
    get_user, load = AccountBackend.get_user, SessionStore._get_session_from_db
    known = {person.pk: get_user(AccountBackend(), person.pk) for person in people}
    sessions = {key: load(SessionStore(key)) for key in session_keys}

    def known_user(self: AccountBackend, user_id: Any) -> Any:
        return copy.copy(known[user_id]) if user_id in known else get_user(self, user_id)

    def known_session(self: SessionStore) -> Any:
        key = self.session_key
        return sessions[key] if key in sessions else load(self)

    def rendered(self: Template, context: Any) -> Any:
        return self.nodelist.render(context)

    replaced = (
        (AccountBackend, "get_user", known_user),
        (SessionStore, "_get_session_from_db", known_session),
        (Template, "_render", rendered),
        (StaticFilesStorage, "url", lru_cache(maxsize=None)(StaticFilesStorage.url)),
    )
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(20_000, 20, 1000)
    try:
        with ExitStack() as patches:
            for owner, name, new in replaced:
                patches.enter_context(mock.patch.object(owner, name, new))
            yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)


@contextmanager
def undone() -> Iterator[None]:
    """Whatever happens inside has not happened afterwards."""
    mark = transaction.savepoint()
    try:
        yield
    finally:
        connection.needs_rollback = False
        transaction.savepoint_rollback(mark)


def newest_event(method: str) -> int | None:
    """The end of the audit log before a request that may write; reading writes nothing."""
    if method == "GET":
        return None
    with connection.cursor() as cursor:
        cursor.execute(NEWEST)
        return int(cursor.fetchone()[0] or 0)
