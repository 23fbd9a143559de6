"""Pages of documents: one, the document itself."""

from __future__ import annotations

import uuid

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from .selectors import document_get
from .services import document_open

# The browser's own viewer wraps the file in a page with inline styles; the file itself runs nothing.
VIEWER_POLICY = {
    "default-src": [NONE],
    "object-src": [SELF],
    "style-src": [UNSAFE_INLINE],
    "frame-ancestors": [NONE],
}


def pdf_response(content: bytes, filename: str, *, download: bool = False) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response["Content-Disposition"] = content_disposition_header(download, filename) or "inline"
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_safe
@csp_replace(VIEWER_POLICY)  # type: ignore[arg-type]
def open_document(request: HttpRequest, document_id: uuid.UUID) -> HttpResponse:
    """Who may see what the document is about (members of the project, auditors, current assessors)."""
    document = document_get(request.user, document_id)
    return pdf_response(document_open(document), document.filename, download="download" in request.GET)
