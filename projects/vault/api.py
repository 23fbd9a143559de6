"""API of the vault."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from . import rules
from .models import Secret
from .selectors import secret_get, secrets_of
from .services import secret_destroy


class SecretSerializer(serializers.ModelSerializer[Secret]):
    created_by = serializers.CharField(source="created_by.username", read_only=True, default=None)
    destroyed_by = serializers.CharField(source="destroyed_by.username", read_only=True, default=None)

    class Meta:
        model = Secret
        fields = (
            "id", "purpose", "created_at", "created_by", "destroyed_at", "destroyed_by", "destroyed_why",
        )  # fmt: skip


class DestroySerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class SecretList(ProjectAPIView):
    """The project's keys, live and destroyed; never their bytes."""

    @extend_schema(responses=SecretSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_list(request.user, self.project).require()
        return Response(SecretSerializer(secrets_of(self.project), many=True).data)


class SecretDestroy(ProjectAPIView):
    """Destroy one key for good."""

    @extend_schema(request=DestroySerializer, responses=SecretSerializer)
    def post(self, request: Request, project_id: uuid.UUID, secret_id: uuid.UUID) -> Response:
        rules.may_list(request.user, self.project).require()
        secret = secret_get(self.project, secret_id)
        rules.may_destroy(request.user, secret).require()
        given = self.sent(DestroySerializer)
        secret = secret_destroy(secret, reason=given["reason"], by=request.user)
        return Response(SecretSerializer(secret).data)
