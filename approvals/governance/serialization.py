"""One governed act at a time, on PostgreSQL as on SQLite.

An act reads (is there one already? which number is next? may she still?), then writes, and at its end
locks the end of the audit chain, which all acts share. If acts ran side by side, two could both find
"none yet", and one that holds a row and waits for the chain could wait for one that holds the chain
and waits for the row. So an act takes its turn first and locks rows afterwards. SQLite does the same by
taking its only write lock when a transaction begins. Acts are short: what takes long is done in
jobs, outside of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DEFAULT_DB_ALIAS, connections, transaction

from approvals.request_cache import close_cache

# The key of PostgreSQL's advisory lock, "deid" in ASCII: any number that all processes of the portal share.
LOCK_KEY = 0x64656964


def serialize(using: str = DEFAULT_DB_ALIAS) -> None:
    """Wait for this transaction's turn; it lasts until the transaction ends. Taking it twice does no harm."""
    connection = connections[using]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_KEY])


@contextmanager
def governed_act() -> Iterator[None]:
    """A transaction that locks rows before its first :func:`approvals.audit.recording.recording` opens.

    What was read before its turn may have changed while waiting, and is forgotten.
    """
    close_cache()
    with transaction.atomic():
        serialize()
        yield
