"""How a refusal or a bad input looks to a program: ``{"code", "reason", "missing"?}``, never a traceback."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DataError
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.response import Response
from rest_framework.views import exception_handler as default_handler

from approvals.governance.verdict import Refused
from projects.datasets.upload.uploading import STATUS_OF
from techniques.core.messages import EngineError, filled, gettext_noop

# PostgreSQL refuses such a value where SQLite keeps it; the transaction is undone, nothing was written.
UNSTORABLE = gettext_noop(
    "The database cannot hold what was sent: a text is too long, a number is too large, or there is a sign "
    "in it that no text may have."
)
# What the database says, what SQLite's driver says of a number above 2^63, and of half a surrogate pair in a text.
UNSTORABLE_ERRORS = (DataError, OverflowError, UnicodeEncodeError)


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response | None:
    """Refused → 403 with the typed reason; EngineError → 422; hidden object → 404; what the
    database cannot hold → 422; the rest as DRF does."""
    if isinstance(exc, Refused):
        body: dict[str, Any] = {"code": exc.verdict.code, "reason": exc.verdict.text}
        if exc.verdict.missing:
            body["missing"] = [str(text) for text in exc.verdict.missing]
        return Response(body, status=status.HTTP_403_FORBIDDEN)
    if isinstance(exc, EngineError):
        reason = filled(_(exc.message), exc.params) if exc.params else _(exc.message)
        return Response({"code": exc.code, "reason": reason}, status=STATUS_OF.get(exc.code, 422))
    if isinstance(exc, ObjectDoesNotExist):
        return Response({"code": "not_found", "reason": _("Not found.")}, status=status.HTTP_404_NOT_FOUND)
    if isinstance(exc, ValidationError):
        return Response(
            {"code": "invalid", "errors": exc.message_dict if hasattr(exc, "error_dict") else exc.messages},
            status=status.HTTP_400_BAD_REQUEST,
        )
    if isinstance(exc, UNSTORABLE_ERRORS):
        return Response(
            {"code": "unstorable", "reason": _(UNSTORABLE)}, status=status.HTTP_422_UNPROCESSABLE_ENTITY
        )
    return default_handler(exc, context)
