"""The page that documents the API: every operation of the schema, in the portal's own design."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from deid_portal.access import for_staff

METHODS = ("get", "post", "put", "patch", "delete")


class Operation(NamedTuple):
    """One method of one address, as the schema has it."""

    group: str
    method: str
    path: str
    name: str
    description: str
    asks: str
    answers: str


def _named(content: dict[str, Any]) -> str:
    """What a body holds: the schema's name, or its media type."""
    for media, body in content.items():
        schema = body.get("schema", {})
        many = "[]" if schema.get("type") == "array" else ""
        reference = (schema.get("items", schema) if many else schema).get("$ref", "")
        return reference.rpartition("/")[2] + many if reference else media
    return ""


def _group(path: str) -> str:
    parts = [part for part in path.removeprefix("/api/").split("/") if part]
    inside = [part for part in parts[1:] if "{" not in part]
    return inside[0] if parts[0] == "projects" and len(parts) > 2 and inside else parts[0]


@lru_cache(maxsize=1)
def operations() -> list[Operation]:
    """Every operation, by group and address; the schema is made once per process."""
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    found = []
    for path, item in schema["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            operation = item[method]
            good: dict[str, Any] = next(
                (r for code, r in operation["responses"].items() if str(code).startswith("2")), {}
            )
            found.append(
                Operation(
                    group=_group(path),
                    method=method.upper(),
                    path=path,
                    name=operation["operationId"],
                    description=operation.get("description", ""),
                    asks=_named(operation.get("requestBody", {}).get("content", {})),
                    answers=_named(good.get("content", {})),
                )
            )
    return sorted(found, key=lambda one: (one.group, one.path))


@require_safe
@login_required
@for_staff
def api_docs(request: HttpRequest) -> HttpResponse:
    """Every signed-in person of the organisation."""
    groups = [(name, list(ones)) for name, ones in groupby(operations(), key=lambda one: one.group)]
    return render(request, "api/docs.html", {"groups": groups, "base": request.build_absolute_uri("/api/")})
