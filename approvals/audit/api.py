"""API of the audit log. Auditors only."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion

from . import checks, rules
from .anchors import anchor_read
from .models import AuditCheck, AuditEvent
from .readers.export import export_note, json_lines
from .registry import sentence_for
from .selectors import events_matching
from .verify import stored_head


class LogFilterSerializer(serializers.Serializer[Any]):
    person = serializers.CharField(required=False, default="", max_length=80)
    action = serializers.CharField(required=False, default="", max_length=80)
    project_id = serializers.UUIDField(required=False, default=None, allow_null=True)
    since = serializers.DateField(required=False, default=None, allow_null=True)
    until = serializers.DateField(required=False, default=None, allow_null=True)


class AuditEventSerializer(serializers.ModelSerializer[Any]):
    sentence = serializers.SerializerMethodField()

    class Meta:
        model = AuditEvent
        fields = (
            "seq", "at", "act", "actor", "action", "sentence", "project_id", "subject_kind", "subject_id",
            "subject", "subject_hash", "reason", "facts", "rows", "previous_hash", "hash", "seal",
        )  # fmt: skip
        read_only_fields = fields

    def get_sentence(self, event: AuditEvent) -> str:
        return sentence_for(
            event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
        )


class AnchorSerializer(serializers.Serializer[Any]):
    """A row that was written down, as a plan or a report prints it; both or neither."""

    expect_seq = serializers.IntegerField(required=False, min_value=1, max_value=2**62)
    expect_hash = serializers.CharField(
        required=False,
        default="",
        max_length=160,
        help_text="64 hexadecimal digits, or the first 16 at least.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"anchor": anchor_read(attrs.get("expect_seq"), attrs["expect_hash"])}
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class AuditCheckSerializer(serializers.ModelSerializer[Any]):
    faults = serializers.SerializerMethodField()
    percent = serializers.IntegerField(read_only=True)

    class Meta:
        model = AuditCheck
        fields = (
            "id", "started_at", "finished_at", "rows", "percent", "expected_seq", "expected_hash", "faults",
        )  # fmt: skip
        read_only_fields = fields

    def get_faults(self, check: AuditCheck) -> list[dict[str, Any]]:
        return [
            {"kind": fault.kind.value, "text": str(fault), **fault.params}
            for fault in checks.faults_of(check)
        ]


class AuditLogView(APIView):
    """Auditors and assessors."""

    @extend_schema(
        "audit_events_list",
        parameters=[LogFilterSerializer, *PORTION],
        responses=AuditEventSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        rules.may_read_log(request.user).require()
        filters = given(LogFilterSerializer(data=request.query_params))
        return portion(request, events_matching(**filters), AuditEventSerializer)


class AuditChainView(APIView):
    """Auditors: the whole chain as JSON Lines."""

    @extend_schema(request=None, responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY})
    def post(self, request: Request) -> StreamingHttpResponse:
        rules.may_read_log(request.user).require()
        export_note("JSON Lines", by=request.user)
        return StreamingHttpResponse(json_lines(stored_head()), content_type="application/x-ndjson")


class AuditCheckListView(APIView):
    """Auditors: start a check of the chain."""

    @extend_schema("audit_checks_create", request=AnchorSerializer, responses={201: AuditCheckSerializer})
    def post(self, request: Request) -> Response:
        rules.may_read_log(request.user).require()
        sent = given(AnchorSerializer(data=request.data))
        check = checks.check_start(by=request.user, anchor=sent["anchor"])
        check = checks.check_continue(check, by=request.user)
        return Response(AuditCheckSerializer(check).data, status=status.HTTP_201_CREATED)


class AuditCheckView(APIView):
    """Auditors: how far a check is, or (POST) a slice more of it."""

    @extend_schema("audit_checks_read", responses=AuditCheckSerializer)
    def get(self, request: Request, check_id: uuid.UUID) -> Response:
        rules.may_read_log(request.user).require()
        return Response(AuditCheckSerializer(AuditCheck.objects.get(pk=check_id)).data)

    @extend_schema("audit_checks_continue", request=None, responses=AuditCheckSerializer)
    def post(self, request: Request, check_id: uuid.UUID) -> Response:
        rules.may_read_log(request.user).require()
        check = checks.check_continue(AuditCheck.objects.get(pk=check_id), by=request.user)
        return Response(AuditCheckSerializer(check).data)
