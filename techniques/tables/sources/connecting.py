"""Which database an address leads to."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from techniques.core.messages import EngineError, _
from techniques.tables.sources.databases import Address, Database


def connected(address: Address) -> Database:
    """The database of an address, reached when it is read or written. EngineError ``extra_missing``."""
    kind = address.kind
    if kind.driver:
        try:
            import_module(kind.driver)
        except ImportError:
            text = _("For this, the engine needs its extra %(extra)s: pip install 'deid[%(extra)s]'.")
            raise EngineError("extra_missing", text, extra=kind.extra) from None
    module, _dot, name = kind.reached_by.partition(".")
    return cast(Database, getattr(import_module(f"techniques.tables.sources.{module}"), name)(address))
