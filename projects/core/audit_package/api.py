"""The audit package, for programs."""

from __future__ import annotations

import uuid

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ..api import ProjectAPIView
from .services import package_take
from .views import package_response


class AuditPackageView(ProjectAPIView):
    """Auditors, assessors, and who plans, supervises or signs: everything about the project as a ZIP file."""

    @extend_schema(
        "projects_audit_package", request=None, responses={(200, "application/zip"): OpenApiTypes.BINARY}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> StreamingHttpResponse:
        return package_response(package_take(self.project, by=request.user))
