"""API of the grading of data."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from projects.core.enums import SharingType

from ..models import GradingPolicy
from ..proposals.rules import may_decide, may_propose
from ..rules import may_read_organisation
from . import policy as services
from .policy import GradeRule


class GradeRuleSerializer(serializers.Serializer[Any]):
    sharing = serializers.ListField(child=serializers.ChoiceField(choices=SharingType.choices))
    minimum_k = serializers.IntegerField()
    impact = serializers.BooleanField(help_text="Whether an impact assessment comes first.")


class GradeRulesSerializer(serializers.Serializer[Any]):
    """What each grade asks for; core data have no rule, because they never leave."""

    general = GradeRuleSerializer()
    sensitive = GradeRuleSerializer()
    important = GradeRuleSerializer()


class GradingSerializer(serializers.ModelSerializer[GradingPolicy]):
    rules = GradeRulesSerializer()
    made_by = serializers.CharField(source="made_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)

    class Meta:
        model = GradingPolicy
        fields = (
            "id", "number", "status", "rules", "reason", "made_by", "made_at", "decision_reason", "decided_by", "decided_at",
            "content_hash",
        )  # fmt: skip
        read_only_fields = fields


class GradingProposalSerializer(serializers.Serializer[Any]):
    rules = GradeRulesSerializer()
    reason = serializers.CharField(max_length=500)


class GradingDecisionSerializer(serializers.Serializer[Any]):
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class GradingList(APIView):
    """Every version, the newest first; the one in force counts for every plan that is submitted."""

    @extend_schema("organisation_grading", responses=GradingSerializer(many=True))
    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return Response(GradingSerializer(services.versions(), many=True).data)

    @extend_schema(
        "organisation_grading_propose", request=GradingProposalSerializer, responses={201: GradingSerializer}
    )
    def post(self, request: Request) -> Response:
        """Planning managers and administrators: propose the next version, which waits for a second person."""
        may_propose(request.user).require()
        sent = given(GradingProposalSerializer(data=request.data))
        rules = {
            grade: GradeRule(tuple(rule["sharing"]), rule["minimum_k"], rule["impact"])
            for grade, rule in sent["rules"].items()
        }
        made = services.grading_propose(rules, reason=sent["reason"], by=request.user)
        return Response(GradingSerializer(made).data, status=201)


class GradingDecision(APIView):
    """Planning managers and administrators, but not who proposed it: put a version in force or turn it down."""

    @extend_schema(
        "organisation_grading_decide", request=GradingDecisionSerializer, responses=GradingSerializer
    )
    def post(self, request: Request, version_id: uuid.UUID) -> Response:
        found = services.version_get(version_id)
        may_decide(request.user, found).require()
        sent = given(GradingDecisionSerializer(data=request.data))
        return Response(GradingSerializer(services.grading_decide(found, **sent, by=request.user)).data)
