"""Addresses that fail too often, and the answer to what is locked, for people and for programs."""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.core.cache import caches
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from .clients import client_address


def _failures(request: HttpRequest) -> tuple[str, float]:
    """Where all processes count the failures of this address, and the seconds until they count anew."""
    length = settings.AXES_COOLOFF_TIME * 3600
    number, gone = divmod(time.time(), length)
    return f"sign-in-failures:{client_address(request)}:{number:.0f}", length - gone


class AddressBackend:
    """Before any password is looked at: an address that has failed too often with whatever names signs nobody in for a while.

    The lock on an account counts tries of one name, and would never notice one password tried with every name. Who is
    signed in already and confirms something is not stopped by what others at their address do.
    """

    def authenticate(self, request: HttpRequest, **_credentials: Any) -> None:
        key, _seconds = _failures(request)
        if is_nobody(request) and caches["throttles"].get(key, 0) >= settings.DEID_SIGN_IN_FAILURES:
            request.address_is_stopped = True  # type: ignore[attr-defined]
            # The middleware of the locks answers.
            request.axes_locked_out = True  # type: ignore[attr-defined]
            raise PermissionDenied


def is_nobody(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return user is None or not user.is_authenticated


def is_stopped(request: HttpRequest) -> bool:
    return getattr(request, "address_is_stopped", False)


@receiver(user_login_failed, dispatch_uid="address-failed")
def _failed(sender: Any, request: HttpRequest | None = None, **_more: Any) -> None:
    """Tries of an address that is stopped do not stop it for longer: colleagues may share it."""
    if request is None or is_stopped(request) or not is_nobody(request):
        return
    key, seconds = _failures(request)
    counts = caches["throttles"]
    if not counts.add(key, 1, seconds):
        counts.incr(key)


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
