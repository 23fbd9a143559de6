"""Which database an address leads to."""

from __future__ import annotations

from importlib import import_module

from techniques.core.messages import EngineError, _
from techniques.tables.sources.databases import Address, Database
from techniques.tables.sources.sqlite import Sqlite


def connected(address: Address) -> Database:
    """The database of an address, reached when it is read or written. EngineError ``extra_missing``."""
    if address.kind == "sqlite":
        return Sqlite(address)
    try:
        import_module("psycopg")
    except ImportError:
        text = _("For this, the engine needs its extra %(extra)s: pip install 'deid[%(extra)s]'.")
        raise EngineError("extra_missing", text, extra="postgres") from None
    from techniques.tables.sources.postgres import Postgres

    return Postgres(address)
