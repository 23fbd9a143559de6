"""Audit events and notifications as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.audit.models import AuditEvent
from approvals.audit.registry import reason_text, sentence_for
from projects.workflow import RECIPIENT_PAGE, Role

from .models import Notification
from .numbers import moment
from .pages import project_url
from .selectors import roles_held


def timeline(events: Iterable[AuditEvent]) -> list[dict[str, Any]]:
    """Events for the ``timeline`` component."""
    return [
        {
            "sentence": sentence_for(
                event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
            ),
            "when": moment(event.at),
            "detail": _("Reason: %(reason)s") % {"reason": reason_text(event.action, event.reason)}
            if event.reason
            else "",
            "hash": event.hash,
            "tone": _tone(event.action),
        }
        for event in events
    ]


def _tone(action: str) -> str:
    verb = action.rsplit(".", 1)[-1]
    if verb.startswith(("approve", "pass", "release")):
        return "ok"
    if verb.startswith(("reject", "withdraw", "suspend")):
        return "fail"
    return "warn" if verb.startswith(("return", "reopen", "back", "revise")) else ""


def notification_rows(notifications: Iterable[Notification]) -> list[dict[str, Any]]:
    return [_notification_row(notification) for notification in notifications]


def _notification_row(notification: Notification) -> dict[str, Any]:
    """One message; its reason stands below the sentence unless the sentence says it."""
    reason = reason_text(notification.action, notification.reason)
    sentence = sentence_for(
        notification.action,
        actor=notification.actor or _("The portal"),
        subject=notification.facts.get("subject") or str(notification.project or ""),
        reason=reason,
        facts=notification.facts,
    )
    return {
        "sentence": sentence,
        "when": moment(notification.at),
        "detail": _("Reason: %(reason)s") % {"reason": reason} if reason and reason not in sentence else "",
        "url": _target(notification),
        "tone": "" if notification.read_at else "info",
    }


def _target(notification: Notification) -> str:
    """The page that the news leads to; a recipient sees their own pages, not the project's."""
    project = notification.project
    if project is None:
        return ""
    if roles_held(notification.user_id).get(project.pk) == Role.RECIPIENT:
        return reverse(RECIPIENT_PAGE)
    if thread := notification.facts.get("thread"):
        return reverse("core:comments", args=[project.pk, thread])
    return project_url(project)
