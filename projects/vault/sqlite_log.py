"""What is destroyed leaves SQLite's write-ahead log too; PostgreSQL's is the operator's (archives, backups)."""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS, connections


def log_empty(using: str = DEFAULT_DB_ALIAS) -> None:
    """Write SQLite's log into its file and cut it to nothing; does nothing within a transaction."""
    connection = connections[using]
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
