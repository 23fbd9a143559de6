"""API of queries in the enclave: the same services and rules as the pages. The rows that a query found have no endpoint: there the data do
not leave the portal's own pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from projects.core.api import ProjectAPIView
from projects.releases.rules import may_look_inside

from . import rules, services
from .enums import QueryState
from .models import EnclaveQuery
from .presentation import failure_text
from .selectors import queries_by, queries_of, query_get, sources_of
from .views import own_release


class EnclaveQuerySerializer(serializers.ModelSerializer[EnclaveQuery]):
    """A query by the hash of its text; ``row_count`` rows are shown, and where ``is_cut`` there are more."""

    status = serializers.ChoiceField(choices=QueryState.choices, read_only=True)
    asked_by = serializers.CharField(source="asked_by.username", read_only=True)
    sha256 = serializers.CharField(source="statement.sha256", read_only=True)
    tables = serializers.ListField(child=serializers.CharField(), read_only=True)
    failure = serializers.SerializerMethodField()

    class Meta:
        model = EnclaveQuery
        fields = (
            "id", "number", "sha256", "purpose", "asked_by", "asked_at", "kept_until", "status", "failed_code", "failure", "tables",
            "row_count", "is_cut", "milliseconds",
        )  # fmt: skip
        read_only_fields = fields

    def get_failure(self, query: EnclaveQuery) -> str:
        return failure_text(query.failed_code)


class EnclaveSourceSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField(), help_text="Each is text (VARCHAR).")


class OwnEnclaveQueriesSerializer(serializers.Serializer[Any]):
    tables = EnclaveSourceSerializer(
        many=True, help_text="What a query can read, by the names it gives them."
    )
    queries = EnclaveQuerySerializer(many=True)


class EnclaveQueryAskSerializer(serializers.Serializer[Any]):
    statement = serializers.CharField(max_length=services.LONGEST, help_text="One SELECT as DuckDB reads it.")
    purpose = serializers.CharField(max_length=500, required=False, allow_blank=True, default="")


class QueriesView(ProjectAPIView):
    """Who ran which query in the enclave when, by its hash; never a text and never a row."""

    inside = True

    @extend_schema(responses=EnclaveQuerySerializer(many=True), operation_id="projects_enclave_queries_list")
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_read_log(request.user, self.project).require()
        return Response(EnclaveQuerySerializer(queries_of(self.project), many=True).data)


class OwnQueriesView(APIView):
    """The caller's queries over what was released in an enclave, and running one."""

    @extend_schema(responses=OwnEnclaveQueriesSerializer, operation_id="receive_enclave_queries_list")
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        may_look_inside(request.user, release).require()
        tables = [{"name": name, "columns": one.columns} for name, one in sources_of(release).items()]
        found = {"tables": tables, "queries": queries_by(request.user, release)}
        return Response(OwnEnclaveQueriesSerializer(found).data)

    @extend_schema(
        request=EnclaveQueryAskSerializer,
        responses={201: EnclaveQuerySerializer},
        operation_id="receive_enclave_queries_ask",
    )
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        rules.may_query(request.user, release).require()
        data = given(EnclaveQueryAskSerializer(data=request.data))
        query = services.query_ask(release, **data, by=request.user)
        return Response(EnclaveQuerySerializer(query).data, status=201)


class OwnQueryView(APIView):
    """How far a query of the caller is; looking at what it found has no endpoint."""

    @extend_schema(responses=EnclaveQuerySerializer, operation_id="receive_enclave_queries_read")
    def get(self, request: Request, release_id: uuid.UUID, enclave_query_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        may_look_inside(request.user, release).require()
        return Response(EnclaveQuerySerializer(query_get(request.user, release, enclave_query_id)).data)


class OwnQueryCancelView(APIView):
    """Stop a query of the caller."""

    @extend_schema(
        request=None, responses=EnclaveQuerySerializer, operation_id="receive_enclave_queries_cancel"
    )
    def post(self, request: Request, release_id: uuid.UUID, enclave_query_id: uuid.UUID) -> Response:
        release = own_release(request, release_id)
        query = query_get(request.user, release, enclave_query_id)
        services.query_cancel(query, by=request.user)
        return Response(EnclaveQuerySerializer(query_get(request.user, release, query.pk)).data)
