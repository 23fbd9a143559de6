"""Whether the portal can tell who asks, where it stands behind a proxy."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register


@register(Tags.security)
def proxies_are_named(app_configs: Any, **_kwargs: Any) -> list[CheckMessage]:
    """accounts.W001: behind a proxy of which no address is known, all people have one address."""
    if settings.SECURE_PROXY_SSL_HEADER is None or settings.DEID_TRUSTED_PROXIES:
        return []
    return [
        Warning(
            "DEID_BEHIND_PROXY is set and DEID_TRUSTED_PROXIES is not: everybody has the proxy's address, "
            "so that failed sign-ins of one stop others.",
            hint="Set DEID_TRUSTED_PROXIES to the network of the proxy, as 10.0.0.5/32.",
            id="accounts.W001",
        )
    ]
