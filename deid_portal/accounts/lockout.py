"""Addresses that fail too often, browsers that are known, and the answer to what is locked, for people and for programs."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from axes.models import AccessFailureLog
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from .clients import client_address, is_claimed, name_digest

log = logging.getLogger(__name__)
KNOWN = "deid_known"
"""The cookie of a browser that somebody signed in with: signed, and of the name a keyed digest."""
_KNOWN_SECONDS = 90 * 86_400


class AddressBackend:
    """Before any password is looked at: an address that has failed too often with whatever names signs nobody in for a while.

    The lock on an account counts tries of one name, and would never notice one password tried with every name. Who is
    signed in already and confirms something is not stopped by what others do at their address. Neither is a browser that the same
    account has signed in with before: colleagues share an address, and behind a proxy that is not named in ``DEID_TRUSTED_PROXIES``
    all people have the proxy's, so that anybody could keep everybody out. Of such a browser the lock on the account alone counts the tries.
    A header cannot stand for the cookie: an ``X-Forwarded-For`` that is not believed lifts no stop, since whoever attacks would send one.
    """

    def authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        if not is_nobody(request) or _is_known(request, credentials):
            return
        if _failures(client_address(request)) < settings.DEID_SIGN_IN_FAILURES:
            return
        if is_claimed(request):
            log.warning(
                "An address is stopped that sends X-Forwarded-For and is not in DEID_TRUSTED_PROXIES: "
                "if it is the portal's proxy, everybody behind it has this one address."
            )
        request.address_is_stopped = True  # type: ignore[attr-defined]
        # The middleware of the locks answers, and their counting leaves the try out.
        request.axes_locked_out = True  # type: ignore[attr-defined]
        raise PermissionDenied


def _failures(address: str) -> int:
    """How often ``address`` failed within the time of a lock: one row each, written by every process, so that none is lost."""
    if not address:
        return 0
    since = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME)
    rows: int = AccessFailureLog.objects.filter(ip_address=address, attempt_time__gt=since).count()
    return rows


def _is_known(request: HttpRequest, credentials: dict[str, Any]) -> bool:
    kept = request.get_signed_cookie(KNOWN, default="", salt=KNOWN, max_age=_KNOWN_SECONDS)
    return constant_time_compare(kept or "", name_digest(request, credentials))


def browser_remember(request: HttpRequest, response: HttpResponse, username: str) -> None:
    """For the next sign-in of the same account with this browser."""
    response.set_signed_cookie(
        KNOWN,
        name_digest(request, {"username": username}),
        salt=KNOWN,
        max_age=_KNOWN_SECONDS,
        path=reverse("accounts:sign_in"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def is_nobody(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is None or not user.is_authenticated


def is_stopped(request: HttpRequest) -> bool:
    return getattr(request, "address_is_stopped", False)


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None
) -> HttpResponse:
    """429 with the time to wait; it never says whether the account exists."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    if request.path.startswith("/api/"):
        reason = _("Too many failed sign-ins. Wait %(minutes)s minutes.") % {"minutes": minutes}
        return JsonResponse({"code": "locked_out", "reason": reason}, status=429)
    context = {"minutes": minutes, "recorded": not is_stopped(request)}
    return render(request, "accounts/locked_out.html", context, status=429)
