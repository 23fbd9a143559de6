"""Who may reach a view: marks on views, and the few that there are for an invited tester."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.urls import ResolverMatch

from approvals.governance.person import Person
from deid_portal.organisation.rules import may_read_organisation
from projects.workflow.posts import Post

WORKSPACE = "tester:list"
REACHES = frozenset({
    "accounts:second_step",
    "accounts:profile",
    "accounts:password",
    "accounts:two_step",
    "accounts:two_step_manage",
    "accounts:token_create",
    "accounts:token_revoke",
    "tester:list",
    "tester:case",
    "tester:look",
    "tester:file",
    "api:account-me",
    "api:account-token-sign-in",
    "api:account-token-list",
    "api:account-token-detail",
    "api:published",
    "api:published-file",
    "api:tester-list",
    "api:tester-detail",
    "api:tester-file",
    "api:tester-claims",
})  # fmt: skip
"""What an invited tester reaches beside what is public, by name: the results that they are to test, and their own account. An address that
is added later is closed to them until it stands here."""

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


def is_out_of_reach(user: Person, match: ResolverMatch | None) -> bool:
    """Whether there is nothing for ``user`` at an address. What is open to people who are not signed in is open to testers too."""
    if user.post != Post.TESTER or match is None:
        return False
    return match.view_name not in REACHES and not getattr(match.func, "is_public", False)
