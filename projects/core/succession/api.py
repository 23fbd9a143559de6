"""The endpoint that hands the planning of a project over."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth import get_user_model
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..api import MembershipSerializer, ProjectAPIView
from . import rules, services


class HandOverSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    reason = serializers.CharField(max_length=500)


class HandOverView(ProjectAPIView):
    """Senior management of the project: somebody else plans it from now on."""

    @extend_schema("projects_hand_over", request=HandOverSerializer, responses={201: MembershipSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_hand_over(request.user, self.project).require()
        sent = self.sent(HandOverSerializer)
        to = get_user_model().objects.get(username=sent["username"])
        made = services.planning_hand_over(self.project, to=to, reason=sent["reason"], by=request.user)
        return Response(MembershipSerializer(made).data, status=status.HTTP_201_CREATED)
