"""Previews of the whole result for programs."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import PORTION, portion
from projects.datasets.tables.api import TABLE, TableAPIView

from ...models import WholePreview
from . import services


class DraftSerializer(serializers.Serializer[Any]):
    """The recipe of one table, saved or not."""

    recipe = serializers.DictField()


class WholePreviewSerializer(serializers.ModelSerializer[Any]):
    """What a draft would make of the whole table; the rows that the page shows are not handed out here."""

    table = serializers.UUIDField(source="dataset.table_id")
    requested_by = serializers.CharField(source="requested_by.full_name")
    result = serializers.JSONField(
        help_text="rows_in, rows_out, persons_in, persons_out (null where a record is a person); quasi: the quasi-identifiers "
        "left; smallest and smallest_before: the size of the smallest class of the result and of the source; starred: records whose quasi-identifiers are all *, and starred_persons; stars and "
        "detail: shares by column; removed_columns."
    )

    class Meta:
        model = WholePreview
        fields = (
            "id", "number", "table", "recipe_hash", "result", "content_hash", "requested_by", "requested_at", "measured_at",
            "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields


class WholePreviews(TableAPIView):
    @extend_schema("processing_preview_list", parameters=PORTION, responses=WholePreviewSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All previews of the whole result, the newest first."""
        return portion(request, services.previews_of(self.project), WholePreviewSerializer)

    @extend_schema(
        "processing_preview",
        request=DraftSerializer,
        responses={202: WholePreviewSerializer},
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have a recipe of a table that need not be saved carried out and measured on all of its rows, as a job."""
        # Who may not is told so before what was sent is read.
        services.may_preview(request.user, self.table).require()
        found, _job = services.preview_start(
            self.table, content=self.sent(DraftSerializer)["recipe"], by=request.user
        )
        return Response(WholePreviewSerializer(found).data, status=status.HTTP_202_ACCEPTED)
