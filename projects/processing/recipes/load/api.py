"""The load of a recipe for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.datasets.tables.api import TABLE, TableAPIView

from ...models import LoadMeasurement
from . import pages, services
from .forms import LEAST, MOST, PROPOSED


class LoadSampleSerializer(serializers.Serializer[Any]):
    rows = serializers.IntegerField(
        min_value=LEAST, max_value=MOST, default=PROPOSED, help_text="Rows of the largest sample."
    )


class LoadSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="dataset.table_id")
    recipe_version = serializers.IntegerField(source="recipe_version.number")
    requested_by = serializers.CharField(source="requested_by.full_name")
    statements = serializers.SerializerMethodField(
        help_text="What the figures mean, and what they do not say; empty until it is measured."
    )
    warnings = serializers.SerializerMethodField(
        help_text="Where the whole table needs more than the machine has."
    )
    result = serializers.JSONField(
        help_text="samples: of each size, and whole: carried over to all rows, with rows, seconds, processor (seconds), memory, "
        "space and result (bytes; memory null where the system does not say); machine: processors, memory and free (bytes)."
    )

    class Meta:
        model = LoadMeasurement
        fields = (
            "id", "number", "table", "recipe_version", "most_rows", "statements", "warnings", "result", "content_hash", "requested_by",
            "requested_at", "measured_at", "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields

    def get_statements(self, found: LoadMeasurement) -> list[str]:
        return pages.statements(found) if found.measured_at else []

    def get_warnings(self, found: LoadMeasurement) -> list[str]:
        return pages.warnings(found) if found.measured_at else []


class Loads(TableAPIView):
    @extend_schema("processing_load_list", responses=LoadSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All measurements of the load, the newest first."""
        return Response(LoadSerializer(services.measurements_of(self.project), many=True).data)

    @extend_schema(
        "processing_load", request=LoadSampleSerializer, responses={202: LoadSerializer}, parameters=[TABLE]
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have a table's current recipe carried out on samples, as a job, to say what the whole table will take."""
        rows = self.sent(LoadSampleSerializer)["rows"]
        found, _job = services.load_start(self.table, rows=rows, by=request.user)
        return Response(LoadSerializer(found).data, status=status.HTTP_202_ACCEPTED)
