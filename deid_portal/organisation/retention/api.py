"""API of the terms of retention."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given

from ..models import RetentionTerms
from ..proposals.rules import may_decide, may_propose
from ..rules import may_read_organisation
from . import terms as services
from .terms import MOST_DAYS


def _days() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=MOST_DAYS, allow_null=True, default=None)


class RetentionDaysSerializer(serializers.Serializer[Any]):
    """Days after the end of the project, by kind of data; null: no term."""

    source = _days()  # type: ignore[assignment]
    workspace = _days()
    result = _days()
    auxiliary = _days()


class RetentionSerializer(serializers.ModelSerializer[RetentionTerms]):
    days = RetentionDaysSerializer()
    made_by = serializers.CharField(source="made_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)

    class Meta:
        model = RetentionTerms
        fields = (
            "id", "number", "status", "days", "reason", "made_by", "made_at", "decision_reason", "decided_by", "decided_at",
            "content_hash",
        )  # fmt: skip
        read_only_fields = fields


class RetentionProposalSerializer(serializers.Serializer[Any]):
    days = RetentionDaysSerializer()
    reason = serializers.CharField(max_length=500)


class RetentionDecisionSerializer(serializers.Serializer[Any]):
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class RetentionList(APIView):
    """Every version, the newest first; the one in force counts for every project that has ended."""

    @extend_schema("organisation_retention", responses=RetentionSerializer(many=True))
    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return Response(RetentionSerializer(services.versions(), many=True).data)

    @extend_schema(
        "organisation_retention_propose",
        request=RetentionProposalSerializer,
        responses={201: RetentionSerializer},
    )
    def post(self, request: Request) -> Response:
        """Planning managers and administrators: propose the next version, which waits for a second person."""
        may_propose(request.user).require()
        sent = given(RetentionProposalSerializer(data=request.data))
        made = services.terms_propose(sent["days"], reason=sent["reason"], by=request.user)
        return Response(RetentionSerializer(made).data, status=201)


class RetentionDecision(APIView):
    """Planning managers and administrators, but not who proposed it: put a version in force or turn it down."""

    @extend_schema(
        "organisation_retention_decide", request=RetentionDecisionSerializer, responses=RetentionSerializer
    )
    def post(self, request: Request, version_id: uuid.UUID) -> Response:
        found = services.version_get(version_id)
        may_decide(request.user, found).require()
        sent = given(RetentionDecisionSerializer(data=request.data))
        return Response(RetentionSerializer(services.terms_decide(found, **sent, by=request.user)).data)
