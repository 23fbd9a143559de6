"""Strangers who knock again and again: an answer stands as long as the database gives what it was made of.

For who has no part in the project most addresses are hidden at every checkpoint, by the same statements with the same rows, and
some pages stay what they are. Such a request is sent anew as soon as one of its rows is another one, as something else is expected,
or, where the expectation depends on it, as the project is in another state; otherwise its statements alone are, in a tenth of the
time. The answer is then judged again by what is expected now, and looked through for the project again, as that has grown.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.sessions.models import Session
from django.db import connection

from deid_portal.accounts.models import User

from .answers import judge
from .roles import RECIPIENT, STRANGERS, TESTER
from .visits import Knock, Visit

Row = tuple[Any, ...]
# Which transaction is open says nothing of what is read.
_POINTS = ("SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK TO SAVEPOINT")


def _rows(sql: str, params: Any) -> list[Row]:
    """What ``sql`` gives now, past all who listen to statements."""
    with closing(connection.create_cursor()) as cursor:
        return list(cursor.execute(sql, params))


class Reads:
    """Notes each SELECT with its rows; ``alone`` until another statement is sent."""

    def __init__(self) -> None:
        self.made: list[tuple[str, Any, list[Row]]] = []
        self.alone = True

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SELECT"):
            self.made.append((sql, params, _rows(sql, params)))
        elif not sql.startswith(_POINTS):
            self.alone = False
        return execute(sql, params, many, context)


@dataclass(frozen=True)
class Answer:
    """What somebody was told, without a fault, and the rows that it was made of."""

    visit: Visit
    status_code: int
    headers: dict[str, str]
    body: str
    reads: list[tuple[str, Any, list[Row]]]

    def holds(self) -> bool:
        return all(_rows(sql, params) == rows for sql, params, rows in self.reads)

    def at(self, checkpoint: str, knock: Knock) -> Visit:
        """The same visit at another checkpoint, judged anew; what its body names is still to be looked for there."""
        problem = judge(knock.expected, knock.rule, self, self.body)
        faults = [("status", problem)] if problem else []
        return replace(self.visit, checkpoint=checkpoint, expected=knock.expected, faults=faults)


def is_repeated(knock: Knock) -> bool:
    """Whether somebody without a part in the project reads, is refused, or is told that something is not there."""
    reads = knock.method == "GET" and knock.expected == "permitted"
    return (
        knock.role in STRANGERS | RECIPIENT | TESTER
        and knock.way == "session"
        and (reads or knock.expected in ("hidden", "refused"))
    )


def request_of(
    knock: Knock, url: str, data: str, who: Mapping[str, str], state: str | None
) -> tuple[Hashable, ...]:
    """All that the portal is given with it, the account and the session as they are stored among it, and what is expected of the
    answer: by which rule, and in which ``state`` of the project, None where that makes no difference."""
    return knock.method, url, knock.role, id(knock.rule), knock.expected, state, data, who[knock.role]


def stored_of(cookies: Mapping[str, Any], session_cookie: str) -> dict[str, str]:
    """Account and session of each role, as they are in the database."""
    accounts = {row["username"]: row for row in User.objects.values()}
    sessions = {row["session_key"]: row for row in Session.objects.values()}
    return {
        role: f"{accounts.get(role)} {sessions.get(jar[session_cookie].value) if session_cookie in jar else None}"
        for role, jar in cookies.items()
    }
