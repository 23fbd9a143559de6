"""The conversation about the model for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.datasets.tables.api import TABLE, TableAPIView

from ...models import ModelAdviceRecord
from ...recipes.api import RecipeSerializer
from ..selectors import model_advice_records
from . import services as model_services


class ModelAdviceSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="table_id")
    made_by = serializers.CharField(source="made_by.full_name")
    answers = serializers.JSONField(help_text="knows, sample, many, harm, and columns by name.")
    facts = serializers.JSONField(help_text="What target and identification had settled.")
    advice = serializers.JSONField(help_text="attacker, measure, technique, settings, parts with reasons.")
    taken_in = serializers.IntegerField(source="taken_in.number", allow_null=True, default=None)

    class Meta:
        model = ModelAdviceRecord
        fields = (
            "id", "number", "table", "answers", "facts", "advice", "content_hash", "made_by", "made_at", "taken_in",
        )  # fmt: skip
        read_only_fields = fields


class ModelAnswersSerializer(serializers.Serializer[Any]):
    knows = serializers.BooleanField(required=False, allow_null=True)
    sample = serializers.BooleanField(required=False, allow_null=True)
    many = serializers.BooleanField(required=False, allow_null=True)  # type: ignore[assignment]
    harm = serializers.ChoiceField(choices=["high", "medium", "low"], required=False, allow_null=True)
    columns = serializers.DictField(
        child=serializers.DictField(),
        required=False,
        help_text="By sensitive column: reveals, skewed, ordered.",
    )


class ModelAdviceView(TableAPIView):
    @extend_schema("processing_model_advice_list", responses=ModelAdviceSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All conversations about the model, the newest first."""
        return Response(ModelAdviceSerializer(model_advice_records(self.project), many=True).data)

    @extend_schema(
        "processing_model_advice_record",
        request=ModelAnswersSerializer,
        responses={201: ModelAdviceSerializer},
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Answer the questions about a table; what target and identification have settled is not asked."""
        data = self.sent(ModelAnswersSerializer)
        record = model_services.model_advice_record(self.table, answers=dict(data), by=request.user)
        return Response(ModelAdviceSerializer(record).data, status=status.HTTP_201_CREATED)


class ModelAdviceTake(TableAPIView):
    @extend_schema("processing_model_advice_take", request=None, responses={201: RecipeSerializer}, parameters=[TABLE])  # fmt: skip
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Put the newest advice about a table into the model step of its recipe, as a new version."""
        version = model_services.model_advice_take(self.table, by=request.user)
        context = {"verdicts_hash": version.verdicts_hash}
        return Response(RecipeSerializer(version, context=context).data, status=status.HTTP_201_CREATED)
