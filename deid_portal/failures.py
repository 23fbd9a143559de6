"""What is answered when a view fails in a way nobody foresaw: never a traceback, and what can be said of the cause."""

from __future__ import annotations

import sys

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _


def database_required() -> None:
    """Raise what the database raises when it does not answer; for pages that would not ask it anything."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def failed(request: HttpRequest) -> HttpResponse:
    """503 while the database does not answer, else 500. Asks the database nothing, so no context processor runs."""
    error = sys.exc_info()[1]
    is_away = isinstance(error, (OperationalError, InterfaceError))
    status = 503 if is_away else 500
    if request.path.startswith("/api/"):
        said = (
            {"code": "unavailable", "reason": _("The database does not answer. Try again in a moment.")}
            if is_away
            else {"code": "failed", "reason": _("The portal could not answer")}
        )
        return JsonResponse(said, status=status)
    return HttpResponse(render_to_string("503.html" if is_away else "500.html"), status=status)
