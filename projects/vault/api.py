"""API of the vault."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from projects.core.api import ProjectAPIView

from . import rules
from .models import Secret
from .selectors import secret_get, secrets_of
from .services import secret_destroy, secret_keep, secret_propose


class SecretSerializer(serializers.ModelSerializer[Secret]):
    created_by = serializers.CharField(source="created_by.username", read_only=True, default=None)
    proposed_by = serializers.CharField(source="proposed_by.username", read_only=True, default=None)
    destroyed_by = serializers.CharField(source="destroyed_by.username", read_only=True, default=None)

    class Meta:
        model = Secret
        fields = (
            "id", "purpose", "apart", "created_at", "created_by", "proposed_at", "proposed_by", "proposed_why", "destroyed_at", "destroyed_by", "destroyed_why",
        )  # fmt: skip


class DestroySerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class SecretList(ProjectAPIView):
    """The project's keys, live and destroyed; never their bytes."""

    @extend_schema(responses=SecretSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_list(request.user, self.project).require()
        return Response(SecretSerializer(secrets_of(self.project), many=True).data)


class _SecretAct(ProjectAPIView):
    """One act on a key, with a reason."""

    def act(
        self, secret_id: uuid.UUID, rule: Callable[[Person, Secret], Verdict], service: Callable[..., Secret]
    ) -> Response:
        person = self.request.user
        rules.may_list(person, self.project).require()
        secret = secret_get(self.project, secret_id)
        rule(person, secret).require()
        given = self.sent(DestroySerializer)
        return Response(SecretSerializer(service(secret, reason=given["reason"], by=person)).data)


class SecretPropose(_SecretAct):
    """Propose to destroy one key; a second person carries it out."""

    @extend_schema(request=DestroySerializer, responses=SecretSerializer)
    def post(self, request: Request, project_id: uuid.UUID, secret_id: uuid.UUID) -> Response:
        return self.act(secret_id, rules.may_propose, secret_propose)


class SecretKeep(_SecretAct):
    """Decline a proposed destruction, or take it back."""

    @extend_schema(request=DestroySerializer, responses=SecretSerializer)
    def post(self, request: Request, project_id: uuid.UUID, secret_id: uuid.UUID) -> Response:
        return self.act(secret_id, rules.may_keep, secret_keep)


class SecretDestroy(_SecretAct):
    """Destroy one key for good, as somebody else has proposed."""

    @extend_schema(request=DestroySerializer, responses=SecretSerializer)
    def post(self, request: Request, project_id: uuid.UUID, secret_id: uuid.UUID) -> Response:
        return self.act(secret_id, rules.may_destroy, secret_destroy)
