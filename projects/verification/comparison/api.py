"""Comparisons of candidate runs for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from ..api import VerificationAPIView
from ..models import Comparison
from . import services as candidate_services
from .selectors import comparison_get, comparisons_of


class ComparisonSerializer(serializers.ModelSerializer[Comparison]):
    """Candidates with the checks and figures of each, and which was chosen."""

    requested_by = serializers.CharField()
    runs = serializers.JSONField(source="run_ids", help_text="Ids of the candidate runs.")
    results = serializers.JSONField(help_text="One entry a candidate: run, number, version, checks, figures.")
    chosen_run = serializers.UUIDField(source="chosen_run_id", allow_null=True)
    chosen_by = serializers.CharField(allow_null=True)

    class Meta:
        model = Comparison
        fields = (
            "id", "number", "runs", "results", "content_hash", "targets_hash", "requested_by", "requested_at",
            "measured_at", "ended_at", "job_id", "chosen_run", "choice_reason", "chosen_by", "chosen_at",
        )  # fmt: skip
        read_only_fields = fields


class ComparisonRequestSerializer(serializers.Serializer[Any]):
    runs = serializers.ListField(child=serializers.UUIDField(), max_length=6)


class ChoiceSerializer(serializers.Serializer[Any]):
    run = serializers.UUIDField()
    reason = serializers.CharField(max_length=2000)


class Comparisons(VerificationAPIView):
    @extend_schema("verification_comparison_list", responses=ComparisonSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: every comparison, newest first."""
        return Response(ComparisonSerializer(comparisons_of(self.project), many=True).data)

    @extend_schema(
        "verification_compare", request=ComparisonRequestSerializer, responses={202: ComparisonSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The executor, while the data is processed: measure candidate runs side by side, as a job."""
        sent = self.sent(ComparisonRequestSerializer)
        comparison, _job = candidate_services.comparison_start(
            self.project, run_ids=sent["runs"], by=request.user
        )
        return Response(ComparisonSerializer(comparison).data, status=HTTP_202_ACCEPTED)


class Choice(VerificationAPIView):
    @extend_schema("verification_candidate_choose", request=ChoiceSerializer, responses=ComparisonSerializer)
    def post(self, request: Request, project_id: uuid.UUID, comparison_id: uuid.UUID) -> Response:
        """The executor, while the data is processed: say which candidate goes forward, and why."""
        comparison = comparison_get(self.project, comparison_id)
        sent = self.sent(ChoiceSerializer)
        comparison, _run = candidate_services.candidate_choose(
            comparison, run_id=sent["run"], reason=sent["reason"], by=request.user
        )
        return Response(ComparisonSerializer(comparison).data)
