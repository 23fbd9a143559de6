"""Sentences of the audit log about leavers."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action

LEFT = audit_action(
    "user.left",
    _(
        "%(actor)s recorded that %(subject)s leaves: access ended, %(posts)s appointments ended, %(tokens_ended)s tokens ended, "
        "%(projects)s roles in projects to hand over; %(reason)s"
    ),
)
