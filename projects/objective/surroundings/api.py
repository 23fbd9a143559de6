"""The assessment of the surroundings for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from ..models import ContextAssessment
from . import context as services


class ContextAssessmentSerializer(serializers.ModelSerializer[ContextAssessment]):
    made_by = serializers.CharField(source="made_by.full_name")
    answers = serializers.JSONField()
    finding = serializers.JSONField(
        help_text="controls, motive, deliberate, acquaintance, breach, value, k; gains: what each control would buy; "
        "safeguards: points and grades by T/ISC 0078 C.5; recovery: the grounds of its 5.1 c 1 that hold."
    )

    class Meta:
        model = ContextAssessment
        fields = ("id", "number", "answers", "finding", "content_hash", "made_by", "made_at", "taken_at")
        read_only_fields = fields


class ContextAnswersSerializer(serializers.Serializer[Any]):
    controls = serializers.DictField(child=serializers.FloatField(), help_text="Eleven codes: 0, 0.5 or 1.")
    motives = serializers.DictField(child=serializers.FloatField(), help_text="Four codes: 0, 0.5 or 1.")
    safeguards = serializers.DictField(
        child=serializers.FloatField(), help_text="Ten codes of T/ISC 0078 C.5: 0, 0.5 or 1."
    )
    safeguards_source = serializers.CharField(max_length=500, help_text="What these answers rest on.")
    recovery = serializers.DictField(
        child=serializers.FloatField(), help_text="Five codes of T/ISC 0078 5.1 c 1: 0, 0.5 or 1."
    )
    recovery_source = serializers.CharField(max_length=500, help_text="What these answers rest on.")
    prevalence = serializers.FloatField(min_value=0, max_value=1)
    prevalence_source = serializers.CharField(max_length=500)
    acquaintances = serializers.IntegerField(min_value=150, max_value=190, default=150)
    breach = serializers.FloatField(min_value=0, max_value=1)
    breach_source = serializers.CharField(max_length=500)


class ContextAssessments(ProjectAPIView):
    inside = True

    @extend_schema("objective_context_list", responses=ContextAssessmentSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: every assessment of the surroundings, newest first."""
        return Response(ContextAssessmentSerializer(services.assessments_of(self.project), many=True).data)

    @extend_schema(
        "objective_context_assess",
        request=ContextAnswersSerializer,
        responses={201: ContextAssessmentSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager, while the target is being determined: answer the questions."""
        sent = self.sent(ContextAnswersSerializer)
        made = services.context_assess(self.project, answers=sent, by=request.user)
        return Response(ContextAssessmentSerializer(made).data, status=status.HTTP_201_CREATED)


class ContextTake(ProjectAPIView):
    inside = True

    @extend_schema("objective_context_take", request=None, responses=ContextAssessmentSerializer)
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager, while the target is being determined: the newest assessment goes into the target."""
        services.context_take(self.project, by=request.user)
        return Response(ContextAssessmentSerializer(services.assessments_of(self.project).first()).data)
