"""The planned steps of a recipe for programs."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.datasets.tables.api import TABLE, TableAPIView
from techniques.catalogue import bases

from ...models import Forecast
from . import services
from .forms import DEFAULTS
from .pages import limits


class AttackSerializer(serializers.Serializer[Any]):
    """What is assumed of the attacker; what is left out has the value that the engine assumes."""

    known = serializers.FloatField(default=DEFAULTS["known"], help_text="Probability of knowing a column.")
    most_known = serializers.IntegerField(
        default=DEFAULTS["most_known"], help_text="Columns that may be known at most."
    )
    sensitive = serializers.FloatField(
        default=DEFAULTS["sensitive"], help_text="What laying open a sensitive attribute weighs."
    )
    quasi = serializers.FloatField(
        default=DEFAULTS["quasi"], help_text="What laying open a quasi-identifier weighs."
    )


class ForecastSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="dataset.table_id")
    recipe_version = serializers.IntegerField(source="recipe_version.number")
    requested_by = serializers.CharField(source="requested_by.full_name")
    basis = serializers.SerializerMethodField(help_text="The clause and the method.")
    statements = serializers.SerializerMethodField(
        help_text="What the figures mean, and what they do not say."
    )
    question = serializers.JSONField(
        help_text="quasi and sensitive: the columns; attack: what is assumed of the attacker."
    )
    result = serializers.JSONField(
        help_text="source: path with column, severity, gain, frequency and leakage; likelihood, impact, risk, average, "
        "survival, units, persons; steps: number, technique, columns, and the same as risk, null where nothing is left "
        "to measure."
    )

    class Meta:
        model = Forecast
        fields = (
            "id", "number", "table", "recipe_version", "basis", "statements", "question", "result", "content_hash", "requested_by", "requested_at",
            "measured_at", "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields

    def get_basis(self, _forecast: Forecast) -> str:
        return _(bases.ENTROPY)

    def get_statements(self, _forecast: Forecast) -> list[str]:
        return limits()


class Forecasts(TableAPIView):
    @extend_schema("processing_forecast_list", responses=ForecastSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All forecasts, the newest first."""
        return Response(ForecastSerializer(services.forecasts_of(self.project), many=True).data)

    @extend_schema(
        "processing_forecast",
        request=AttackSerializer,
        responses={202: ForecastSerializer},
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have each step of a table's current recipe carried out and measured before it is run, as a job."""
        found, _job = services.forecast_start(self.table, attack=self.sent(AttackSerializer), by=request.user)
        return Response(ForecastSerializer(found).data, status=status.HTTP_202_ACCEPTED)
