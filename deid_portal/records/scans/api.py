"""API of the scans of records of staff."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from approvals.api import OpenedOnRecord
from approvals.governance.person import Person
from projects.datasets.upload.receiving import ReceivingView
from projects.datasets.upload.scans import scan_receiving, scan_taken
from projects.datasets.upload.uploading import FIELD, Upload

from .. import rules
from ..models import RecordScan
from . import services
from .views import PURPOSE, scan_response


class RecordScanSerializer(serializers.ModelSerializer[RecordScan]):
    """The scan that is kept of a record: ``size`` in bytes, ``sha256`` in hexadecimal; ``destroyed``: with the record, as it was
    withdrawn."""

    kept_by = serializers.CharField(source="kept_by.username")
    destroyed = serializers.BooleanField(source="is_destroyed")

    class Meta:
        model = RecordScan
        fields = ("sha256", "size", "kept_by", "kept_at", "destroyed")
        read_only_fields = fields


class ScanUploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()


class RecordScanView(OpenedOnRecord, ReceivingView):
    """Administrators: the scan of the paper behind a record."""

    parser_classes = (MultiPartParser,)

    def receiving(self, request: HttpRequest) -> Upload:
        return scan_receiving(request, PURPOSE)

    def admit(self, user: Person, **arguments: Any) -> None:
        rules.may_read(user).require()
        rules.may_keep_scan(user, services.record_get(arguments["record_id"])).require()

    @extend_schema("records_scan_file", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, record_id: uuid.UUID) -> Any:
        """The file; opening it is recorded."""
        rules.may_read(request.user).require()
        return scan_response(services.record_get(record_id), by=request.user)

    @extend_schema(
        "records_scan_keep",
        request={"multipart/form-data": ScanUploadSerializer},
        responses={201: RecordScanSerializer},
    )
    def post(self, request: Request, record_id: uuid.UUID) -> Response:
        """Keep the scan, once; where the record has a SHA-256, the file must have it."""
        assert self.upload is not None
        stored = scan_taken(self.upload, request.FILES.get(FIELD))
        if stored is None:
            raise serializers.ValidationError({FIELD: [rules.RecordReason.SCAN_NEEDED.label]})
        made = services.scan_keep(services.record_get(record_id), stored=stored, by=request.user)
        return Response(RecordScanSerializer(made).data, status=status.HTTP_201_CREATED)
