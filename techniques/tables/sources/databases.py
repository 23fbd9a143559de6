"""Tables of SQL databases: ``postgresql://user@host/base?table=schema.name`` and ``sqlite:///file.db?table=name``.

They are read as one transaction sees them, batch by batch, and written in one transaction: whole, or not at all. What a
message, report or log says of an address has neither user nor password in it, and nothing of what a driver said of a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol, Self
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    import pyarrow as pa

Mode = Literal["create", "append", "replace"]
MODES: Final[tuple[Mode, ...]] = ("create", "append", "replace")
ROWS: Final = 16_384
_ADDRESS = re.compile(r"(?:postgres(?:ql)?|sqlite)://", re.IGNORECASE)
_USER = re.compile(r"(\w+://)\S*@")
_SECRET = re.compile(r"(?i)((?:password|passfile|sslpassword|sslkey|user)=)[^&\s'\"]*")
Rows = tuple["pa.Schema", Iterator["pa.RecordBatch"]]


def is_address(text: str) -> bool:
    """Whether a name stands for a table of a database."""
    return bool(_ADDRESS.match(text))


def without_secrets(text: str) -> str:
    """A text without the users and passwords of addresses in it."""
    return _SECRET.sub(r"\1***", _USER.sub(r"\1***@", text))


@dataclass(frozen=True)
class Address:
    """A table of a database. ``base`` is what the driver is given, a secret; ``str()`` is what may be shown."""

    kind: Literal["postgresql", "sqlite"]
    base: str = field(repr=False)
    shown: str
    table: tuple[str, ...]
    mode: Mode

    @classmethod
    def parse(cls, text: str) -> Self:
        """EngineError ``database_address``."""
        try:
            parts = urlsplit(text)
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            host, path = f"{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}", parts.path
        except ValueError:
            raise _unclear() from None
        table, mode = query.pop("table", ""), query.pop("mode", "create")
        names = tuple(table.split("."))
        sqlite = parts.scheme.lower() == "sqlite"
        if not all(names) or len(names) > (1 if sqlite else 2) or mode not in MODES or len(path) < 2:
            raise _unclear()
        shown = f"{parts.scheme}://{host}{path}?table={table}"
        if sqlite:
            # As others write it: three slashes before a path from here, four before one from the root.
            return cls("sqlite", unquote(path[1:]), shown, names, mode)
        base = f"postgresql://{parts.netloc}{path}" + (
            f"?{urlencode(query, quote_via=quote)}" if query else ""
        )
        return cls("postgresql", base, shown, names, mode)

    def __str__(self) -> str:
        return self.shown

    @property
    def same(self) -> tuple[str, ...]:
        """What two addresses of one table have in common."""
        return (self.kind, self.base, *self.table)


def _unclear() -> EngineError:
    text = _(
        "The address of a database is postgresql://USER@HOST/BASE?table=SCHEMA.TABLE or sqlite:///FILE?table=TABLE; for a "
        "result &mode=append or &mode=replace may follow."
    )
    return EngineError("database_address", text)


class Database(Protocol):
    """What a kind of database can do; each call raises EngineError."""

    def rows(self) -> AbstractContextManager[Rows]:
        """The table as it is now."""

    def require_writable(self) -> None:
        """Nothing where the table can be written as the address wants it."""

    def write(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        """Write the table in a transaction that stays open."""

    def commit(self) -> None:
        """Let the others see it."""

    def close(self) -> None:
        """Take back what was not committed. Harmless when repeated."""


def exists_already(address: Address) -> EngineError:
    text = _(
        "%(address)s exists already: name another table, or add &mode=append or &mode=replace to the address."
    )
    return EngineError("database_table_exists", text, address=str(address))


def missing(address: Address) -> EngineError:
    return EngineError("database_table_missing", _("There is no %(address)s."), address=str(address))


def failed(address: Address, reason: str) -> EngineError:
    """``reason`` is the name of a fault, never what a driver says of a row."""
    text = _("%(address)s: the database refused with %(reason)s. Nothing was written.")
    return EngineError("database_failed", text, address=str(address), reason=reason)


def quoted(names: Iterable[str]) -> str:
    """A name as SQL has it."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)
