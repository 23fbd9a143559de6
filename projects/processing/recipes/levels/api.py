"""The protection levels for programs."""

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

from ...models import LevelAnswers, LevelCount
from . import joining, services
from .forms import MOST_LEVEL


class LevelColumnsSerializer(serializers.Serializer[Any]):
    """The sensitive attribute and the column that says what each person asks for, empty where nobody was asked yet."""

    column = serializers.CharField(max_length=512)
    level_column = serializers.CharField(max_length=512, allow_blank=True, default="")


class LevelCountSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="dataset.table_id")
    requested_by = serializers.CharField(source="requested_by.full_name")
    basis = serializers.SerializerMethodField(help_text="The clause and the model.")
    limits = serializers.SerializerMethodField(help_text="What the count does not say.")
    result = serializers.JSONField(
        help_text="records; units: persons where of_persons, else records; levels: how many ask for which, 0 for none; "
        "unreadable; values: value and records by level; unnamed and others: values that too few have, and their records by level; pooled and others_pooled: those at further levels, "
        "each of too few to be told."
    )

    class Meta:
        model = LevelCount
        fields = (
            "id", "number", "table", "column", "level_column", "person_key", "basis", "limits", "result", "content_hash", "requested_by",
            "requested_at", "measured_at", "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields

    def get_basis(self, _counted: LevelCount) -> str:
        return _(bases.PERSONAL_LEVELS)

    def get_limits(self, _counted: LevelCount) -> str:
        return _(bases.LEVELS_LIMITS)


class LevelCounts(TableAPIView):
    @extend_schema("processing_level_count_list", responses=LevelCountSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All counts of protection levels, the newest first."""
        return Response(LevelCountSerializer(services.counts_of(self.project), many=True).data)

    @extend_schema(
        "processing_level_count",
        request=LevelColumnsSerializer,
        responses={202: LevelCountSerializer},
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have it counted how many ask for which protection level, as a job."""
        # Who may not is told so before what was sent is read.
        services.may_count(request.user, self.table).require()
        found, _job = services.count_start(self.table, **self.sent(LevelColumnsSerializer), by=request.user)
        return Response(LevelCountSerializer(found).data, status=status.HTTP_202_ACCEPTED)


class LevelAnswersFileSerializer(serializers.Serializer[Any]):
    """The answers as CSV: the key and protection_level (protection_level_… for a further attribute), an answer a row; ``default`` is the level of who did not answer, 0 for none."""

    key = serializers.CharField(max_length=512)
    more_keys = serializers.ListField(
        child=serializers.CharField(max_length=512),
        max_length=20,
        required=False,
        default=list,
        help_text="Where one column does not tell whose a row is.",
    )
    default = serializers.IntegerField(min_value=0, max_value=MOST_LEVEL, default=0)
    answers = serializers.CharField(trim_whitespace=False, max_length=joining.UPLOAD_LIMIT)


class LevelAnswersSerializer(serializers.ModelSerializer[Any]):
    table = serializers.UUIDField(source="dataset.table_id")
    requested_by = serializers.CharField(source="requested_by.full_name")
    made = serializers.UUIDField(
        source="made_id", allow_null=True, help_text="The data set with the column more."
    )
    result = serializers.JSONField(
        help_text="records, persons, answered, missing, without_key; strangers, repeated and unreadable answers."
    )

    class Meta:
        model = LevelAnswers
        fields = (
            "id", "number", "table", "key", "more_keys", "default", "made", "result", "content_hash", "requested_by", "requested_at", "measured_at",
            "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields


class AnswersOfLevels(TableAPIView):
    @extend_schema("processing_level_answers_list", responses=LevelAnswersSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """All answers that were sent, the newest first; what they said is not kept."""
        return Response(LevelAnswersSerializer(joining.answers_of(self.project), many=True).data)

    @extend_schema(
        "processing_level_answers",
        request=LevelAnswersFileSerializer,
        responses={202: LevelAnswersSerializer},
        parameters=[TABLE],
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Have the answers of the form about protection levels joined to the data, as a job: they become a new data set."""
        joining.may_join(request.user, self.table).require()
        data = self.sent(LevelAnswersFileSerializer)
        found, _job = joining.answers_receive(
            self.table,
            content=data["answers"].encode(),
            key=data["key"],
            more_keys=data["more_keys"],
            default=data["default"],
            by=request.user,
        )
        return Response(LevelAnswersSerializer(found).data, status=status.HTTP_202_ACCEPTED)
