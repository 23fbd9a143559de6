"""The questions about techniques for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.datasets.tables.api import TABLE, TableAPIView

from ..models import AdviceRecord
from .presentation import weighed, weights_given
from .selectors import advice_records
from .services import advice_record


class WeighedSerializer(serializers.Serializer[Any]):
    """``dimensions``: from 1 (little) to 5 (much). ``mean`` is weighted; with ``answers``, what answers add or take away, it is ``score``."""

    technique = serializers.CharField()
    dimensions = serializers.DictField(child=serializers.FloatField())
    mean = serializers.FloatField()
    answers = serializers.FloatField()
    score = serializers.FloatField()


class AdviceSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="table_id")
    made_by = serializers.CharField(source="made_by.full_name")
    answers = serializers.JSONField(
        help_text="dataset, and columns by name: role, data_type and the answers."
    )
    advice = serializers.JSONField(
        help_text="Techniques by column: those advised from best to worst, then the others."
    )
    weights = serializers.SerializerMethodField()
    weighed = serializers.SerializerMethodField()

    class Meta:
        model = AdviceRecord
        fields = (
            "id", "number", "table", "answers", "advice", "weights", "weighed", "content_hash", "made_by", "made_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.DictField(child=serializers.FloatField()))
    def get_weights(self, record: AdviceRecord) -> dict[str, float]:
        """What each of the four dimensions weighs."""
        return weights_given(record)

    @extend_schema_field(serializers.DictField(child=WeighedSerializer(many=True)))
    def get_weighed(self, record: AdviceRecord) -> dict[str, list[dict[str, Any]]]:
        """By column, in the order of the advice: how each score comes about."""
        weights = weights_given(record)
        return {
            name: [{"technique": one["technique"]} | weighed(one, weights) for one in found]
            for name, found in record.advice.items()
        }


class AnswersSerializer(serializers.Serializer[Any]):
    dataset = serializers.DictField(
        required=False, help_text="quantify_risk, aggregate_enough, cost, weights"
    )
    columns = serializers.DictField(child=serializers.DictField(), allow_empty=False)


class AdviceView(TableAPIView):
    @extend_schema("processing_advice_list", responses=AdviceSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All answers so far with the advice they led to, the newest first."""
        return Response(AdviceSerializer(advice_records(self.project), many=True).data)

    @extend_schema("processing_advice_record", request=AnswersSerializer, responses={201: AdviceSerializer}, parameters=[TABLE])  # fmt: skip
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Answer the questions about a table; the role of each column is its verdict's."""
        data = self.sent(AnswersSerializer)
        record = advice_record(self.table, answers=dict(data), by=request.user)
        return Response(AdviceSerializer(record).data, status=status.HTTP_201_CREATED)
