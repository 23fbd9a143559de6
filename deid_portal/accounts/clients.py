"""Whose request it is, for locks and throttles: neither an address that the client claims nor a name in clear."""

from __future__ import annotations

import hashlib
import hmac
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, ScopedRateThrottle, UserRateThrottle

from projects.workflow.posts import AppointedPost


def client_address(request: HttpRequest | Request) -> str:
    """The address that speaks to this portal, or to the outermost of the proxies that are its own.

    ``X-Forwarded-For`` is what anybody writes; only what a proxy in ``DEID_TRUSTED_PROXIES`` has appended counts.
    """
    address = str(request.META.get("REMOTE_ADDR") or "")
    for claimed in reversed(str(request.META.get("HTTP_X_FORWARDED_FOR") or "").split(",")):
        if not _is_trusted(address) or not _is_address(claimed.strip()):
            break
        address = claimed.strip()
    return address


def is_claimed(request: HttpRequest) -> bool:
    """Whether somebody who is not believed says whose request it is: a client, or a proxy that was not named."""
    address = str(request.META.get("REMOTE_ADDR") or "")
    return "HTTP_X_FORWARDED_FOR" in request.META and not _is_trusted(address)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _is_trusted(address: str) -> bool:
    return _is_address(address) and any(
        ip_address(address) in network for network in settings.DEID_TRUSTED_PROXIES
    )


def name_digest(request: Any, credentials: dict[str, Any] | None) -> str:
    """What the tables about failed sign-ins keep of a user name: what was typed there may be a password."""
    name = str((credentials or {}).get("username") or "")
    return hmac.digest(
        settings.SECRET_KEY.encode(), hashlib.sha256(name.encode("utf-8", "replace")).digest(), "sha256"
    ).hex()


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


@register(Tags.security)
def posts_are_known(app_configs: Any, **_kwargs: Any) -> list[CheckMessage]:
    """accounts.E001: a post with a slip of the pen would be demanded a second step of nobody."""
    unknown = sorted(set(settings.DEID_SECOND_STEP_POSTS) - set(AppointedPost.values))
    if not unknown:
        return []
    text = f"DEID_SECOND_STEP_POSTS names what is no post: {', '.join(unknown)}."
    return [Error(text, hint=f"Posts are {', '.join(AppointedPost.values)}.", id="accounts.E001")]


class PersonThrottle(UserRateThrottle):
    """How fast one person's programs ask; counted in each process, for it protects nothing but its time."""

    def get_ident(self, request: Request) -> str:
        return client_address(request)


class AnonymousThrottle(AnonRateThrottle):
    """Requests of nobody, counted over all processes."""

    cache = caches["throttles"]

    def get_ident(self, request: Request) -> str:
        return client_address(request)


class SignInThrottle(ScopedRateThrottle):
    """Tries to sign in through the API, counted over all processes."""

    cache = caches["throttles"]

    def get_ident(self, request: Request) -> str:
        return client_address(request)
