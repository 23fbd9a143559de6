"""Documents of outside assessments for programs: the same service and rules as the page."""

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
from projects.core.api import ProjectAPIView
from projects.core.assessments.selectors import order_get
from projects.core.selectors import project_get
from projects.datasets.upload.receiving import ReceivingView
from projects.datasets.upload.scans import scan_receiving, scan_taken
from projects.datasets.upload.uploading import FIELD, Upload

from . import rules, services
from .models import AssessmentDocument
from .views import document_response


class AssessmentDocumentSerializer(serializers.ModelSerializer[AssessmentDocument]):
    """The outside body's own document: ``size`` in bytes, ``sha256`` in hexadecimal."""

    kept_by = serializers.CharField(source="kept_by.full_name")

    class Meta:
        model = AssessmentDocument
        fields = ("order", "sha256", "size", "kept_by", "kept_at")
        read_only_fields = fields


class AssessmentDocumentUploadSerializer(serializers.Serializer[Any]):
    file = serializers.FileField()


class AssessmentDocumentView(OpenedOnRecord, ReceivingView, ProjectAPIView):
    """The outside body's own document of an assessment."""

    inside = True
    parser_classes = (MultiPartParser,)

    def receiving(self, request: HttpRequest) -> Upload:
        return scan_receiving(request, services.PURPOSE)

    def admit(self, user: Person, **arguments: Any) -> None:
        order = order_get(project_get(user, arguments["project_id"]), arguments["order_id"])
        rules.may_keep(user, order).require()

    @extend_schema("assessments_document", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, project_id: uuid.UUID, order_id: uuid.UUID) -> Any:
        """The file; opening it is recorded."""
        return document_response(order_get(self.project, order_id), by=request.user)

    @extend_schema(
        "assessments_document_keep",
        request={"multipart/form-data": AssessmentDocumentUploadSerializer},
        responses={201: AssessmentDocumentSerializer},
    )
    def post(self, request: Request, project_id: uuid.UUID, order_id: uuid.UUID) -> Response:
        """The assessor who has the order: keep the document, once."""
        assert self.upload is not None
        stored = scan_taken(self.upload, request.FILES.get(FIELD))
        if stored is None:
            raise serializers.ValidationError({FIELD: [rules.DocumentReason.FILE_NEEDED.label]})
        made = services.document_keep(order_get(self.project, order_id), stored=stored, by=request.user)
        return Response(AssessmentDocumentSerializer(made).data, status=status.HTTP_201_CREATED)
