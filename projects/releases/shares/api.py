"""API of secret shares: who holds which file."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from .. import rules
from ..selectors import recipients_of
from .services import share_assign
from .views import share_rows


class ShareFileSerializer(serializers.Serializer[Any]):
    table = serializers.CharField()
    sha256 = serializers.CharField()


class ShareSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    sha256 = serializers.CharField(source="first.sha256")
    holder = serializers.CharField(source="holding.holder.username", default=None, allow_null=True)
    since = serializers.DateTimeField(source="holding.assigned_at", default=None, allow_null=True)

    def to_representation(self, row: dict[str, Any]) -> dict[str, Any]:
        """The hash of the first file; of several tables that are split ``files`` too (``ShareFile``)."""
        first, *others = files = row["files"]
        content = super().to_representation(row | {"first": first})
        return content | ({"files": ShareFileSerializer(files, many=True).data} if others else {})


class ShareAssignSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(min_value=1, max_value=100)
    holder = serializers.CharField(max_length=150, help_text="User name of a recipient of the project.")


class Shares(ProjectAPIView):
    """The files of the holders; empty where the result is one file for everybody."""

    @extend_schema("release_shares", responses=ShareSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(ShareSerializer(share_rows(self.project), many=True).data)

    @extend_schema(
        "release_share_assign", request=ShareAssignSerializer, responses=ShareSerializer(many=True)
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_assign_shares(request.user, self.project).require()
        given = self.sent(ShareAssignSerializer)
        name = given["holder"]
        holder = next((person for person in recipients_of(self.project) if person.username == name), None)
        if holder is None:
            raise serializers.ValidationError({"holder": ["not a recipient of this project"]})
        share_assign(self.project, number=given["number"], holder=holder, by=request.user)
        return Response(ShareSerializer(share_rows(self.project), many=True).data)
