"""Estimates from randomised answers for programs."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from techniques.core.messages import filled
from techniques.core.validation import validated

from ..models import LocalEstimate
from . import services


class ReportsSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=120)
    survey = serializers.JSONField(
        help_text="kind (response, unary, number), epsilon, choices or low, high and steps; confidence."
    )
    reports = serializers.CharField(
        trim_whitespace=False, max_length=services.UPLOAD_LIMIT, help_text="The answers as CSV, one a row."
    )
    column = serializers.CharField(max_length=512, default="report")
    person_key = serializers.ListField(
        child=serializers.CharField(max_length=512), max_length=20, default=list,
        help_text="Columns that say whose an answer is; none: each row is another person's.",
    )  # fmt: skip


class LocalEstimateSerializer(serializers.ModelSerializer[LocalEstimate]):
    requested_by = serializers.CharField(source="requested_by.full_name")
    survey = serializers.JSONField()
    result = serializers.SerializerMethodField(
        help_text="rows, answers, unreadable, repeated; lines: label, value, low and high; clause and statements, each with its text."
    )

    class Meta:
        model = LocalEstimate
        fields = (
            "id", "number", "title", "survey", "column", "person_key", "result", "content_hash", "requested_by", "requested_at",
            "measured_at", "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.JSONField())
    def get_result(self, estimate: LocalEstimate) -> dict[str, Any]:
        if not estimate.result:
            return {}
        said = [
            one | {"text": filled(_(one["message"]), one["params"])} for one in estimate.result["statements"]
        ]
        return {**estimate.result, "statements": said}


class LocalEstimates(ProjectAPIView):
    inside = True

    @extend_schema("queries_local_list", responses=LocalEstimateSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All estimates, the newest first."""
        return Response(LocalEstimateSerializer(services.estimates_of(self.project), many=True).data)

    @extend_schema("queries_local_start", request=ReportsSerializer, responses={202: LocalEstimateSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have answers that devices randomised estimated, as a job."""
        from techniques.models.local_privacy.survey import Survey

        services.may_estimate(request.user, self.project).require()
        data = self.sent(ReportsSerializer)
        survey = validated(Survey, data["survey"], "survey")
        found, _job = services.estimate_start(
            self.project, title=data["title"], content=data["reports"].encode(), survey=survey.model_dump(mode="json"),
            column=data["column"], person_key=data["person_key"], by=request.user,
        )  # fmt: skip
        return Response(LocalEstimateSerializer(found).data, status=status.HTTP_202_ACCEPTED)
