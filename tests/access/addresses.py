"""Every address of the portal, read from the resolver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.views import APIView

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Address:
    """``name`` with its namespace, the arguments that its path takes, and the view behind it."""

    name: str
    route: str
    arguments: tuple[str, ...]
    view: Any

    @property
    def is_api(self) -> bool:
        """An endpoint; the pages about the API are pages."""
        return self.methods is not None

    @property
    def is_class(self) -> bool:
        """Views of Django's own classes describe their methods."""
        return hasattr(self.view, "view_class")

    @property
    def methods(self) -> tuple[str, ...] | None:
        """What the view of an endpoint answers; a page's view does not say, so None."""
        cls = getattr(self.view, "cls", None) or getattr(self.view, "view_class", None)
        if cls is None or not issubclass(cls, APIView):
            return None
        return tuple(method for method in METHODS if hasattr(cls, method.lower()))


def addresses() -> dict[str, Address]:
    """By name. An address without a name is listed by its path and so found to be without expectation."""
    return {address.name: address for address in _below(get_resolver(), "", "")}


def _below(resolver: URLResolver, namespace: str, route: str) -> Iterator[Address]:
    for entry in resolver.url_patterns:
        path = route + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _below(entry, namespace + (f"{entry.namespace}:" if entry.namespace else ""), path)
        elif isinstance(entry, URLPattern):
            name = namespace + entry.name if entry.name else f"/{path}"
            arguments = [part.split(":")[-1].rstrip(">") for part in path.split("<")[1:]]
            yield Address(name, path, tuple(a.split(">")[0] for a in arguments), entry.callback)
