"""The provider that the settings name, spoken to by Authlib, and what it said of who signed in."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core.checks import Tags, Warning, register
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from approvals.audit.proof import explained_require
from approvals.audit.verify import stored_end_faults

from ..models import User

log = logging.getLogger(__name__)
SESSION = "oidc"
"""What the session keeps of a sign-in by the provider."""
FRESH_SECONDS = 300
_LEEWAY = 60
_PATIENCE_SECONDS = 10


class NotSignedIn(Exception):
    """The provider did not say who this is, or there is no account that may sign in."""


@dataclass(frozen=True)
class Said:
    """What a checked identity token says."""

    username: str
    second_step: bool
    at: float
    id_token: str
    end_session: str


@register(Tags.security, deploy=True)
def provider_by_https(app_configs: Any = None, **kwargs: Any) -> list[Warning]:
    """Who reads along on the way to the provider could sign in as anybody."""
    if not is_set_up() or settings.DEID_OIDC_ISSUER.startswith("https://"):
        return []
    text = "DEID_OIDC_ISSUER is not reached by https: whoever is on the way can sign in as anybody."
    return [Warning(text, id="accounts.W002")]


def is_set_up() -> bool:
    return bool(settings.DEID_OIDC_ISSUER)


@lru_cache(maxsize=4)
def _client(issuer: str, client_id: str, secret: str, scopes: str) -> Any:
    # Loaded by the first who signs in by it: a portal without a provider never reads it.
    from authlib.integrations.django_client import OAuth

    return OAuth().register(
        "provider",
        client_id=client_id,
        client_secret=secret,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": scopes,
            "code_challenge_method": "S256",
            "default_timeout": _PATIENCE_SECONDS,
        },
    )


def _provider() -> Any:
    return _client(
        settings.DEID_OIDC_ISSUER,
        settings.DEID_OIDC_CLIENT_ID,
        settings.DEID_OIDC_CLIENT_SECRET,
        settings.DEID_OIDC_SCOPES,
    )


def _here(name: str) -> str:
    """An address of the portal as the provider knows it: not by what a request calls itself."""
    return str(settings.DEID_PORTAL_URL).rstrip("/") + reverse(name)


def _faults() -> tuple[type[Exception], ...]:
    """What Authlib, its keys and its connection raise where the provider is away or says something else than it should."""
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    return (AuthlibBaseError, JoseError, RequestException, ValueError, KeyError, RuntimeError)


def lead_there(request: HttpRequest, *, again: bool) -> HttpResponse:
    """To the provider; ``again``: who has a session there is asked for their secrets all the same."""
    more = {"prompt": "login", "max_age": 0} if again else {}
    try:
        answer: HttpResponse = _provider().authorize_redirect(request, _here("accounts:oidc_back"), **more)
    except _faults() as fault:
        log.warning("the OpenID Connect provider cannot be reached: %s", type(fault).__name__)
        raise NotSignedIn from None
    return answer


def said_of(request: HttpRequest, *, not_before: float) -> Said:
    """What the provider says of who comes back: state, nonce, signature, issuer, audience and end are checked by Authlib.

    ``not_before``: when a fresh sign-in was asked for, else 0; a provider that does not say when it was is not believed then.
    """
    try:
        provider = _provider()
        token = provider.authorize_access_token(request)
        claims = token.get("userinfo") or {}
        metadata = provider.load_server_metadata()
        if metadata.get("issuer") != settings.DEID_OIDC_ISSUER:
            raise ValueError("issuer")
    except _faults() as fault:
        log.warning("the OpenID Connect provider's answer was not accepted: %s", type(fault).__name__)
        raise NotSignedIn from None
    at = claims.get("auth_time")
    if not_before and (not isinstance(at, int | float) or at < not_before - _LEEWAY):
        log.warning("the OpenID Connect provider does not say that somebody has just signed in")
        raise NotSignedIn
    username = claims.get(settings.DEID_OIDC_CLAIM)
    if not isinstance(username, str) or not username:
        log.warning("the OpenID Connect provider gives no claim %s", settings.DEID_OIDC_CLAIM)
        raise NotSignedIn
    methods = claims.get("amr")
    known = (
        set(methods) if isinstance(methods, list) and all(isinstance(one, str) for one in methods) else set()
    )
    second = bool(known & set(settings.DEID_OIDC_AMR)) or claims.get("acr") in settings.DEID_OIDC_ACR
    return Said(
        username=username,
        second_step=second,
        at=time.time() if not_before else 0.0,
        id_token=str(token["id_token"]),
        end_session=str(metadata.get("end_session_endpoint") or ""),
    )


def account_of(said: Said) -> User:
    """The account of that user name, where it may sign in: none is made, and no post is given."""
    account = User.objects.filter(username=said.username).first()
    if account is None or not account.is_active or account.access_ended:
        log.warning("who came from the OpenID Connect provider has no account that may sign in")
        raise NotSignedIn
    # As with a password: an account that was written past the portal does not sign in.
    if not stored_end_faults():
        explained_require(None, by=account)
    return account


def session_of(said: Said) -> dict[str, Any]:
    return {
        "second_step": said.second_step,
        "fresh_at": said.at,
        "id_token": said.id_token,
        "end_session": said.end_session,
    }


def came_by_provider(request: HttpRequest) -> bool:
    return SESSION in request.session


def second_step_given(request: HttpRequest) -> bool:
    """Whether the provider says that it has asked for a second step which counts here."""
    return bool(request.session.get(SESSION, {}).get("second_step"))


def is_fresh(request: HttpRequest) -> bool:
    """Whether who came by the provider has given their secrets there just now."""
    return bool(time.time() - request.session.get(SESSION, {}).get("fresh_at", 0.0) < FRESH_SECONDS)


def sign_out_address(kept: dict[str, Any]) -> str:
    """Where the provider ends its own session, given what the portal's session kept; empty where it does not say."""
    address = str(kept.get("end_session", ""))
    if not address or _origin(address) != _origin(settings.DEID_OIDC_ISSUER):
        return ""
    asked = {
        "id_token_hint": kept["id_token"],
        "client_id": settings.DEID_OIDC_CLIENT_ID,
        "post_logout_redirect_uri": _here("accounts:sign_in"),
    }
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"


def _origin(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    return parts.scheme, parts.netloc
