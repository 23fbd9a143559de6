"""How fast one address may ask for what is published."""

from __future__ import annotations

from typing import Any

from rest_framework.views import APIView

from deid_portal.accounts.clients import AnonymousThrottle


class PublishedThrottle(AnonymousThrottle):
    """Requests of nobody for published pages and files, counted over all processes."""

    scope = "published"


def is_too_often(request: Any) -> bool:
    """Whether a page's request comes too soon after the others of its address."""
    return not PublishedThrottle().allow_request(request, APIView())
