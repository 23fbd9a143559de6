"""Template context of every page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from deid_portal.accounts.enums import Post
from projects.core.selectors import unread_notifications


def navigation(request: HttpRequest) -> dict[str, Any]:
    """``nav_items`` (label, url, current) and ``unread_count`` for signed-in people."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"nav_items": []}
    names = [("core:home", _("My tasks"))]
    if user.post == Post.RECIPIENT:
        names = [("recipient:list", _("Released to me"))]
    else:
        names += [("core:projects", _("Projects")), ("board:page", _("Monitoring board"))]
        names += [("organisation:page", _("Organisation"))]
        if user.reads_all_projects:
            names += [("audit:log", _("Audit log"))]
    items = []
    for name, label in names:
        try:
            url = reverse(name)
        except NoReverseMatch:
            continue
        current = request.path == url or (url != "/" and request.path.startswith(url))
        items.append({"label": label, "url": url, "current": current})
    return {"nav_items": items, "unread_count": unread_notifications(user).count()}
