"""Values in, values as the caller may see them out."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from techniques.core.kinds import Identifier

from . import selectors, services

MOST_VALUES = 1000
LONGEST = 10_000
_KINDS = frozenset(kind.value for kind in Identifier)
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


class ValueSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[(kind.value, kind.name) for kind in Identifier])
    value = serializers.CharField(
        allow_null=True, allow_blank=True, max_length=LONGEST, trim_whitespace=False
    )


class MaskRequestSerializer(serializers.Serializer[Any]):
    values = ValueSerializer(many=True, allow_empty=False, max_length=MOST_VALUES)  # type: ignore[call-arg]


class MaskAnswerSerializer(serializers.Serializer[Any]):
    policy = serializers.CharField()
    version = serializers.IntegerField()
    masked = serializers.ListField(
        child=serializers.CharField(allow_null=True),
        help_text="In the order of the values; “***” where nothing may be shown.",
    )


def values_read(data: Any) -> list[tuple[str, str | None]]:
    """The (kind, value) of a body; ``ValidationError`` says what is wrong with it.

    A serializer takes longer over a hundred values than their masking does. So a body that needs no interpretation
    is read as it is, and only another one by the serializer, which has the last word on what is accepted.
    """
    sent = data.get("values") if type(data) is dict else None
    if type(sent) is list and 0 < len(sent) <= MOST_VALUES:
        found: list[Any] = [(one.get("kind"), one.get("value", 0)) for one in sent if type(one) is dict]
        if len(found) == len(sent) and all(
            type(kind) is str
            and kind in _KINDS
            and (
                value is None
                or (type(value) is str and len(value) <= LONGEST and not _FORBIDDEN.search(value))
            )
            for kind, value in found
        ):
            return found
    values = given(MaskRequestSerializer(data=data))["values"]
    return [(one["kind"], one["value"]) for one in values]


class MaskView(APIView):
    """Every signed-in person: single values masked by their post, irreversibly; no value is kept."""

    @extend_schema("masking_mask", request=MaskRequestSerializer, responses=MaskAnswerSerializer)
    def post(self, request: Request, policy: str) -> Response:
        found = selectors.policy_in_force(policy)
        masked = services.values_mask(found, values_read(request.data), by=request.user)
        return Response({"policy": found.name, "version": found.number, "masked": masked})
