"""Database triggers below the rules in code, for SQLite and PostgreSQL.

They are put in place after every ``migrate`` and not in a migration, because SQLite rebuilds a table
(and silently drops its triggers) whenever a later migration alters it. Each package registers its own, in its
``triggers.py``; as they speak of tables of several packages, all are lifted together before a migration and put back together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


@dataclass(frozen=True)
class Trigger:
    """Refuse an operation on ``table`` with ``message`` when ``condition`` holds: an ``IntegrityError``.

    ``condition`` is SQL over OLD and NEW that both databases understand. Where rows are never deleted
    on any condition, PostgreSQL's TRUNCATE is refused as well; SQLite has none.
    """

    name: str
    table: str
    events: tuple[str, ...]
    message: str
    condition: str = "TRUE"


_registered: list[Trigger] = []


def register(*triggers: Trigger) -> None:
    """Have the triggers lifted before each migration and put in place after it."""
    _registered.extend(triggers)


def registered() -> tuple[Trigger, ...]:
    """The triggers of all packages."""
    return tuple(_registered)


def lift_registered(using: str, plan: Any = None, **kwargs: Any) -> None:
    """Before a migration that has something to do: no table could be rebuilt under a trigger that speaks of it."""
    if plan:
        lift(*_registered, using=using)


def ensure_registered(using: str, **kwargs: Any) -> None:
    """After a migration."""
    ensure(*_registered, using=using)


def ensure(*triggers: Trigger, using: str = DEFAULT_DB_ALIAS) -> None:
    """(Re)create the triggers; does nothing for a table that is not there yet."""
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for trigger in triggers:
            if trigger.table in tables:
                for statement in _statements(trigger, connection.vendor):
                    cursor.execute(statement)


def lift(*triggers: Trigger, using: str = DEFAULT_DB_ALIAS) -> None:
    """Take the triggers away while migrations run; :func:`ensure` puts them back afterwards.

    SQLite will not rename a rebuilt table while a trigger of another table speaks of it. PostgreSQL alters
    tables in place, so nothing is lifted there.
    """
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for trigger in triggers:
            for event in trigger.events:
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}_{event.lower()}")


def _statements(trigger: Trigger, vendor: str) -> list[str]:
    message = trigger.message.replace("'", "''")
    if vendor == "sqlite":
        result = []
        for event in trigger.events:
            name = f"{trigger.name}_{event.lower()}"
            result += [
                f"DROP TRIGGER IF EXISTS {name}",
                f"CREATE TRIGGER {name} BEFORE {event} ON {trigger.table} WHEN {trigger.condition} "
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END",
            ]
        return result
    message = message.replace("%", "%%")
    events = trigger.events
    if "DELETE" in events and trigger.condition == "TRUE":
        events = (*events, "TRUNCATE")
    result = []
    for event in events:
        name = f"{trigger.name}_{event.lower()}"
        row = {"DELETE": "OLD", "TRUNCATE": "NULL"}.get(event, "NEW")
        each = "STATEMENT" if event == "TRUNCATE" else "ROW"
        result += [
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF {trigger.condition} THEN "
            f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'; END IF; "
            f"RETURN {row}; END $$",
            f"DROP TRIGGER IF EXISTS {name} ON {trigger.table}",
            f"CREATE TRIGGER {name} BEFORE {event} ON {trigger.table} FOR EACH {each} EXECUTE FUNCTION {name}()",
        ]
    return result
