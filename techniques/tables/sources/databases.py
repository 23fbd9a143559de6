"""Tables of SQL databases: ``postgresql://user@host/base?table=schema.name``, ``duckdb:///file.db?table=name`` and so on.

They are read as one transaction sees them, batch by batch, and written whole, or not at all. What a message, report or log
says of an address has neither user nor password in it, and nothing of what a driver said of a row. What differs between
kinds of databases stands in their rows of ``KINDS`` and in their modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, Self
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    import pyarrow as pa

Mode = Literal["create", "append", "replace"]
MODES: Final[tuple[Mode, ...]] = ("create", "append", "replace")
ROWS: Final = 16_384
_USER = re.compile(r"(\w+://)\S*@")
_SECRET = re.compile(r"(?i)((?:password|passfile|sslpassword|sslkey|ssl_key|user)=)[^&\s'\"]*")
Rows = tuple["pa.Schema", Iterator["pa.RecordBatch"]]


@dataclass(frozen=True)
class Kind:
    """A kind of database: how its addresses begin, and the class of a module beside this one that reaches it.

    ``names`` is of how many parts the name of a table may be; ``extra`` brings the ``driver``. A kind that is ``embedded`` is a
    file of this machine.
    """

    schemes: tuple[str, ...]
    reached_by: str
    names: int = 2
    embedded: bool = False
    extra: str = ""
    driver: str = ""

    @property
    def name(self) -> str:
        return self.schemes[0]


KINDS: Final = (
    Kind(("postgresql", "postgres"), "postgres.Postgres", extra="postgres", driver="psycopg"),
    Kind(("mysql", "mariadb"), "mysql.Mysql", extra="mysql", driver="pymysql"),
    Kind(("sqlite",), "sqlite.Sqlite", names=1, embedded=True),
    Kind(("duckdb",), "duck.Duck", embedded=True, extra="duckdb", driver="duckdb"),
)
_BY_SCHEME: Final = {scheme: kind for kind in KINDS for scheme in kind.schemes}


def is_address(text: str) -> bool:
    """Whether a name stands for a table of a database."""
    scheme, sign, _rest = text.partition("://")
    return bool(sign) and scheme.lower() in _BY_SCHEME


def without_secrets(text: str) -> str:
    """A text without the users and passwords of addresses in it."""
    return _SECRET.sub(r"\1***", _USER.sub(r"\1***@", text))


@dataclass(frozen=True)
class Address:
    """A table of a database. ``base`` is what the driver is given, a secret; ``str()`` is what may be shown."""

    kind: Kind
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
        kind = _BY_SCHEME[parts.scheme.lower()]
        if not all(names) or len(names) > kind.names or mode not in MODES or len(path) < 2:
            raise _unclear()
        shown = f"{parts.scheme}://{host}{path}?table={table}"
        if kind.embedded:
            # As others write it: three slashes before a path from here, four before one from the root.
            return cls(kind, unquote(path[1:]), shown, names, mode)
        base = f"{kind.name}://{parts.netloc}{path}" + (
            f"?{urlencode(query, quote_via=quote)}" if query else ""
        )
        return cls(kind, base, shown, names, mode)

    def __str__(self) -> str:
        return self.shown

    @property
    def same(self) -> tuple[str, ...]:
        """What two addresses of one table have in common."""
        return (self.kind.name, self.base, *self.table)


def _unclear() -> EngineError:
    text = _(
        "The address of a database is postgresql://USER@HOST/BASE?table=SCHEMA.TABLE, with mysql:// the same way, or "
        "sqlite:///FILE?table=TABLE, with duckdb:// the same way; for a result &mode=append or &mode=replace may follow."
    )
    return EngineError("database_address", text)


class Database(Protocol):
    """What a kind of database can do; each call raises EngineError."""

    def rows(self) -> AbstractContextManager[Rows]:
        """The table as it is now."""

    def require_writable(self) -> None:
        """Nothing where the table can be written as the address wants it."""

    def write(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
        """Write the table so that nobody sees it yet."""

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


def require_folder(file: Path) -> None:
    """Nothing where the file of an embedded database can be made. EngineError ``output_folder_missing``."""
    if not file.resolve().parent.is_dir():
        text = _("The folder of %(path)s does not exist: make it first.")
        raise EngineError("output_folder_missing", text, path=str(file))


def quoted(names: Iterable[str]) -> str:
    """A name as SQL has it."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)
