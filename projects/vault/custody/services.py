"""The only writer of the store of the keys. What is done here is committed here at once: a key lies in the store before a row of
the portal speaks of it, and leaves it after the portal's row says that it is destroyed."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from django.db import Error, transaction

from approvals.governance.person import Person
from techniques.core.messages import EngineError, gettext_noop

from ..sqlite_log import log_empty
from .models import Act, KeptKey, KeyAccess
from .routing import VAULT
from .sealing import key_seal, key_unseal


class Keyed(Protocol):
    """The portal's row of a key."""

    pk: Any
    purpose: str
    project: Any
    apart: bool

    @property
    def context(self) -> str: ...


def key_keep(row: Keyed, key: bytes, *, by: Person | None) -> None:
    """Put the 32 bytes of ``key`` into the store, under the number of ``row``, in the place of what a step that broke off has left
    there: as long as the portal's row does not say that its bytes lie here, nothing else reads them."""
    with _store():
        if KeptKey.objects.filter(pk=row.pk).delete()[0]:
            _note(Act.FORGOTTEN, row, by)
        KeptKey.objects.create(pk=row.pk, sealed=key_seal(key, row.context))
        _note(Act.KEPT, row, by)


def key_open(row: Keyed, *, by: Person | None) -> bytes:
    """The 32 bytes. EngineError ``vault.missing`` where the store has none, ``vault.unreachable`` where it does not answer."""
    with _store():
        kept = KeptKey.objects.filter(pk=row.pk).first()
        if kept is None:
            raise _missing(row)
        _note(Act.OPENED, row, by)
    return key_unseal(bytes(kept.sealed), row.context)


def key_forget(row: Keyed, *, by: Person | None) -> None:
    """Remove the bytes for good; nothing where this store has removed them before.

    EngineError ``vault.missing`` where the row says that they lie here and the store knows nothing of them: it is another store, or an
    older state of it, and nobody may say that they are gone.
    """
    with _store():
        gone, _each = KeptKey.objects.filter(pk=row.pk).delete()
        if gone:
            _note(Act.FORGOTTEN, row, by)
        elif row.apart:
            last = KeyAccess.objects.filter(key=row.pk).last()
            if last is None or last.act != Act.FORGOTTEN:
                raise _missing(row)
    log_empty(VAULT)


def keys_kept() -> set[uuid.UUID]:
    """The numbers of all keys that lie in the store."""
    with _store():
        return set(KeptKey.objects.values_list("pk", flat=True))


def _missing(row: Keyed) -> EngineError:
    text = gettext_noop("The store of the keys has no key with the number %(number)s.")
    return EngineError("vault.missing", text, number=str(row.pk))


def _note(act: Act, row: Keyed, by: Person | None) -> None:
    KeyAccess.objects.create(
        act=act,
        key=row.pk,
        project=row.project.number,
        purpose=row.purpose,
        person="" if by is None else by.username,
    )


@contextmanager
def _store() -> Iterator[None]:
    """One transaction of the store."""
    try:
        with transaction.atomic(using=VAULT):
            yield
    except Error:
        text = gettext_noop(
            "The store of the keys does not answer, or refuses this. Nothing was done; tell the administrator."
        )
        raise EngineError("vault.unreachable", text) from None
