"""What an invited tester reaches: the results that they are to test, and their own account. For them there is nothing else here."""

from __future__ import annotations

from typing import Any

from django.urls import ResolverMatch

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
    "api:tester-claims",
})  # fmt: skip
"""By name: an address that is added later is closed to testers until it stands here."""


def is_out_of_reach(user: Any, match: ResolverMatch | None) -> bool:
    """Whether there is nothing for ``user`` at an address. What is open to people who are not signed in is open to testers too."""
    if getattr(user, "post", "") != Post.TESTER or match is None:
        return False
    return match.view_name not in REACHES and not getattr(match.func, "is_public", False)
