"""The acceptance of a risk for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView, SignedSerializer

from .. import selectors
from ..api import ReassessmentSerializer
from . import rules, services


class RiskAcceptSerializer(SignedSerializer):
    """``until``: a year from today at most."""

    until = serializers.DateField()
    reason = serializers.CharField(max_length=2000)


class ReassessmentAccept(ProjectAPIView):
    @extend_schema(
        "reassessments_accept", request=RiskAcceptSerializer, responses={201: ReassessmentSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID, reassessment_id: uuid.UUID) -> Response:
        """Senior management accepts, until a day, that the release stays although not every target is met."""
        found = selectors.reassessment_get(self.project, reassessment_id)
        rules.may_accept_risk(request.user, found).require()
        sent: dict[str, Any] = self.signed(RiskAcceptSerializer)
        services.risk_accept(found, **sent, by=request.user)
        made = selectors.reassessment_get(self.project, reassessment_id)
        return Response(ReassessmentSerializer(made).data, status=status.HTTP_201_CREATED)
