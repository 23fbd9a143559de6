"""API of who carries a project out: the same service, rule and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.core.executing.source import executing_of

from ..models import Party
from . import rules, services


class ExecutingSerializer(serializers.Serializer[Any]):
    """``is_set``: the planning manager named it; else it is the one organisation of the register that is our own, and ``party`` is
    null where there is not exactly one. ``has_ended``: it has ended in the register since it was named."""

    party = serializers.UUIDField(source="party_id", allow_null=True)
    name = serializers.CharField()
    is_set = serializers.BooleanField()
    has_ended = serializers.BooleanField()


class ExecutingGivenSerializer(serializers.Serializer[Any]):
    party = serializers.PrimaryKeyRelatedField(queryset=Party.objects.all())


class ExecutingOrganisation(ProjectAPIView):
    inside = True

    @extend_schema("executing_party_read", responses=ExecutingSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Which organisation carries the processing of the project out and answers for it."""
        return Response(ExecutingSerializer(executing_of(self.project)).data)

    @extend_schema("executing_party_name", request=ExecutingGivenSerializer, responses=ExecutingSerializer)
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager of the project names another one, until the project has ended."""
        rules.may_name(request.user, self.project).require()
        services.executing_name(self.project, self.sent(ExecutingGivenSerializer)["party"], by=request.user)
        return Response(ExecutingSerializer(executing_of(self.project)).data)
