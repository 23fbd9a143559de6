"""Impact assessments for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from . import rules, selectors, services
from .content import MOST, content_read
from .enums import LawfulBasis, Level, Transfer
from .models import ImpactAssessment


class ImpactContentSerializer(serializers.Serializer[Any]):
    """The contents of article 56, with separate consent and the transfer abroad."""

    lawful = serializers.CharField(max_length=MOST["lawful"])
    impact = serializers.CharField(max_length=MOST["impact"])
    level = serializers.ChoiceField(choices=Level.choices)
    measures = serializers.CharField(max_length=MOST["measures"])
    automated = serializers.BooleanField(default=False)
    basis = serializers.ChoiceField(choices=LawfulBasis.choices)
    separate_consent = serializers.CharField(
        max_length=MOST["separate_consent"], allow_blank=True, default=""
    )
    transfer = serializers.ChoiceField(choices=Transfer.choices)
    country = serializers.CharField(
        max_length=MOST["country"],
        allow_blank=True,
        default="",
        help_text="Codes of ISO 3166-1, with commas between them; words in assessments from before codes were asked for.",
    )
    reference = serializers.CharField(max_length=MOST["reference"], allow_blank=True, default="")


class ImpactSerializer(serializers.ModelSerializer[ImpactAssessment]):
    content = ImpactContentSerializer()
    occasions = serializers.ListField(child=serializers.CharField())
    made_by = serializers.CharField(source="made_by.full_name")
    decided_by = serializers.CharField(source="decided_by.full_name", allow_null=True, default=None)
    kept_until = serializers.DateField()

    class Meta:
        model = ImpactAssessment
        fields = (
            "id", "number", "content", "occasions", "outcome", "content_hash", "made_by", "made_at", "decided_by", "decided_at",
            "reason", "kept_until",
        )  # fmt: skip
        read_only_fields = fields


class ImpactDecisionSerializer(serializers.Serializer[Any]):
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class Impacts(ProjectAPIView):
    inside = True

    @extend_schema("impact_list", responses=ImpactSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every assessment, the newest first."""
        return Response(ImpactSerializer(selectors.assessments_of(self.project), many=True).data)

    @extend_schema("impact_lay", request=ImpactContentSerializer, responses={201: ImpactSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Planning manager and executor: lay down the next one, which waits for a judge of the project."""
        rules.may_assess(request.user, self.project).require()
        content = content_read(self.sent(ImpactContentSerializer))
        made = services.impact_lay(self.project, content=content, by=request.user)
        return Response(ImpactSerializer(made).data, status=201)


class ImpactDecision(ProjectAPIView):
    inside = True

    @extend_schema("impact_decide", request=ImpactDecisionSerializer, responses=ImpactSerializer)
    def post(self, request: Request, project_id: uuid.UUID, assessment_id: uuid.UUID) -> Response:
        """Supervisor and senior management, but not who laid it down: conclude it, or turn it down."""
        found = selectors.assessment_get(self.project, assessment_id)
        rules.may_decide(request.user, found).require()
        sent = self.sent(ImpactDecisionSerializer)
        return Response(ImpactSerializer(services.impact_decide(found, **sent, by=request.user)).data)
