"""The organisation's tables for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from projects.identification.enums import ColumnRole
from techniques.core.kinds import KINDS
from techniques.identification.metadata.forms import LONGEST

from . import exchange, rules, selectors, services
from .library import library, own_rules


class EntrySerializer(serializers.Serializer[Any]):
    """The five fields of the metadata table, the kind and the suggested role."""

    kind = serializers.SlugField(required=False, allow_blank=True, max_length=40)
    name = serializers.CharField(max_length=80)
    meaning = serializers.CharField(max_length=300)
    format = serializers.CharField(max_length=300)
    data_types = serializers.ListField(child=serializers.CharField(max_length=40), required=False)
    field_names = serializers.ListField(child=serializers.CharField(max_length=100), allow_empty=False)
    role = serializers.ChoiceField(choices=ColumnRole.choices)
    value_form = serializers.CharField(max_length=LONGEST, required=False, allow_blank=True)


class EntryWriteSerializer(EntrySerializer):
    """An entry with the reason for writing it."""

    reason = serializers.CharField(write_only=True, max_length=500)

    def validate_kind(self, value: str) -> str:
        if value and value not in KINDS:
            text = _("Not a known kind; leave it empty for your own identifier.")
            raise serializers.ValidationError(text)
        return value


class ReasonSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=500)


class ImportSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()
    reason = serializers.CharField(max_length=500)


class VersionSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    reason = serializers.CharField()
    entry_count = serializers.IntegerField()
    content_hash = serializers.CharField()
    created_by = serializers.CharField(source="created_by.full_name", default=None)
    created_at = serializers.DateTimeField()


class RuleSerializer(serializers.Serializer[Any]):
    kind = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField()
    strength = serializers.CharField()
    checks = serializers.CharField()
    example = serializers.CharField()


class MetadataList(APIView):
    """The entries of the table; POST adds one."""

    @extend_schema(
        "organisation_metadata_list",
        parameters=[OpenApiParameter("version", OpenApiTypes.INT, description="An earlier version.")],
        responses=EntrySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        rules.may_read_organisation(request.user).require()
        text = request.query_params.get("version", "")
        version = int(text) if text.isdecimal() and len(text) < 9 else None
        return Response(EntrySerializer(selectors.metadata_entries(version), many=True).data)

    @extend_schema(
        "organisation_metadata_add", request=EntryWriteSerializer, responses={201: EntrySerializer}
    )
    def post(self, request: Request) -> Response:
        rules.may_edit_metadata(request.user).require()
        values = given(EntryWriteSerializer(data=request.data))
        values.setdefault("data_types", [])
        entry = services.entry_add(**values, by=request.user)
        return Response(EntrySerializer(entry).data, status=status.HTTP_201_CREATED)


class MetadataDetail(APIView):
    """One entry: PUT changes it, DELETE takes it out; both make a new version."""

    @extend_schema("organisation_metadata_get", responses=EntrySerializer)
    def get(self, request: Request, kind: str) -> Response:
        rules.may_read_organisation(request.user).require()
        return Response(EntrySerializer(selectors.metadata_entry(kind)).data)

    @extend_schema("organisation_metadata_change", request=EntryWriteSerializer, responses=EntrySerializer)
    def put(self, request: Request, kind: str) -> Response:
        rules.may_edit_metadata(request.user).require()
        selectors.metadata_entry(kind)
        values = given(EntryWriteSerializer(data=request.data))
        values.pop("kind", None)
        entry = services.entry_edit(kind, **values, by=request.user)
        return Response(EntrySerializer(entry).data)

    @extend_schema("organisation_metadata_remove", request=ReasonSerializer, responses={204: None})
    def delete(self, request: Request, kind: str) -> Response:
        rules.may_edit_metadata(request.user).require()
        selectors.metadata_entry(kind)
        services.entry_remove(kind, **given(ReasonSerializer(data=request.data)), by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class MetadataFile(APIView):
    """The whole table as CSV: GET writes it, POST replaces the table by it or changes nothing."""

    @extend_schema(
        "organisation_metadata_export", responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR)}
    )
    def get(self, request: Request) -> HttpResponse:
        rules.may_read_organisation(request.user).require()
        text = exchange.table_write(selectors.metadata_entries())
        return HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")

    @extend_schema(
        "organisation_metadata_import",
        request={"multipart/form-data": ImportSerializer},
        responses={200: VersionSerializer, 400: OpenApiTypes.OBJECT},
    )
    def post(self, request: Request) -> Response:
        rules.may_edit_metadata(request.user).require()
        values = given(ImportSerializer(data=request.data))
        if values["file"].size > exchange.LIMIT_BYTES:
            raise serializers.ValidationError({"file": [_("The file is larger than 1 MB.")]})
        try:
            entries = exchange.table_read(values["file"].read())
        except exchange.BadTable as error:
            problems = [{"row": p.row, "column": p.column, "text": p.text} for p in error.problems]
            return Response({"code": "bad_table", "problems": problems}, status=status.HTTP_400_BAD_REQUEST)
        version = services.table_replace(entries, reason=values["reason"], by=request.user)
        return Response(VersionSerializer(version).data)


class VersionList(APIView):
    """Every version of the table, the newest first."""

    @extend_schema("organisation_metadata_versions", responses=VersionSerializer(many=True))
    def get(self, request: Request) -> Response:
        rules.may_read_organisation(request.user).require()
        return Response(VersionSerializer(selectors.versions(), many=True).data)


class RuleList(APIView):
    """The rule library."""

    @extend_schema("organisation_rules", responses=RuleSerializer(many=True))
    def get(self, request: Request) -> Response:
        rules.may_read_organisation(request.user).require()
        return Response(RuleSerializer([*library(), *own_rules()], many=True).data)
