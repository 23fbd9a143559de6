"""What the addresses of the API share: lists in portions, what was sent, and JSON no deeper than the machine can follow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.views.generic import View
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import parsers
from rest_framework.exceptions import ParseError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

PORTION = [OpenApiParameter("limit", OpenApiTypes.INT), OpenApiParameter("offset", OpenApiTypes.INT)]


class Portions(LimitOffsetPagination):
    """``?limit=`` and ``?offset=``. A larger limit means 1,000: an answer is built in the web process's memory."""

    max_limit = 1000


def portion(request: Request, found: Any, serializer: Any) -> Response:
    """One portion of ``found``, a query or a list, each row as ``serializer`` writes it."""
    portions = Portions()
    rows: Any = portions.paginate_queryset(found, request)
    return portions.get_paginated_response(serializer(rows, many=True).data)


def given(serializer: Serializer[Any]) -> dict[str, Any]:
    """What the caller sent, as ``serializer`` reads it; 400 where it does not fit."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class JSONParser(parsers.JSONParser):
    """JSON as DRF reads it; a value thousands of levels deep, or half a surrogate pair in a text or a name, which no answer
    could repeat, is a bad request (400), not a fault of the server."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            found = super().parse(stream, media_type, parser_context)
            json.dumps(found, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply. Send it with fewer levels.")) from None
        except UnicodeEncodeError:
            raise ParseError(
                _("The JSON holds half of a character that is written as a pair. Send the whole pair.")
            ) from None
        return found


class OpenedOnRecord:
    """Beside ``APIView``: an address whose GET opens something and records it. Asking for the head alone opens nothing, so it is answered
    with 405; else it would be in the log as an opening, and use up an approval."""

    http_method_names: Sequence[str] = tuple(name for name in View.http_method_names if name != "head")
