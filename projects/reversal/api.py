"""API of reversal: the same services and rules as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.processing.runs.selectors import run_get

from . import rules
from .contents import MOST_VALUES
from .enums import WayBack
from .models import ReversalRequest
from .selectors import is_current, reversal_get, reversals_of, reversible_columns
from .services import reversal_ask, reversal_decide, reversal_end, reversal_read


class ReversalSerializer(serializers.ModelSerializer[ReversalRequest]):
    run = serializers.IntegerField(source="run.number", read_only=True)
    asked_by = serializers.CharField(source="asked_by.username", read_only=True)
    decided_by = serializers.CharField(source="decided_by.username", read_only=True, default=None)
    of_current_result = serializers.SerializerMethodField(
        help_text="Whether the run that is asked about wrote the project's current result."
    )

    class Meta:
        model = ReversalRequest
        fields = (
            "id", "number", "run", "of_current_result", "table", "column", "way", "values_count", "reason", "asked_by",
            "asked_at", "status",
            "decided_by", "decided_at", "decision_reason", "failed_code", "found_count", "readable_until", "reads",
        )  # fmt: skip
        read_only_fields = fields

    def get_of_current_result(self, request: ReversalRequest) -> bool:
        return is_current(request)


class ReversalAskSerializer(serializers.Serializer[Any]):
    run = serializers.UUIDField()
    table = serializers.CharField(
        max_length=40,
        required=False,
        allow_blank=True,
        default="",
        help_text="Name of the run's table where it has several; by default the first one.",
    )
    column = serializers.CharField(max_length=512, trim_whitespace=False)
    values = serializers.ListField(
        child=serializers.CharField(trim_whitespace=False), allow_empty=False, max_length=MOST_VALUES
    )
    reason = serializers.CharField(max_length=500)


class ReversalDecideSerializer(serializers.Serializer[Any]):
    approve = serializers.BooleanField(help_text="False refuses, and destroys the values asked for.")
    reason = serializers.CharField(max_length=500)


class ReversibleSerializer(serializers.Serializer[Any]):
    run = serializers.UUIDField(source="run.pk")
    number = serializers.IntegerField(source="run.number")
    table = serializers.CharField(help_text="Empty where the run has a single table.")
    column = serializers.CharField()
    way = serializers.ChoiceField(choices=WayBack.choices)


class ReversalAnswerSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    in_result = serializers.BooleanField(help_text="Whether it stands in the column of the run's result.")
    original = serializers.CharField(allow_null=True)


class ReversalList(ProjectAPIView):
    """The project's requests, newest first, without any value; and asking for values."""

    @extend_schema(responses=ReversalSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(ReversalSerializer(reversals_of(self.project), many=True).data)

    @extend_schema(request=ReversalAskSerializer, responses={201: ReversalSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_ask(request.user, self.project).require()
        data = self.sent(ReversalAskSerializer)
        run = run_get(self.project, data["run"])
        made = reversal_ask(
            run,
            table=data["table"] or next(iter(run.recipe_version.tables)),
            column=data["column"],
            values=data["values"],
            reason=data["reason"],
            by=request.user,
        )
        return Response(ReversalSerializer(made).data, status=201)


class ReversibleColumns(ProjectAPIView):
    """The columns of the project's runs from which a way leads back."""

    @extend_schema(responses=ReversibleSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(ReversibleSerializer(reversible_columns(self.project), many=True).data)


class ReversalDetail(ProjectAPIView):
    """One request, without any value."""

    @extend_schema(responses=ReversalSerializer)
    def get(self, request: Request, project_id: uuid.UUID, reversal_id: uuid.UUID) -> Response:
        return Response(ReversalSerializer(reversal_get(self.project, reversal_id)).data)


class ReversalDecide(ProjectAPIView):
    """The second person's word."""

    @extend_schema(request=ReversalDecideSerializer, responses=ReversalSerializer)
    def post(self, request: Request, project_id: uuid.UUID, reversal_id: uuid.UUID) -> Response:
        found = reversal_get(self.project, reversal_id)
        rules.may_refuse(request.user, found).require()
        data = self.sent(ReversalDecideSerializer)
        found = reversal_decide(found, approve=data["approve"], reason=data["reason"], by=request.user)
        return Response(ReversalSerializer(found).data)


class ReversalRead(ProjectAPIView):
    """The values, for who asked, while the time runs; each reading is recorded."""

    @extend_schema(request=None, responses=ReversalAnswerSerializer(many=True))
    def post(self, request: Request, project_id: uuid.UUID, reversal_id: uuid.UUID) -> Response:
        found = reversal_get(self.project, reversal_id)
        rules.may_read(request.user, found).require()
        return Response(ReversalAnswerSerializer(reversal_read(found, by=request.user), many=True).data)


class ReversalEnd(ProjectAPIView):
    """Destroy the answer before its time is over."""

    @extend_schema(request=None, responses=ReversalSerializer)
    def post(self, request: Request, project_id: uuid.UUID, reversal_id: uuid.UUID) -> Response:
        found = reversal_get(self.project, reversal_id)
        rules.may_end(request.user, found).require()
        return Response(ReversalSerializer(reversal_end(found, by=request.user)).data)
