"""API of the tables of a project and the links between them (ADR 10)."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView
from projects.core.models import Project

from .. import rules
from ..models import Table
from . import services as declaring
from .selectors import datasets_now, links_of, table_of

TABLE = OpenApiParameter(
    "table", OpenApiTypes.UUID, description="One of several tables; without it the first"
)


class TableAPIView(ProjectAPIView):
    """What a caller asks about one table of a project; 404 for a table of others. Its schema names ``TABLE``."""

    @property
    def table(self) -> Table:
        return table_of(self.project, self.request.query_params.get("table"))


class TableSerializer(serializers.Serializer[Any]):
    """A table with its current data set. ``main``: other endpoints mean it where they name no table."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    main = serializers.BooleanField()
    dataset = serializers.UUIDField(allow_null=True)
    status = serializers.CharField(allow_blank=True)


class LinkSerializer(serializers.Serializer[Any]):
    """A column that refers to one of another table. ``counts``: of rows and keys, when it was checked last."""

    table = serializers.CharField(source="source.name")
    column = serializers.CharField(source="source_column")
    to_table = serializers.CharField(source="target.name")
    to_column = serializers.CharField(source="target_column")
    of_person = serializers.BooleanField()
    counts = serializers.JSONField()
    checked_at = serializers.DateTimeField(allow_null=True)


class TablesSerializer(serializers.Serializer[Any]):
    tables = TableSerializer(many=True)
    links = LinkSerializer(many=True)


class TablesWriteSerializer(serializers.Serializer[Any]):
    """All tables by name, the first one first; fewer than two: a single table."""

    tables = serializers.ListField(child=serializers.CharField(max_length=40), max_length=100)


class LinkWriteSerializer(serializers.Serializer[Any]):
    """``of_person``: the values of the two columns stand for persons."""

    table = serializers.CharField(max_length=40)
    column = serializers.CharField(max_length=512)
    to_table = serializers.CharField(max_length=40)
    to_column = serializers.CharField(max_length=512)
    of_person = serializers.BooleanField(default=True)


class LinksWriteSerializer(serializers.Serializer[Any]):
    """All links; what is not in the list is taken out."""

    links = LinkWriteSerializer(many=True, max_length=100)  # type: ignore[call-arg]


class _Tables(ProjectAPIView):
    def answer(self, project: Project, code: int = status.HTTP_200_OK) -> Response:
        tables = [
            {
                "id": table.pk,
                "name": table.name,
                "main": table.is_first,
                "dataset": dataset.pk if dataset is not None else None,
                "status": dataset.status if dataset is not None else "",
            }
            for table, dataset in datasets_now(project)
        ]
        content = {"tables": tables, "links": links_of(project)}
        return Response(TablesSerializer(content).data, status=code)


class Tables(_Tables):
    """The tables of the project and the links between them."""

    @extend_schema("dataset_tables", responses=TablesSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return self.answer(self.project)

    @extend_schema("dataset_tables_declare", request=TablesWriteSerializer, responses=TablesSerializer)
    def put(self, request: Request, project_id: uuid.UUID) -> Response:
        """Say which tables there are; uploads and scans then name one by ``?table=`` and its id."""
        rules.may_declare_tables(request.user, self.project).require()
        given = self.sent(TablesWriteSerializer)
        declaring.tables_declare(self.project, names=given["tables"], by=request.user)
        return self.answer(self.project)


class Links(_Tables):
    @extend_schema("dataset_links_declare", request=LinksWriteSerializer, responses=TablesSerializer)
    def put(self, request: Request, project_id: uuid.UUID) -> Response:
        """Say which columns refer to which; whether they join is counted by a job."""
        rules.may_declare_tables(request.user, self.project).require()
        given = self.sent(LinksWriteSerializer)
        links = [
            declaring.Given(one["table"], one["column"], one["to_table"], one["to_column"], one["of_person"])
            for one in given["links"]
        ]
        declaring.links_declare(self.project, links=links, by=request.user)
        return self.answer(self.project)


class LinksCheck(_Tables):
    @extend_schema("dataset_links_check", request=None, responses={202: TablesSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Count again whether the links join."""
        declaring.links_check(self.project, by=request.user)
        return self.answer(self.project, status.HTTP_202_ACCEPTED)
