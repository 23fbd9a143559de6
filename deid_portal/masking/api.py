"""Values in, values as the caller may see them out."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from techniques.presets import Identifier

from . import selectors, services

MOST_VALUES = 1000


class ValueSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=[(kind.value, kind.name) for kind in Identifier])
    value = serializers.CharField(allow_null=True, allow_blank=True, max_length=10_000, trim_whitespace=False)


class MaskRequestSerializer(serializers.Serializer[Any]):
    values = ValueSerializer(many=True, allow_empty=False, max_length=MOST_VALUES)  # type: ignore[call-arg]


class MaskAnswerSerializer(serializers.Serializer[Any]):
    policy = serializers.CharField()
    version = serializers.IntegerField()
    masked = serializers.ListField(
        child=serializers.CharField(allow_null=True),
        help_text="In the order of the values; “***” where nothing may be shown.",
    )


class MaskView(APIView):
    """Every signed-in person: single values masked by their post, irreversibly; no value is kept."""

    @extend_schema(operation_id="masking_mask", request=MaskRequestSerializer, responses=MaskAnswerSerializer)
    def post(self, request: Request, policy: str) -> Response:
        found = selectors.policy_in_force(policy)
        data = MaskRequestSerializer(data=request.data)
        data.is_valid(raise_exception=True)
        values = [(one["kind"], one["value"]) for one in data.validated_data["values"]]
        masked = services.values_mask(found, values, by=request.user)
        return Response({"policy": found.name, "version": found.number, "masked": masked})
