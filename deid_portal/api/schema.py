"""The OpenAPI schema: it is the same for everybody, so each language of it is written once in a process."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from deid_portal.organisation.rules import may_read_organisation


@lru_cache(maxsize=16)
def _written(media_type: str, language: str | None) -> bytes:
    """The schema in the language that is active."""
    renderer = next(one for one in SpectacularAPIView.renderer_classes if one.media_type == media_type)
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    written = renderer().render(schema, renderer_context={})
    return written.encode() if isinstance(written, str) else written


class SchemaView(SpectacularAPIView):
    """The schema as YAML or JSON, whichever is asked for."""

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal is JSON, as everywhere in the API, whichever form of the schema was asked for."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)

    def _get_schema_response(self, request: Request) -> HttpResponse:
        may_read_organisation(request.user).require()
        renderer: Any = request.accepted_renderer
        name = self._get_filename(request, None)  # type: ignore[no-untyped-call]
        return HttpResponse(
            _written(renderer.media_type, get_language()),
            content_type=f"{renderer.media_type}; charset={renderer.charset}"
            if renderer.charset
            else renderer.media_type,
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )
