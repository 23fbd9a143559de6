"""The audit package as a file."""

from __future__ import annotations

import uuid

from django.http import HttpRequest, StreamingHttpResponse
from django.views.decorators.http import require_POST

from ..selectors import project_get
from .contents import Package
from .services import package_take
from .writing import pieces_of


@require_POST
def take(request: HttpRequest, project_id: uuid.UUID) -> StreamingHttpResponse:
    """Auditors, assessors, and who plans, supervises or signs: everything about the project. Leaves an event, so it is a POST."""
    return package_response(package_take(project_get(request.user, project_id), by=request.user))


def package_response(package: Package) -> StreamingHttpResponse:
    response = StreamingHttpResponse(pieces_of(package), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{package.filename}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "no-store, private"
    return response
