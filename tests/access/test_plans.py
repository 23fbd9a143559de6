"""No list, search or board reads the whole audit log or all projects row by row: the database's own plan of each statement says so.

With ten thousand projects and a million rows of the log such a look takes longer than anybody waits (``python -m benchmarks.many``).
What is held here is the plan, not the time: SQLite takes the same way however few rows there are. A look through an index passes, and the
filter by a part of a project's title or number is left out: it reads ten thousand short rows.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the plans of SQLite are read"),
]
GREAT = {"audit_auditevent", "core_project"}
LISTS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("get", "core:home", {}),
    ("get", "core:projects", {}),
    ("get", "core:projects", {"mine": "on"}),
    ("get", "core:notifications", {}),
    ("get", "board:page", {}),
    ("get", "board:register", {}),
    ("get", "finding_board:page", {}),
    ("post", "search:page", {"query": "Visits"}),
    ("post", "search:page", {"query": "2026"}),
    ("get", "api:project-list", {}),
    ("get", "api:task-list", {}),
    ("get", "api:notification-list", {}),
    ("get", "api:board", {}),
)
LOG: tuple[tuple[str, str, dict[str, Any]], ...] = tuple(
    ("get", address, {name: value for name, value in said.items() if value})
    for address in ("audit:log", "api:audit-event-list")
    for said in (
        {},
        {"person": "Planner"},
        {"action": "project.created"},
        {"since": "2026-01-01"},
        {"until": "2099-01-01"},
        {"since": "2026-01-01", "until": "2099-01-01"},
        {"action": "project.created", "until": "2099-01-01"},
    )
)


def statements_of(client: Client, method: str, address: str, sent: dict[str, Any]) -> list[tuple[str, Any]]:
    heard: list[tuple[str, Any]] = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        heard.append((sql, params))
        return execute(sql, params, many, context)

    cache.clear()
    with connection.execute_wrapper(listen):
        response = getattr(client, method)(reverse(address), sent)
    assert response.status_code == 200, (address, sent, response.status_code)
    return [(sql, params) for sql, params in heard if sql.startswith("SELECT")]


def looked_through(sql: str, params: Any) -> list[str]:
    """The steps of the plan that read a great table from its beginning to its end, row by row."""
    named = {alias: table for table, alias in re.findall(r'"(\w+)" ((?:[A-Z]\d+)\b)', sql)}
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        steps = [str(row[-1]) for row in cursor.fetchall()]
    return [
        step
        for step in steps
        if (found := re.match(r"SCAN (\w+)(?! USING)$", step)) and named.get(found[1], found[1]) in GREAT
    ]


@pytest.mark.parametrize("who", ["planner", "supervisor", "management", "auditor"])
def test_no_list_looks_through_all(people: Any, project: Any, who: str) -> None:
    client = Client()
    client.force_login(getattr(people, who), backend="deid_portal.accounts.backends.AccountBackend")
    found = [
        f"{address} {sent}: {step}\n    {sql[:400]}"
        for method, address, sent in LISTS + (LOG if who == "auditor" else ())
        for sql, params in statements_of(client, method, address, sent)
        for step in looked_through(sql, params)
    ]
    assert not found, "\n".join(found)


def test_a_whole_look_is_noticed() -> None:
    """Of what no index answers; else the test above would hold whatever the plans were."""
    asked = 'SELECT U0."seq" FROM "audit_auditevent" U0 WHERE U0."reason" = %s'
    assert looked_through(asked, ["x"]) == ["SCAN U0"]
    assert looked_through(
        'SELECT "core_project"."id" FROM "core_project" WHERE "core_project"."summary" = %s', ["x"]
    )
