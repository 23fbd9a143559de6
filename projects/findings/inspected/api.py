"""Samples of a result for programs: the same services and rules as the pages. Rows are shown on the page alone."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import PORTION, portion
from projects.core.api import ProjectAPIView

from ..received.forms import LONG
from . import rules, selectors, services
from .enums import InspectionKind, InspectionOutcome, SampleUnit
from .models import ResultDeviation, ResultSample
from .presentation import most, statement


class ResultDeviationSerializer(serializers.ModelSerializer[ResultDeviation]):
    """``finding``: the finding of the project that it became."""

    kind = serializers.ChoiceField(choices=InspectionKind.choices, read_only=True)
    finding = serializers.UUIDField(source="ticket_id", read_only=True)

    class Meta:
        model = ResultDeviation
        fields = ("kind", "text", "finding")
        read_only_fields = fields


class ResultSampleSerializer(serializers.ModelSerializer[ResultSample]):
    """``looked``: how many of those drawn supervisors were shown whole, about which the report is; ``is_cut``: of persons with more than
    100 rows, or values of more than 2,000 characters, the beginning was shown. ``sha256`` is of the result; ``population``, ``seed`` and ``size`` give the same draw again. ``most``: how many of ``population`` can
    be affected at most at 95 % confidence, ``said`` the same in words; null and empty before the report."""

    run = serializers.IntegerField(source="run.number", read_only=True)
    table = serializers.CharField(source="of_table", read_only=True)
    unit = serializers.SerializerMethodField()
    outcome = serializers.ChoiceField(choices=InspectionOutcome.choices, read_only=True)
    drawn_by = serializers.CharField(source="drawn_by.full_name", read_only=True)
    reported_by = serializers.CharField(
        source="reported_by.full_name", default=None, allow_null=True, read_only=True
    )
    most = serializers.SerializerMethodField()
    said = serializers.SerializerMethodField()
    deviations = ResultDeviationSerializer(many=True, read_only=True)

    class Meta:
        model = ResultSample
        fields = (
            "id", "number", "run", "table", "sha256", "unit", "population", "size", "seed", "drawn_by", "drawn_at", "looked_at",
            "looked", "is_cut", "outcome", "found", "most", "said", "remark", "reported_by", "reported_at", "deviations",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=SampleUnit.choices, allow_null=True))
    def get_unit(self, sample: ResultSample) -> str | None:
        return sample.unit or None

    def get_most(self, sample: ResultSample) -> int | None:
        return most(sample)

    def get_said(self, sample: ResultSample) -> str:
        return statement(sample)


class ResultDrawSerializer(serializers.Serializer[Any]):
    """``size``: where it is missing, so many are drawn that nothing found says at most 5 in 100."""

    table = serializers.CharField(max_length=200, default="", allow_blank=True)
    size = serializers.IntegerField(min_value=1, max_value=rules.MOST, default=None, allow_null=True)


class InspectionDeviationSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(choices=InspectionKind.choices)
    text = serializers.CharField(max_length=LONG)


class InspectionSerializer(serializers.Serializer[Any]):
    """``found``: in how many of those looked through; ``deviations``: an empty list says that nothing was found, one of each kind at most."""

    found = serializers.IntegerField(min_value=0)
    remark = serializers.CharField(max_length=LONG)
    deviations = InspectionDeviationSerializer(many=True)

    def validate_deviations(self, rows: list[dict[str, Any]]) -> dict[str, str]:
        said = {row["kind"]: row["text"] for row in rows}
        if len(said) < len(rows):
            raise serializers.ValidationError(_("Each kind is stated once."))
        return said


class ResultSamples(ProjectAPIView):
    """Who sees the project: its samples of results, the newest first; the supervisor has another one drawn."""

    inside = True

    @extend_schema("findings_result_samples", parameters=PORTION, responses=ResultSampleSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return portion(request, selectors.result_samples_of(self.project), ResultSampleSerializer)

    @extend_schema(
        "findings_result_samples_draw", request=ResultDrawSerializer, responses={201: ResultSampleSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_draw(request.user, self.project).require()
        made = services.result_sample_draw(self.project, **self.sent(ResultDrawSerializer), by=request.user)
        return Response(ResultSampleSerializer(made).data, status=status.HTTP_201_CREATED)


class ResultSampleDetail(ProjectAPIView):
    """Who sees the project: one sample of a result; the supervisor reports on it."""

    inside = True

    @extend_schema("findings_result_sample", responses=ResultSampleSerializer)
    def get(self, request: Request, project_id: uuid.UUID, result_sample_id: uuid.UUID) -> Response:
        found = selectors.result_sample_get(self.project, result_sample_id)
        return Response(ResultSampleSerializer(found).data)

    @extend_schema(
        "findings_result_sample_report", request=InspectionSerializer, responses=ResultSampleSerializer
    )
    def post(self, request: Request, project_id: uuid.UUID, result_sample_id: uuid.UUID) -> Response:
        found = selectors.result_sample_get(self.project, result_sample_id)
        rules.may_report(request.user, found).require()
        services.result_sample_report(found, **self.sent(InspectionSerializer), by=request.user)
        done = selectors.result_sample_get(self.project, result_sample_id)
        return Response(ResultSampleSerializer(done).data)


class ResultSampleRead(ProjectAPIView):
    """The supervisor and auditors: have the same records read again, by the seed; they are looked at on the page."""

    inside = True

    @extend_schema("findings_result_sample_read", request=None, responses=ResultSampleSerializer)
    def post(self, request: Request, project_id: uuid.UUID, result_sample_id: uuid.UUID) -> Response:
        found = selectors.result_sample_get(self.project, result_sample_id)
        services.result_sample_read(found, by=request.user)
        return Response(ResultSampleSerializer(found).data)
