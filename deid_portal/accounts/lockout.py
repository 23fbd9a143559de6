"""The answer to a locked account, for people and for programs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Any = None
) -> HttpResponse:
    """429 with the time to wait; it never says whether the account exists."""
    minutes = round(settings.AXES_COOLOFF_TIME * 60)
    if request.path.startswith("/api/"):
        reason = _("Too many failed sign-ins. Wait %(minutes)s minutes.") % {"minutes": minutes}
        return JsonResponse({"code": "locked_out", "reason": reason}, status=429)
    return render(request, "accounts/locked_out.html", {"minutes": minutes}, status=429)
