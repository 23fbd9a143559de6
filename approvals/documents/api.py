"""Documents through the API."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from .models import Document
from .selectors import document_get
from .services import document_open


class DocumentSerializer(serializers.ModelSerializer[Document]):
    """What a document is about; its bytes are at ``…/content/``."""

    class Meta:
        model = Document
        fields = (
            "id", "project_id", "kind", "number", "title", "language", "subject_kind", "subject_id",
            "subject_hash", "sha256", "size", "created_at",
        )  # fmt: skip
        read_only_fields = fields


class DocumentView(APIView):
    """Facts about one document."""

    @extend_schema("documents_retrieve", responses=DocumentSerializer)
    def get(self, request: Request, document_id: uuid.UUID) -> Response:
        """Who may see what the document is about."""
        return Response(DocumentSerializer(document_get(request.user, document_id)).data)


class DocumentContentView(APIView):
    """The PDF itself."""

    @extend_schema("documents_content", responses={(200, "application/pdf"): OpenApiTypes.BINARY})
    def get(self, request: Request, document_id: uuid.UUID) -> Any:
        """Who may see what the document is about."""
        from .views import pdf_response

        document = document_get(request.user, document_id)
        return pdf_response(document_open(document), document.filename, download=True)
