"""Outside reviews of usefulness for programs: the same services, rules and reasons as the page."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from . import rules, selectors, services
from .models import Fitness, UtilityOpinion


class UtilityOpinionSerializer(serializers.ModelSerializer[UtilityOpinion]):
    """``verification`` is the measurement of the result that was asked about; ``verdict`` is empty until it is given."""

    verification_hash = serializers.CharField(source="verification.content_hash")
    assessor = serializers.CharField(source="assessor.full_name")
    asked_by = serializers.CharField(source="asked_by.full_name")
    verdict = serializers.ChoiceField(choices=Fitness.choices, allow_blank=True)

    class Meta:
        model = UtilityOpinion
        fields = (
            "id", "verification", "verification_hash", "assessor", "question", "asked_by", "asked_at", "verdict", "reason",
            "answered_at",
        )  # fmt: skip
        read_only_fields = fields


class OpinionAskSerializer(serializers.Serializer[Any]):
    """``assessor`` is the name of an account."""

    assessor = serializers.CharField(max_length=150)
    question = serializers.CharField(max_length=4000)


class OpinionGiveSerializer(serializers.Serializer[Any]):
    verdict = serializers.ChoiceField(choices=Fitness.choices)
    reason = serializers.CharField(max_length=4000)


class UtilityOpinions(ProjectAPIView):
    inside = True

    @extend_schema("verification_opinions_list", responses=UtilityOpinionSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """What external assessors were asked and have answered, the newest first."""
        return Response(UtilityOpinionSerializer(selectors.opinions_of(self.project), many=True).data)

    @extend_schema(
        "verification_opinions_ask",
        request=OpinionAskSerializer,
        responses={201: UtilityOpinionSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Planning manager or supervisor: ask an external assessor about the measured result."""
        rules.may_ask(request.user, self.project).require()
        sent = self.sent(OpinionAskSerializer)
        found = {one.username: one for one in selectors.assessors_of(self.project)}
        if sent["assessor"] not in found:
            raise serializers.ValidationError({"assessor": ["not an external assessor"]})
        made = services.opinion_ask(
            self.project, assessor=found[sent["assessor"]], question=sent["question"], by=request.user
        )
        return Response(UtilityOpinionSerializer(made).data, status=status.HTTP_201_CREATED)


class UtilityOpinionGive(ProjectAPIView):
    inside = True

    @extend_schema(
        "verification_opinions_give", request=OpinionGiveSerializer, responses=UtilityOpinionSerializer
    )
    def post(self, request: Request, project_id: uuid.UUID, opinion_id: uuid.UUID) -> Response:
        """The external assessor who was asked: the verdict."""
        found = selectors.opinion_get(self.project, opinion_id)
        rules.may_answer(request.user, found).require()
        made = services.opinion_give(found, **self.sent(OpinionGiveSerializer), by=request.user)
        return Response(UtilityOpinionSerializer(made).data)
