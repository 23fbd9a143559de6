"""API of tables of statistics: the same services and rules as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import OpenedOnRecord, given
from projects.core.api import ProjectAPIView, SignedSerializer
from projects.releases.rules import may_receive_agreed
from techniques.catalogue import bases
from techniques.core.validation import validated

from . import rules, services
from .definition import Definition
from .enums import TableStatus
from .models import Tabulation
from .presentation import made_for_readers, promised_to_readers, report_view
from .selectors import requested_by, signed_for, tabulation_get, tabulations_of
from .views import csv_response, own_release

_CSV = {(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR)}


class StatisticsTableSerializer(serializers.ModelSerializer[Tabulation]):
    made_by = serializers.CharField(source="made_by.username", read_only=True)
    reviewed_by = serializers.CharField(source="reviewed_by.username", read_only=True, default=None)
    signed_by = serializers.CharField(source="signed_by.username", read_only=True, default=None)
    refused_by = serializers.CharField(source="refused_by.username", read_only=True, default=None)
    status = serializers.ChoiceField(choices=TableStatus.choices, read_only=True)

    class Meta:
        model = Tabulation
        fields = (
            "id", "number", "title", "definition", "rules_name", "status", "failed_code", "result_sha256", "made_by", "made_at",
            "reviewed_by", "reviewed_at", "reviewed_reason", "signed_by", "signed_at", "signed_reason", "refused_by", "refused_at",
            "refused_reason",
        )  # fmt: skip
        read_only_fields = fields


class HiddenCellSerializer(serializers.Serializer[Any]):
    labels = serializers.ListField(child=serializers.CharField(allow_blank=True))
    kind = serializers.ChoiceField(choices=["primary", "secondary", "sensitive"])
    why = serializers.ListField(child=serializers.CharField())
    low = serializers.FloatField(
        allow_null=True, help_text="What a reader can bound it to; null where nothing bounds it."
    )
    high = serializers.FloatField(allow_null=True)
    closed = serializers.BooleanField(allow_null=True, help_text="Whether it stays as open as the rules ask.")
    value = serializers.FloatField(required=False, help_text="For the executor and the supervisor.")
    contributors = serializers.IntegerField(required=False)
    room = serializers.FloatField(
        required=False, help_text="For who may know the rules: in multiples of what they ask."
    )


class StatisticsTableDetailSerializer(serializers.Serializer[Any]):
    table = StatisticsTableSerializer()
    basis = serializers.CharField(help_text="The clauses.")
    cells = serializers.IntegerField()
    hidden = HiddenCellSerializer(many=True, help_text="Each hidden or sensitive cell and why.")
    statements = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())


class TableMakeSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=120)
    dataset = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Name of the table; a single one has none."
    )
    definition = serializers.JSONField(
        help_text="kind, column, spans, holding, total, negative, base, least."
    )
    rules = serializers.UUIDField(help_text="A set in force, from /organisation/table-rules/.")
    cells = serializers.CharField(
        required=False, allow_blank=True, default="", trim_whitespace=False, max_length=services.UPLOAD_LIMIT,
        help_text="The cells of a table that was made elsewhere, as CSV; then nothing is read from the project's data.",
    )  # fmt: skip


class TableDecideSerializer(SignedSerializer):
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class MadeOfSerializer(serializers.Serializer[Any]):
    what = serializers.CharField()
    which = serializers.CharField()


class SignedTableSerializer(serializers.ModelSerializer[Tabulation]):
    """A signed table with what it is, the clauses, and what its reader is promised and what not; the numbers of the rules are secrets."""

    basis = serializers.SerializerMethodField(help_text="The clauses.")
    made_of = serializers.SerializerMethodField()
    statements = serializers.SerializerMethodField()

    class Meta:
        model = Tabulation
        fields = ("id", "number", "title", "result_sha256", "signed_at", "basis", "made_of", "statements")
        read_only_fields = fields

    def get_basis(self, table: Tabulation) -> str:
        return bases.TABLES

    @extend_schema_field(MadeOfSerializer(many=True))
    def get_made_of(self, table: Tabulation) -> list[dict[str, str]]:
        return [{"what": what, "which": which} for what, which in made_for_readers(table)]

    def get_statements(self, table: Tabulation) -> list[str]:
        return promised_to_readers(table)


class TablesView(ProjectAPIView):
    """The tables of statistics of the project; and making one, or bringing one in."""

    inside = True

    @extend_schema(responses=StatisticsTableSerializer(many=True), operation_id="projects_statistics_list")
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(StatisticsTableSerializer(tabulations_of(self.project), many=True).data)

    @extend_schema(request=TableMakeSerializer, responses={201: StatisticsTableSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_make(request.user, self.project).require()
        data = self.sent(TableMakeSerializer)
        definition = validated(Definition, data["definition"], "definition")
        common: dict[str, Any] = {
            "title": data["title"],
            "definition": definition,
            "rules_id": data["rules"],
            "by": request.user,
        }
        made = (
            services.table_import(self.project, content=data["cells"].encode(), **common)
            if data["cells"]
            else services.table_make(self.project, source=data["dataset"], **common)
        )
        return Response(StatisticsTableSerializer(made).data, status=201)


class TableView(ProjectAPIView):
    """One table: why each cell is hidden and how closely it can be bounded, as far as the caller may know."""

    inside = True

    @extend_schema(responses=StatisticsTableDetailSerializer, operation_id="projects_statistics_read")
    def get(self, request: Request, project_id: uuid.UUID, tabulation_id: uuid.UUID) -> Response:
        found = tabulation_get(self.project, tabulation_id)
        view = report_view(found, request.user) or {
            "cells": 0,
            "reasons": [],
            "statements": [],
            "warnings": [],
        }
        return Response(
            StatisticsTableDetailSerializer(
                {"table": found, "basis": bases.TABLES, "hidden": view["reasons"], **view}
            ).data
        )


class TableDecideView(ProjectAPIView):
    """The word of whoever is next: the supervisor, then senior management; either takes back what was signed."""

    inside = True

    @extend_schema(request=TableDecideSerializer, responses=StatisticsTableSerializer)
    def post(self, request: Request, project_id: uuid.UUID, tabulation_id: uuid.UUID) -> Response:
        found = tabulation_get(self.project, tabulation_id)
        rules.may_refuse(request.user, found).require()
        data = self.signed(TableDecideSerializer)
        return Response(StatisticsTableSerializer(services.table_decide(found, **data, by=request.user)).data)


class TableFileView(OpenedOnRecord, ProjectAPIView):
    """The table as it goes out, for who makes or judges it."""

    inside = True

    @extend_schema(responses=_CSV)
    def get(self, request: Request, project_id: uuid.UUID, tabulation_id: uuid.UUID) -> Any:
        found = tabulation_get(self.project, tabulation_id)
        rules.may_fetch(request.user, found).require()
        return csv_response(found, services.table_fetch(found, by=request.user))


class RequestedTableSerializer(serializers.ModelSerializer[Tabulation]):
    """A table that the caller asked for out of an enclave."""

    status = serializers.ChoiceField(choices=TableStatus.choices, read_only=True)

    class Meta:
        model = Tabulation
        fields = ("id", "number", "title", "purpose", "definition", "status", "failed_code", "made_at")
        read_only_fields = fields


class TableAskSerializer(serializers.Serializer[Any]):
    """``definition``: kind, column and spans, of released columns. ``purpose``: what it is needed for."""

    title = serializers.CharField(max_length=120)
    purpose = serializers.CharField(max_length=500)
    dataset = serializers.CharField(required=False, allow_blank=True, default="")
    definition = serializers.JSONField()


class OwnTablesView(APIView):
    """The signed tables that a recipient may have; the recipient of an enclave asks for one."""

    @extend_schema(
        request=TableAskSerializer,
        responses={201: RequestedTableSerializer},
        operation_id="receive_statistics_ask",
    )
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        rules.may_ask(request.user, release).require()
        data = given(TableAskSerializer(data=request.data))
        made = services.table_ask(
            release,
            title=data["title"],
            purpose=data["purpose"],
            source=data["dataset"],
            definition=validated(Definition, data["definition"], "definition"),
            by=request.user,
        )
        return Response(RequestedTableSerializer(made).data, status=201)

    @extend_schema(responses=SignedTableSerializer(many=True), operation_id="receive_statistics_list")
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        may_receive_agreed(request.user, release).require()
        found = signed_for(request.user, release.project)
        return Response(SignedTableSerializer(found, many=True).data)


class OwnTableFileView(OpenedOnRecord, APIView):
    """A signed table."""

    @extend_schema(responses=_CSV)
    def get(self, request: Request, release_id: uuid.UUID, tabulation_id: uuid.UUID) -> Any:
        release = own_release(request, release_id)
        may_receive_agreed(request.user, release).require()
        found = signed_for(request.user, release.project).get(pk=tabulation_id)
        return csv_response(found, services.table_fetch(found, by=request.user, release=release))


class RequestedTablesView(APIView):
    """What the caller asked for out of an enclave, and how far it is; looking at its cells has no endpoint."""

    @extend_schema(responses=RequestedTableSerializer(many=True), operation_id="receive_statistics_requested")
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        may_receive_agreed(request.user, release).require()
        found = requested_by(request.user, release.project)
        return Response(RequestedTableSerializer(found, many=True).data)
