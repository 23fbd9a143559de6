"""Files of object stores: ``s3://bucket/key``, through fsspec, which reaches each store by a driver of its own.

Objects are fetched whole before they are read and sent whole when the command has done its work; a store shows an object only
once all of it has come. Who one is, a store is told as its own programs are: by the environment or by files, never by an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

from techniques.core.messages import EngineError, _
from techniques.tables.sources.databases import is_address
from techniques.tables.sources.parts import root_of

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True)
class Store:
    """A kind of store: the module that reaches it, what brings that, and what it is told where an object is sent."""

    driver: str
    requirement: str
    sending: dict[str, Any] = field(default_factory=dict)


STORES: Final = {
    # So many pieces of 50 MB lie in memory at once.
    "s3": Store("s3fs", "'deid[s3]'", {"max_concurrency": 2}),
    "gs": Store("gcsfs", "'deid[gs]'"),
    "abfs": Store("adlfs", "adlfs"),
    "memory": Store("fsspec", "'deid[s3]'"),
}


def local(text: str) -> str:
    """The path of a ``file://`` address; any other name as it is."""
    parts = urlsplit(text) if text[:7].lower() == "file://" else None
    return url2pathname(parts.path) if parts and parts.netloc in ("", "localhost") else text


def has_scheme(text: str) -> bool:
    """Whether a name is an address of whatever kind, not the name of a file."""
    return bool(_ADDRESS.match(text))


def is_object(text: str) -> bool:
    """Whether a name stands for objects of a store. EngineError ``store_unknown`` for other addresses that are no database's."""
    found = _ADDRESS.match(text)
    if not found or is_address(text):
        return False
    scheme = found[0][:-3].lower()
    # Two colons would lead fsspec on to another place.
    if scheme not in STORES or "::" in text:
        known = ", ".join(f"{one}://" for one in STORES)
        reason = _("%(scheme)s:// is no place for tables; object stores are %(known)s.")
        raise EngineError("store_unknown", reason, scheme=scheme, known=known)
    return True


class Objects:
    """What lies at an address of a store. EngineError ``store_driver_missing``."""

    def __init__(self, address: str) -> None:
        scheme = address.partition("://")[0]
        self._store, self._address = STORES[scheme.lower()], address
        try:
            import_module(self._store.driver)
            fsspec = import_module("fsspec")
        except ImportError:
            reason = _("For %(scheme)s:// more is needed: pip install %(requirement)s.")
            raise EngineError(
                "store_driver_missing", reason, scheme=scheme, requirement=self._store.requirement
            ) from None
        with self._said():
            # Others may have changed what lies there since this process looked.
            self._files, name = fsspec.url_to_fs(address, use_listings_cache=False)
        self.scheme = scheme.lower()
        self.name = str(name)
        """The name of the one object at the address, from the store's root on."""

    @contextmanager
    def _said(self) -> Iterator[None]:
        """A fault by its name: drivers have errors of their own, and texts with what a request held."""
        reason = ""
        try:
            yield
            return
        except EngineError:
            raise
        except FileNotFoundError:
            pass
        except Exception as found:  # noqa: BLE001  see above
            reason = type(found).__name__
        if reason:
            text = _("%(address)s: the object store refused with %(reason)s.")
            raise EngineError("store_failed", text, address=self._address, reason=reason)
        raise EngineError("store_missing", _("There is nothing at %(address)s."), address=self._address)

    def names(self) -> list[str]:
        """The one object at the address, else those under a folder or of a pattern. EngineError ``store_missing``."""
        with self._said():
            if self._files.isfile(self.name):
                return [self.name]
            look = self._files.glob if self._is_pattern else self._files.find
            found = look(self.name, detail=True)
            # Some programs keep empty objects for folders.
            names = [name for name, one in found.items() if one["type"] == "file" and not name.endswith("/")]
            if not names:
                raise FileNotFoundError
        return names

    @property
    def _is_pattern(self) -> bool:
        return any(sign in self.name for sign in "*?[")

    @property
    def root(self) -> Path:
        """The folder in which :meth:`names` lie, where they are several."""
        return root_of(self.name) if self._is_pattern else Path(self.name)

    def fetch(self, name: str, target: Path) -> None:
        with self._said():
            self._files.get_file(name, str(target))

    def send(self, source: Path) -> None:
        """Put a file in the place of the address. EngineError ``store_failed``."""
        with self._said():
            self._files.put_file(str(source), self.name, **self._store.sending)
