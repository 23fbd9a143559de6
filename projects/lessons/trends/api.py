"""The trends for programs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ..api import LessonSerializer
from .selectors import trends_of


class TrendsQuerySerializer(serializers.Serializer[Any]):
    year = serializers.IntegerField(required=False, min_value=1970, max_value=9999)


class QuarterSerializer(serializers.Serializer[Any]):
    """``risk``: the greatest share of any person among the releases; ``unmeasured`` releases have no such figure; ``wait``: the
    median of the days from submission to decision."""

    number = serializers.IntegerField()
    releases = serializers.IntegerField()
    risk = serializers.FloatField(allow_null=True)
    unmeasured = serializers.IntegerField()
    findings = serializers.IntegerField()
    closed = serializers.IntegerField()
    incidents = serializers.IntegerField()
    reassessed = serializers.IntegerField()
    not_met = serializers.IntegerField()
    wait = serializers.FloatField(allow_null=True)


class TrendsSerializer(serializers.Serializer[Any]):
    """``first``: the year of the first project that the caller may see."""

    year = serializers.IntegerField()
    first = serializers.IntegerField()
    quarters = QuarterSerializer(many=True)
    lessons = LessonSerializer(many=True)


class TrendsView(APIView):
    @extend_schema("trends", parameters=[TrendsQuerySerializer], responses=TrendsSerializer)
    def get(self, request: Request) -> Response:
        """A year in quarters of the projects that the caller may see, and the looks back that were recorded in it."""
        asked = TrendsQuerySerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = trends_of(request.user, asked.validated_data.get("year"))
        return Response(TrendsSerializer(found).data)
