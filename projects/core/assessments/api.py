"""Outside assessments for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from ..api import ProjectAPIView
from . import services
from .enums import Conclusion
from .forms import LONG, MOST_MONTHS
from .models import AssessmentOrder
from .rules import AssessmentReason, may_end, may_order, may_report
from .selectors import assessors, due_again, order_get, orders_of


class AssessmentSerializer(serializers.ModelSerializer[AssessmentOrder]):
    """``conclusion`` and ``report`` are empty until the assessor has reported; ``due_again`` is the day by which the project is to be
    assessed again, null where it is not, or not known yet; ``document_sha256``: of the outside body's own document, empty where none
    is kept."""

    assessor = serializers.CharField(source="assessor.full_name")
    ordered_by = serializers.CharField(source="ordered_by.full_name")
    ended_by = serializers.CharField(source="ended_by.full_name", default=None)
    due_again = serializers.SerializerMethodField()
    document_sha256 = serializers.SerializerMethodField()

    class Meta:
        model = AssessmentOrder
        fields = (
            "id", "project", "number", "assessor", "covers", "until", "ordered_by", "ordered_at", "conclusion", "report",
            "reported_at", "ended_by", "ended_at", "end_reason", "again_months", "due_again",
            "document_sha256",
        )  # fmt: skip
        read_only_fields = fields

    def get_due_again(self, order: AssessmentOrder) -> date | None:
        return due_again(order)

    def get_document_sha256(self, order: AssessmentOrder) -> str:
        # Of an order that was just given nothing is kept.
        return getattr(order, "document_sha256", None) or ""


class AssessmentOrderingSerializer(serializers.Serializer[Any]):
    """``assessor``: the user name of an external assessor; ``until``: the last day on which they see the project; ``again_months``: so
    long after the report the project is to be assessed again."""

    assessor = serializers.CharField(max_length=150)
    covers = serializers.CharField(max_length=LONG)
    until = serializers.DateField()
    again_months = serializers.IntegerField(
        min_value=1, max_value=MOST_MONTHS, required=False, allow_null=True, default=None
    )


class AssessmentReportSerializer(serializers.Serializer[Any]):
    conclusion = serializers.ChoiceField(choices=Conclusion.choices)
    report = serializers.CharField(max_length=LONG)


class AssessmentEndSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class Assessments(ProjectAPIView):
    inside = True

    @extend_schema("assessments_list", responses=AssessmentSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every outside assessment of the project, the newest first."""
        return Response(AssessmentSerializer(orders_of(self.project), many=True).data)

    @extend_schema(
        "assessments_order", request=AssessmentOrderingSerializer, responses={201: AssessmentSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The supervisor and senior management: order an assessment."""
        may_order(request.user, self.project).require()
        sent = dict(self.sent(AssessmentOrderingSerializer))
        named = sent.pop("assessor")
        assessor = next((one for one in assessors() if one.get_username() == named), None)
        if assessor is None:
            reason = str(AssessmentReason.NOT_AN_ASSESSOR.label) % {"person": named}
            raise serializers.ValidationError({"assessor": [reason]})
        made = services.assessment_order(self.project, assessor=assessor, by=request.user, **sent)
        return Response(AssessmentSerializer(made).data, status=status.HTTP_201_CREATED)


class AssessmentReport(ProjectAPIView):
    @extend_schema("assessments_report", request=AssessmentReportSerializer, responses=AssessmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, order_id: uuid.UUID) -> Response:
        """The assessor who has the order: report, once."""
        order = order_get(self.project, order_id)
        may_report(request.user, order).require()
        done = services.assessment_report(order, **self.sent(AssessmentReportSerializer), by=request.user)
        return Response(AssessmentSerializer(done).data)


class AssessmentEnd(ProjectAPIView):
    @extend_schema("assessments_end", request=AssessmentEndSerializer, responses=AssessmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID, order_id: uuid.UUID) -> Response:
        """The supervisor and senior management: end an order."""
        order = order_get(self.project, order_id)
        may_end(request.user, order).require()
        done = services.assessment_end(order, **self.sent(AssessmentEndSerializer), by=request.user)
        return Response(AssessmentSerializer(done).data)
