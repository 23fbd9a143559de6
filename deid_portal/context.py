"""Template context of every page."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from approvals.audit.verify import stored_end_faults
from approvals.governance.person import Person
from approvals.passages import passage
from deid_portal.access import WORKSPACE
from projects.core.selectors import unread_notifications
from projects.workflow import RECIPIENT_PAGE
from projects.workflow.posts import Post

try:
    VERSION = version("deid-portal")
except PackageNotFoundError:
    VERSION = ""


def navigation(request: HttpRequest) -> dict[str, Any]:
    """What the frame of a page needs: nav_items, account_links, may_search, user_post, home_url, log_fault, portal_version.

    Evaluated where a template uses it, so that a fragment pays nothing for the frame.
    """
    user: Person | None = getattr(request, "user", None)
    context: dict[str, Any] = {"portal_version": VERSION, "home_url": "/"}
    if user is None or not user.is_authenticated or getattr(request, "sign_in_unfinished", False):
        return context | {"nav_items": [], "account_links": []}
    return context | {
        "nav_items": SimpleLazyObject(lambda: _items(request, user)),
        "account_links": SimpleLazyObject(lambda: _account_links(user)),
        "may_search": user.post != Post.TESTER,
        "user_post": user.get_post_display(),
        "log_fault": SimpleLazyObject(lambda: _log_fault(user)),
    }


def _log_fault(user: Person) -> str:
    """What is wrong with the end of the audit log, for those who can do something about it."""
    sees_it = user.post == Post.ADMINISTRATOR or user.reads_all_projects
    return passage(stored_end_faults()) if sees_it else ""


def _items(request: HttpRequest, user: Person) -> list[dict[str, Any]]:
    names = [("core:home", _("My tasks"))]
    if user.post == Post.TESTER:
        names = [(WORKSPACE, _("My tests"))]
    elif user.post == Post.RECIPIENT:
        names += [(RECIPIENT_PAGE, _("Released to me"))]
    elif user.post == Post.ADMINISTRATOR:
        names += [("accounts:accounts", _("Accounts")), ("organisation:page", _("Organisation"))]
    else:
        names += [("core:projects", _("Projects")), ("board:portfolio", _("Portfolio"))]
        names += [("board:page", _("Monitoring board"))]
        names += [("organisation:page", _("Organisation"))]
        if user.reads_all_projects:
            names += [("audit:log", _("Audit log"))]
    if user.post != Post.TESTER:
        names += [("core:notifications", _("News"))]
    items = []
    # Of addresses that lie in one another the narrowest is the current one.
    here = max(
        (url for name, _label in names if request.path.startswith(url := reverse(name))), key=len, default=""
    )
    for name, label in names:
        url = reverse(name)
        current = url == here if url != "/" else request.path == url
        item = {"label": label, "url": url, "current": current}
        if name == "core:notifications":
            item["count"] = _unread(user)
        items.append(item)
    return items


def _unread(user: Person) -> int:
    """Came along with the person of the request, unless this very request signed them in."""
    count: int | None = getattr(user, "unread_count", None)
    return unread_notifications(user).count() if count is None else count


def _account_links(user: Person) -> list[dict[str, str]]:
    names = [
        ("accounts:profile", _("My account")),
        ("accounts:password", _("Password")),
        ("accounts:two_step", _("Two-step sign-in")),
    ]
    if user.post != Post.TESTER:
        names += [
            ("core:help_tour", _("Tour")),
            ("core:help_process", _("The process")),
            ("core:help_glossary", _("Terms")),
        ]
    return [{"label": label, "url": reverse(name)} for name, label in names]
