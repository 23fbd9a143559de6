"""System checks: the portal does not start without its keys."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured

from .keys import master_key

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


def require_keys() -> None:
    """For servers and workers, which run no system checks: raise ``ImproperlyConfigured`` at start."""
    problems = keys_are_set(None)
    if problems:
        raise ImproperlyConfigured(" ".join(f"({p.id}) {p.msg}" for p in problems))
