"""API of the coefficients of the surroundings."""

from __future__ import annotations

import uuid
from fractions import Fraction
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from techniques.disclosure_risk.scales.degree import Capability

from ..models import EnvironmentCoefficients
from ..proposals.rules import may_decide, may_propose
from ..rules import may_read_organisation
from . import coefficients as services


class CoefficientsSerializer(serializers.ModelSerializer[EnvironmentCoefficients]):
    low = serializers.SerializerMethodField(help_text="Coefficient of low capability.")
    medium = serializers.SerializerMethodField(help_text="Of medium capability: always 1.")
    high = serializers.SerializerMethodField(help_text="Of high capability.")
    made_by = serializers.CharField(source="made_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)

    class Meta:
        model = EnvironmentCoefficients
        fields = (
            "id", "number", "status", "low", "medium", "high", "reason", "made_by", "made_at",
            "decision_reason", "decided_by", "decided_at", "content_hash",
        )  # fmt: skip
        read_only_fields = fields

    def get_low(self, version: EnvironmentCoefficients) -> float:
        return float(version.coefficients.of[Capability.LOW])

    def get_medium(self, version: EnvironmentCoefficients) -> float:
        return float(version.coefficients.of[Capability.MEDIUM])

    def get_high(self, version: EnvironmentCoefficients) -> float:
        return float(version.coefficients.of[Capability.HIGH])


class CoefficientsProposalSerializer(serializers.Serializer[Any]):
    low = serializers.DecimalField(max_digits=3, decimal_places=2, help_text="0.5 to 0.75.")
    high = serializers.DecimalField(max_digits=3, decimal_places=2, help_text="1 to 1.25.")
    reason = serializers.CharField(max_length=500)


class CoefficientsDecisionSerializer(serializers.Serializer[Any]):
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class CoefficientsList(APIView):
    """Every version, the newest first; the one in force counts. Without one those that the product ships: 0.5, 1, 1."""

    @extend_schema("organisation_coefficients", responses=CoefficientsSerializer(many=True))
    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return Response(CoefficientsSerializer(services.versions(), many=True).data)

    @extend_schema(
        "organisation_coefficients_propose",
        request=CoefficientsProposalSerializer,
        responses={201: CoefficientsSerializer},
    )
    def post(self, request: Request) -> Response:
        """Planning managers and administrators: propose the next version, which waits for a second person."""
        may_propose(request.user).require()
        sent = given(CoefficientsProposalSerializer(data=request.data))
        made = services.coefficients_propose(
            low=Fraction(sent["low"]), high=Fraction(sent["high"]), reason=sent["reason"], by=request.user
        )
        return Response(CoefficientsSerializer(made).data, status=201)


class CoefficientsDecision(APIView):
    """Planning managers and administrators, but not who proposed it: put a version in force or turn it down."""

    @extend_schema(
        "organisation_coefficients_decide",
        request=CoefficientsDecisionSerializer,
        responses=CoefficientsSerializer,
    )
    def post(self, request: Request, version_id: uuid.UUID) -> Response:
        found = services.version_get(version_id)
        may_decide(request.user, found).require()
        sent = given(CoefficientsDecisionSerializer(data=request.data))
        return Response(
            CoefficientsSerializer(services.coefficients_decide(found, **sent, by=request.user)).data
        )
