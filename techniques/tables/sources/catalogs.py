"""Tables that a catalogue names: ``hive://DATABASE.TABLE``, ``iceberg://CATALOG/NAMESPACE.TABLE``, ``iceberg:///FILE.metadata.json``.

Which catalogue that is, and who one is there, stands where its own programs look for it, never in an address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal, Self, cast
from urllib.parse import parse_qsl, unquote

from techniques.core.messages import EngineError, _

Kind = Literal["hive", "iceberg"]
KINDS: Final[tuple[Kind, ...]] = ("hive", "iceberg")
_PARTS = re.compile(r"(\w+)://([^/?#]*)(/[^?#]*)?(?:\?([^#]*))?", re.IGNORECASE)


def is_catalogued(text: str) -> bool:
    """Whether a name stands for a table of a catalogue."""
    scheme, sign, _rest = text.partition("://")
    return bool(sign) and scheme.lower() in KINDS


@dataclass(frozen=True)
class Catalogued:
    """A table of a catalogue. ``names`` lead to it, database or namespace first; instead of them ``metadata`` may be a file or folder of
    Iceberg. ``snapshot`` is a number, or the name of a tag or branch."""

    kind: Kind
    catalog: str
    names: tuple[str, ...]
    metadata: str
    snapshot: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """EngineError ``catalog_address``."""
        found = _PARTS.fullmatch(text)
        if found is None:
            raise _unclear()
        kind, host, path = cast(Kind, found[1].lower()), found[2], unquote(found[3] or "")
        query = dict(parse_qsl(found[4] or "", keep_blank_values=True))
        snapshot = query.pop("snapshot", None)
        # An empty one is a variable that has no value, and never the newest.
        if query or "@" in host or snapshot == "" or (kind == "hive" and (path or snapshot)):
            raise _unclear()
        snapshot = snapshot or ""
        if kind == "iceberg" and not host:
            if len(path) < 2:
                raise _unclear()
            return cls(kind, "", (), path, snapshot)
        names = tuple((unquote(host) if kind == "hive" else path.removeprefix("/")).split("."))
        if not all(names) or (len(names) > 2 if kind == "hive" else len(names) < 2):
            raise _unclear()
        return cls(kind, "" if kind == "hive" else host, names, "", snapshot)

    def __str__(self) -> str:
        where = f"{self.catalog}/{'.'.join(self.names)}" if self.catalog else ".".join(self.names)
        said = f"?snapshot={self.snapshot}" if self.snapshot else ""
        return f"{self.kind}://{where or self.metadata}{said}"

    @property
    def name(self) -> str:
        """What the table itself is called."""
        return self.names[-1] if self.names else self.metadata.rstrip("/").rpartition("/")[2].split(".")[0]


def _unclear() -> EngineError:
    text = _(
        "A table of a catalogue is hive://DATABASE.TABLE, iceberg://CATALOG/NAMESPACE.TABLE or iceberg:///FILE.metadata.json; "
        "of Iceberg ?snapshot=NUMBER may follow."
    )
    return EngineError("catalog_address", text)


def missing(address: Catalogued) -> EngineError:
    return EngineError("catalog_table_missing", _("There is no %(address)s."), address=str(address))


def refused(address: Catalogued, reason: str) -> EngineError:
    """``reason`` is the name of a fault: texts of a catalogue may have in them who asked."""
    text = _("%(address)s: the catalogue refused with %(reason)s.")
    return EngineError("catalog_failed", text, address=str(address), reason=reason)


@contextmanager
def refusing(address: Catalogued, known: Callable[[Exception], EngineError | None]) -> Iterator[None]:
    """A fault by its name where ``known`` has no sentence for it: what a catalogue or a store says may have in it who asked."""
    try:
        yield
        return
    except EngineError:
        raise
    except Exception as found:  # noqa: BLE001  each catalogue and store has errors of its own
        error = known(found) or refused(address, type(found).__name__)
    raise error


def not_parquet(address: Catalogued, found: str) -> EngineError:
    text = _("%(address)s is kept as %(found)s: only tables kept as Parquet are read.")
    return EngineError("catalog_form", text, address=str(address), found=found)


def elsewhere(address: Catalogued, scheme: str) -> EngineError:
    text = _(
        "%(address)s lies at %(scheme)s: Spark reads here what all machines see as files under the same path."
    )
    return EngineError("catalog_elsewhere", text, address=str(address), scheme=scheme)


def require_readable_here(address: Catalogued) -> None:
    """EngineError ``catalog_on_spark``."""
    if address.kind == "hive":
        text = _("%(address)s: tables of Hive are read by deid run and deid risk with --engine spark.")
        raise EngineError("catalog_on_spark", text, address=str(address))


def read_only(address: Catalogued) -> EngineError:
    text = _("%(address)s: tables of Hive and Iceberg are read, not written.")
    return EngineError("catalog_read_only", text, address=str(address))
