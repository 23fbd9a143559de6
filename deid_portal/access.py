"""Marks on views about who may reach them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse

from deid_portal.organisation.rules import may_read_organisation
from projects.workflow.posts import Post

View = TypeVar("View", bound=Callable[..., object])


def public(view: View) -> View:
    """Let people who are not signed in reach this view."""
    view.is_public = True  # type: ignore[attr-defined]
    return view


def for_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Keep outside recipients away: they see what was released to them, and not how the portal is built."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Where the pages are shown without accounts there is nobody to keep away.
        if getattr(getattr(request, "user", None), "post", "") in (Post.RECIPIENT, Post.TESTER):
            may_read_organisation(request.user).require()
        return view(request, *args, **kwargs)

    return wrapper
