"""What is published, for everybody's programs."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.governance.verdict import Refused
from projects.releases.deliveries.publications.api import PublishedSerializer
from projects.releases.deliveries.publications.presentation import other_versions, published
from projects.releases.deliveries.publications.selectors import published_get
from projects.releases.deliveries.publications.services import availability_now
from projects.releases.enums import Availability
from projects.releases.models import Publication

from .rates import PublishedThrottle
from .views import file_answer


class PublishedVersionSerializer(serializers.Serializer[Any]):
    """Another version, at ``/api/published/<token>/``."""

    token = serializers.CharField(source="publication.token")
    version = serializers.IntegerField(source="publication.version")
    published_at = serializers.DateTimeField(source="publication.published_at")
    availability = serializers.ChoiceField(choices=Availability.choices)


class PublishedAnswerSerializer(PublishedSerializer):
    """``newer``: the newest version where that is a later one."""

    newer = PublishedVersionSerializer(allow_null=True)
    older = PublishedVersionSerializer(many=True)


class DownSerializer(serializers.Serializer[Any]):
    """410: what was published here is not handed out now, and why not."""

    code = serializers.CharField(help_text="One of Availability.")
    reason = serializers.CharField()
    title = serializers.CharField()
    version = serializers.IntegerField()
    newer = PublishedVersionSerializer(allow_null=True)


class PublishedView(APIView):
    """Anybody, without an account."""

    permission_classes = (AllowAny,)
    throttle_classes = (PublishedThrottle,)


class PublishedDetail(PublishedView):
    @extend_schema(
        "published_detail", responses={200: PublishedAnswerSerializer, 410: DownSerializer}, auth=[]
    )
    def get(self, request: Request, token: str) -> Response:
        """What was published under an address, with its files, notice, hashes and what was measured."""
        found = published_get(token)
        availability = availability_now(found)
        if availability is not Availability.UP:
            return _down(found, availability)
        newer, older = other_versions(found)
        content = PublishedSerializer(published(found)).data
        more = {
            "newer": PublishedVersionSerializer(newer).data if newer else None,
            "older": PublishedVersionSerializer(older, many=True).data,
        }
        return Response(dict(content) | more)


class PublishedFile(PublishedView):
    @extend_schema(
        "published_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 410: DownSerializer},
        auth=[],
    )
    def get(self, request: Request, token: str, file: int) -> Any:
        """A file of what is published; ``file`` is its number in the list of files."""
        found = published_get(token)
        availability = availability_now(found)
        if availability is not Availability.UP:
            return _down(found, availability)
        try:
            return file_answer(found, file)
        except Refused:
            return _down(found, Availability.SUSPENDED)


def _down(found: Publication, availability: Availability) -> Response:
    newer, _older = other_versions(found)
    said = {
        "code": availability,
        "reason": availability.label,
        "title": found.title,
        "version": found.version,
        "newer": newer,
    }
    return Response(DownSerializer(said).data, status=status.HTTP_410_GONE)
