"""System checks: the portal does not start without its keys, nor with another master key than its data were written under."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, connection, connections

from approvals.audit.findings import Finding
from approvals.audit.verify import stored_end_faults

from .custody.checks import store_has_its_key, store_is_there
from .custody.routing import VAULT, is_apart
from .keys import master_key

log = logging.getLogger(__name__)
MAKE_ONE = 'python -c "import base64, secrets; print(base64.b64encode(secrets.token_bytes(32)).decode())"'


@register(Tags.security)
def keys_are_set(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """vault.E001 master key missing or malformed; vault.E002 secret key missing."""
    problems: list[CheckMessage] = []
    try:
        master_key()
    except ImproperlyConfigured as error:
        problems.append(Error(str(error), hint=f"Make one with: {MAKE_ONE}", id="vault.E001"))
    try:
        missing = not settings.SECRET_KEY
    except ImproperlyConfigured:
        missing = True
    if missing:
        problems.append(
            Error(
                "DEID_SECRET_KEY is not set; it signs sessions.",
                hint=f"Make one with: {MAKE_ONE}",
                id="vault.E002",
            )
        )
    return problems


@register(Tags.database)
def key_is_the_datas(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """vault.E003: the data were written under another master key. Nothing is said of data that cannot be read yet."""
    try:
        wrong = any(fault.kind == Finding.KEY for fault in stored_end_faults())
    except DatabaseError as error:
        log.info("the master key was not compared with the data (%s)", type(error).__name__)
        wrong = False
    hint = "Start with the key of which you kept a copy. What was written under it opens with no other."
    return [Error(str(Finding.KEY.label), hint=hint, id="vault.E003")] if wrong else []


@register(Tags.security)
def data_are_private(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """vault.W001: others on this machine may read the folder of the data or the database."""
    return [
        Warning(
            f"{path} can be read by others on this machine.", hint=f"chmod go-rwx {path}", id="vault.W001"
        )
        for path in _private_paths()
        if path.exists() and path.stat().st_mode & 0o077
    ]


def _private_paths() -> Iterator[Path]:
    yield Path(settings.VAR_DIR)
    yield Path(settings.DEID_STORE_DIR)
    for one in (connection, *([connections[VAULT]] if is_apart() else [])):
        if one.vendor == "sqlite" and Path(str(one.settings_dict["NAME"])).is_file():
            yield Path(str(one.settings_dict["NAME"]))


def require_keys() -> None:
    """For servers and workers, which run no system checks: raise ``ImproperlyConfigured`` at start, before anything is written."""
    problems = keys_are_set(None) + store_has_its_key(None) or key_is_the_datas(None) + store_is_there(None)
    if problems:
        raise ImproperlyConfigured(" ".join(f"({p.id}) {p.msg}" for p in problems))
